import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'

import { userQuery } from '#features/account/ui/queries.ts'

import { documentsQuery, hasDocuments } from './queries.ts'

function nextLook(...statuses: string[]): unknown {
  const { refetchInterval } = documentsQuery('one')
  if (typeof refetchInterval !== 'function') throw new Error('the rhythm depends on the answer')
  type Query = Parameters<typeof refetchInterval>[0]
  const data = statuses.map((status) => ({ status }))
  return refetchInterval({ state: { data } } as unknown as Query)
}

test('while a document is being written the list is asked for every three seconds', () => {
  expect(nextLook('generated', 'generating')).toBe(3000)
  expect(nextLook('generated', 'error')).toBe(false)
  expect(nextLook()).toBe(false)
})

test.each([
  ['has ended', 'error', true],
  ['is still being written', 'generating', false],
])('when a document %s, the balance is asked for anew: %s %s', async (_, status, isAsked) => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json([{ status }])))
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = new QueryClient()
  client.setQueryData(userQuery.queryKey, null)
  client.setQueryData([...documentsQuery('one').queryKey], [{ status: 'generating' }])
  await client.fetchQuery(documentsQuery('one'))
  expect(client.getQueryState(userQuery.queryKey)?.isInvalidated).toBe(isAsked)
})

test('documents are part of Professional and Enterprise', () => {
  const offered = (['starter', 'professional', 'enterprise'] as const).map((planType) =>
    hasDocuments({ planType }),
  )
  expect(offered).toEqual([false, true, true])
  expect(hasDocuments(null)).toBe(false)
})
