import { infiniteQueryOptions } from '@tanstack/react-query'

import { get } from '#web/api.ts'

/** A long list, the newest first, a page at a time: `next` says before what the following page lies. */
export const pagesOf = <Page>({
  key,
  path,
  next,
}: {
  key: readonly string[]
  path: string
  next: (page: Page) => string | number | null | undefined
}) =>
  infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ signal, pageParam }) =>
      get<Page>(
        pageParam === null ? path : `${path}?before=${encodeURIComponent(pageParam)}`,
        signal,
      ),
    initialPageParam: null as string | number | null,
    getNextPageParam: (page) => next(page),
    staleTime: 0,
  })
