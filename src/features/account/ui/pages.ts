import { infiniteQueryOptions } from '@tanstack/react-query'

import type { Call, ParamsOf } from '#shared/call.ts'
import { ask } from '#web/api.ts'

type Paged<Path extends string, Page> = Call<
  Path,
  { query: { before?: string | number | null | undefined }; answer: Page }
>

/**
 * A long list, the newest first, a page at a time: `next` answers the row before which the following
 * page lies.
 */
export const pagesOf = <Path extends string, Page>({
  key,
  call,
  next,
  ...rest
}: {
  key: readonly string[]
  call: Paged<Path, Page>
  next: (page: Page) => string | number | null | undefined
} & (unknown extends ParamsOf<Path> ? unknown : { params: ParamsOf<Path> })) => {
  const read: Paged<string, Page> = call
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ signal, pageParam }) => {
      const given = { ...rest, query: { before: pageParam }, signal }
      return ask(read, given)
    },
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => next(page),
    staleTime: 0,
  })
}
