import { beforeEach, expect, test, vi } from 'vitest'

import { newQueryClient } from '#web/query-client.ts'

import type { Cuts } from '../contract.ts'
import { createCutting } from './cutting.ts'
import { cutsQuery } from './queries.ts'

const { queryKey } = cutsQuery('t')
const withCuts = (...cuts: [number, number][]): Cuts => ({
  cuts: cuts.map(([start, end]) => ({ start, end })),
  remaining: cuts.reduce((left, [start, end]) => left - (end - start), 60),
  canUndo: cuts.length > 0,
  act: cuts.length > 0 ? `${cuts.length}-0` : null,
  files: 0,
})
const change = (startMs: number, endMs: number) => ({ cut: [{ startMs, endMs }], restore: [] })

const said: string[] = []
/** The calls that are sent, each with what answers it. */
const calls: { url: string; answer: (cuts: Cuts | null) => void }[] = []

function open(cuts: Cuts) {
  const client = newQueryClient()
  client.setQueryData(queryKey, cuts)
  const steps = {
    did: vi.fn(),
    stored: vi.fn(),
    takeBack: vi.fn(),
    inTurn: <Done>(work: () => Promise<Done>) => work(),
  }
  const cutting = createCutting(client, { id: 't', steps, say: (words) => said.push(words) })
  return { cutting, steps, shown: () => client.getQueryData<Cuts>(queryKey)?.cuts }
}

beforeEach(() => {
  said.length = 0
  calls.length = 0
  vi.stubGlobal(
    'fetch',
    (url: string) =>
      new Promise<Response>((resolve) =>
        calls.push({
          url,
          answer: (cuts) =>
            resolve(cuts ? Response.json(cuts) : Response.json({ message: '' }, { status: 500 })),
        }),
      ),
  )
})

test('an act is shown at once, and one that fails is taken back without those after it', async () => {
  const { cutting, steps, shown } = open(withCuts())
  cutting.act(change(1_000, 2_000))
  cutting.act(change(5_000, 6_500))
  expect(shown()).toEqual(withCuts([1, 2], [5, 6.5]).cuts)
  expect(said).toEqual(['Cut, 0:01. 1 cut in all.', 'Cut, 0:02. 2 cuts in all.'])
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  calls[0]!.answer(null)
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(shown()).toEqual(withCuts([5, 6.5]).cuts)
  // It has another one too, which another tab made.
  calls[1]!.answer(withCuts([5, 6.5], [8, 9]))
  await vi.waitFor(() => expect(steps.stored).toHaveBeenCalledTimes(2))
  expect(shown()).toEqual(withCuts([5, 6.5], [8, 9]).cuts)
  const [first, second] = steps.did.mock.calls.flat() as unknown[]
  expect(steps.stored.mock.calls).toEqual([
    [first, false],
    [second, true],
  ])
})

test('what is cut already is no act', () => {
  const { cutting, steps, shown } = open(withCuts([1, 4]))
  cutting.act(change(2_000, 3_000))
  expect(shown()).toEqual(withCuts([1, 4]).cuts)
  expect(steps.did).not.toHaveBeenCalled()
})

test('acts of a page before are undone by the server', async () => {
  const { cutting, steps, shown } = open(withCuts([1, 4]))
  cutting.undo()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  // The one that this page shows, and no other.
  expect(calls[0]?.url).toMatch(/cuts\/undo\?act=1-0$/)
  calls[0]!.answer(withCuts())
  await vi.waitFor(() => expect(shown()).toEqual([]))
  expect(said).toEqual(['Put back, 0:03. No cuts are left.'])
  expect(steps.takeBack).not.toHaveBeenCalled()
})
