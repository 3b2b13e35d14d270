import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'

import { refused } from './api.ts'
import { newQueryClient } from './query-client.ts'
import { withResolvers } from './with-resolvers.ts'

test('data is loaded once: no retries, no rhythm, no refetch on focus, never stale', () => {
  expect(newQueryClient().getDefaultOptions()).toMatchObject({
    queries: {
      retry: false,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      staleTime: Number.POSITIVE_INFINITY,
    },
    mutations: { retry: false },
  })
})

test('a call that finds nobody signed in makes the page ask who is there', async () => {
  const client = newQueryClient()
  let asked = 0
  const user = new QueryObserver(client, { queryKey: ['/api/user'], queryFn: () => (asked += 1) })
  const stop = user.subscribe(() => undefined)
  await expect.poll(() => client.isFetching()).toBe(0)
  refused(401, 'Unauthorized', '{"message":"Wrong.","code":"wrong_password"}')
  expect(client.isFetching()).toBe(0)
  refused(401, 'Unauthorized', '{"message":"Please sign in.","code":"not_signed_in"}')
  await expect.poll(() => asked).toBe(2)
  stop()
})

test('data that is loaded for the first time during a change is loaded once more after it', async () => {
  const client = newQueryClient()
  const answers = [withResolvers<string>(), withResolvers<string>()]
  let asked = 0
  const queryFn = () => answers[asked++]?.promise ?? 'too often'
  const list = new QueryObserver<string>(client, { queryKey: ['list'], queryFn })
  const stop = list.subscribe(() => undefined)
  const isRead = client.invalidateQueries({ queryKey: ['list'] })
  answers[0]?.resolve('before the change')
  await expect.poll(() => asked).toBe(2)
  answers[1]?.resolve('after the change')
  await isRead
  expect(list.getCurrentResult().data).toBe('after the change')
  expect(asked).toBe(2)
  stop()
})
