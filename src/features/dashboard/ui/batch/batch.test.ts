import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'

import type { Same } from '#features/recordings/contract.ts'
import { noOptions } from '#features/recordings/ui/options.ts'
import { localDurationQuery } from '#features/recordings/ui/queries.ts'
import { MAX_BATCH } from '#shared/business.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import { type Batch, openBatch } from './batch.ts'

interface Call {
  path: string
  body: { name?: string; ids?: string[]; creditsRequired?: number }
}

/** The batch of a page, before a server that has all of a file once it is begun and measures it so. */
function aBatch({
  measured = {},
  same = null,
}: { measured?: Record<string, number | string>; same?: Same | null } = {}) {
  const calls: Call[] = []
  const held = withResolvers<void>()
  const kept = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  vi.stubGlobal('localStorage', kept)
  vi.stubGlobal('window', { addEventListener: () => undefined })
  let underWay = 0
  let most = 0
  vi.stubGlobal('fetch', async (path: string, init: { body?: string } = {}) => {
    const body = JSON.parse(init.body ?? '{}') as Call['body']
    calls.push({ path, body })
    if (path === '/api/uploads') {
      underWay += 1
      most = Math.max(most, underWay)
      return Response.json({
        id: body.name,
        name: body.name,
        sizeBytes: 1,
        partBytes: 1,
        parts: [],
      })
    }
    const name = /^\/api\/uploads\/(.+)\/complete$/.exec(path)?.[1]
    if (name) {
      await held.promise
      underWay -= 1
      const price = measured[name] ?? 1
      if (typeof price === 'string')
        return Response.json({ code: price, message: 'No.' }, { status: 422 })
      return Response.json({ transcriptionId: name, creditsRequired: price, creditsAvailable: 20 })
    }
    if (path.startsWith('/api/recordings/same')) return Response.json({ sameAs: same })
    if (path === '/api/batches/confirm')
      return Response.json({ creditsDeducted: body.creditsRequired, creditsRemaining: 0 })
    return Response.json({ batchId: 'batch' })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const confirmed: (string | null)[] = []
  const batch = openBatch({
    client,
    userId: 'ada',
    onConfirmed: (id) => void confirmed.push(id),
    onEmpty: () => undefined,
    say: () => undefined,
  })
  onTestFinished(() => batch.leave())
  const choose = (...names: string[]) => {
    const files = names.map((name) => new File(['a'], name, { lastModified: 1 }))
    for (const file of files) client.setQueryData(localDurationQuery(file).queryKey, 60)
    batch.add(files)
  }
  const confirms = () => calls.filter(({ path }) => path === '/api/batches/confirm')
  return { batch, choose, calls, confirms, confirmed, most: () => most, arrive: held.resolve }
}

const options = noOptions
const agree = (batch: Batch) => batch.confirm({ summaryLanguage: 'en', options, document: null })
const names = (batch: Batch) => batch.view().lines.map(({ name }) => name)

test('more files than one confirm takes are left out, and the same file is taken once', async () => {
  const { batch, choose } = aBatch()
  choose('a.wav', 'b.wav')
  choose('b.wav')
  expect(batch.view().note).toBe('Already in this list.')
  choose(...Array.from({ length: MAX_BATCH }, (_, index) => `${index}.wav`))
  expect(batch.view().lines).toHaveLength(MAX_BATCH)
  expect(batch.view().note).toMatch(
    /^Too many files\. 20 can be confirmed together; 2 were left out\./,
  )
})

test('two are sent at a time, and one call confirms all when the last has arrived', async () => {
  const { batch, choose, confirms, confirmed, most, arrive } = aBatch()
  choose('a.wav', 'b.wav', 'c.wav', 'letter.txt')
  await vi.waitFor(() =>
    expect(batch.view().lines.every((line) => line.seconds !== 'reading')).toBe(true),
  )
  agree(batch)
  expect([batch.view().phase, confirms()]).toEqual(['waiting', []])
  arrive()
  await vi.waitFor(() => expect(confirmed).toEqual(['batch']))
  expect(confirms().map(({ body }) => body)).toEqual([
    { ids: ['a.wav', 'b.wav', 'c.wav'], summaryLanguage: 'en', ...options, creditsRequired: 3 },
  ])
  expect(most()).toBe(2)
  // A refused file says why, and stays until it is taken out.
  expect(names(batch)).toEqual(['letter.txt'])
})

test('a file with another price than shown is asked about again, and does not stop the rest', async () => {
  const { batch, choose, confirms, confirmed, arrive } = aBatch({
    measured: { 'b.wav': 2, 'c.wav': 'not_media' },
  })
  choose('a.wav', 'b.wav', 'c.wav')
  await vi.waitFor(() => expect(batch.view().lines.every((line) => line.seconds === 60)).toBe(true))
  agree(batch)
  arrive()
  await vi.waitFor(() => expect(confirmed).toHaveLength(1))
  expect(confirms()[0]?.body).toMatchObject({ ids: ['a.wav'], creditsRequired: 1 })
  expect(batch.view().lines).toMatchObject([
    { name: 'b.wav', agreed: 1, arrived: { credits: 2 }, refusal: null },
    { name: 'c.wav', refusal: 'No.' },
  ])
  agree(batch)
  await vi.waitFor(() => expect(confirmed).toHaveLength(2))
  expect(confirms()[1]?.body).toMatchObject({ ids: ['b.wav'], creditsRequired: 2 })
})

test('a file that is taken out is no part of the price, and is cancelled if it had arrived', async () => {
  const { batch, choose, calls, arrive } = aBatch()
  arrive()
  choose('a.wav', 'b.wav')
  await vi.waitFor(() => expect(batch.view().lines.every(({ arrived }) => arrived)).toBe(true))
  await batch.remove([batch.view().lines[0]!.key])
  expect(names(batch)).toEqual(['b.wav'])
  expect(calls.map(({ path }) => path)).toContain('/api/transcriptions/a.wav/cancel')
})

test('a document of each file is ordered with the confirm, and paid for with it', async () => {
  const { batch, choose, confirms, arrive } = aBatch()
  arrive()
  choose('a.wav', 'b.wav')
  await vi.waitFor(() => expect(batch.view().lines.every(({ arrived }) => arrived)).toBe(true))
  const document = { documentType: 'article', includeImages: false } as const
  batch.confirm({ summaryLanguage: 'en', options, document })
  await vi.waitFor(() => expect(confirms()).toHaveLength(1))
  expect(confirms()[0]?.body).toMatchObject({ document, creditsRequired: 4 })
})

test('a copy that is taken out and chosen again is known again, and is not sent', async () => {
  const same = { id: 'x', createdAt: '2026-11-20T09:00:00Z', hasSameBytes: true }
  const { batch, choose, calls } = aBatch({ same })
  const isKnown = () => vi.waitFor(() => expect(batch.view().lines).toMatchObject([{ same }]))
  choose('a.wav')
  await isKnown()
  await batch.remove([batch.view().lines[0]!.key])
  choose('a.wav')
  await isKnown()
  expect(calls.map(({ path }) => path)).not.toContain('/api/uploads')
})
