import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'

import { oneKey } from '#features/recordings/ui/queries.ts'
import { wordsKey, wordsQuery } from '#features/text/ui/words-query.ts'
import type { AgainRun } from '#features/transcriptions/contract.ts'
import { transcriptionQuery } from '#features/transcriptions/ui/queries.ts'

import { runQuery, showRun } from './again-queries.ts'
import { againQuery } from './again-query.ts'

const running = { id: 'run', status: 'processing', errorMessage: null } as const

/**
 * An open result, what works on its recording, and the server it asks. `end` says how the work
 * ends; null where it is stopped, and not there any more.
 */
async function anOpenResult(what: AgainRun['what'] | null) {
  const asked: string[] = []
  const end = (how: 'completed' | 'error' | null) => {
    const failed = how === 'error' ? { ...running, what, status: how } : null
    const run = how && { status: how, originalName: 'talk.mp3' }
    answers = { one: { again: failed }, words: 'after', run }
  }
  let answers: Record<'one' | 'words' | 'run', unknown> = {
    one: { again: what && { ...running, what } },
    words: 'before',
    run: { status: 'processing' },
  }
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined })
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    const one = { status: 'completed', speakers: ['Speaker A', 'Speaker B'] }
    if (path === '/api/transcriptions/one')
      return Response.json({ id: 'one', ...one, ...(answers.one as object) })
    if (path === '/api/transcriptions/run')
      return Response.json(
        { id: 'run', ...(answers.run as object) },
        { status: answers.run ? 200 : 404 },
      )
    return Response.json(path.endsWith('/words') ? answers.words : {})
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false } },
  })
  const queries = [transcriptionQuery('one'), wordsQuery('one'), againQuery('one')]
  for (const query of queries)
    onTestFinished(new QueryObserver(client, query as never).subscribe(() => undefined))
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  asked.length = 0
  return { client, asked, end, words: () => client.getQueryData(wordsKey('one')) }
}

test('a new text is shown, also where its recording is asked about before the work on it', async () => {
  const { client, asked, end, words } = await anOpenResult('text')
  end('completed')
  await client.refetchQueries({ queryKey: oneKey('one') })
  await vi.waitFor(() => expect(words()).toBe('after'))
  expect(asked.filter((path) => path === '/api/transcriptions/one/again')).toHaveLength(1)
})

test('work that ends before it is first asked about is seen to end', async () => {
  const { client, end, words } = await anOpenResult(null)
  showRun(client, 'one', { ...running, what: 'text' })
  end('completed')
  await client.refetchQueries({ queryKey: oneKey('one') })
  await vi.waitFor(() => expect(words()).toBe('after'))
})

test('who asked for it is notified when a new text is there', async () => {
  const { client, end } = await anOpenResult('text')
  const shown: string[] = []
  class FakeNotification extends EventTarget {
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push(`${title}: ${body}`)
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('document', { hidden: true })
  vi.stubGlobal('localStorage', { getItem: () => '["run"]', setItem: () => undefined })
  end('completed')
  await client.fetchQuery(runQuery('one', 'run'))
  await vi.waitFor(() => expect(shown).toEqual(['Transcription ready: talk.mp3']))
})

test.each([
  ['told apart', 'completed', 'completed'],
  ['not told apart', 'error', 'error'],
  ['stopped in another tab', null, undefined],
] as const)('of speakers that were %s, the page knows how that ended', async (_, how, known) => {
  const { client, end, words } = await anOpenResult('speakers')
  end(how)
  await client.refetchQueries({ queryKey: oneKey('one') })
  await vi.waitFor(() => expect(words()).toBe('after'))
  expect(client.getQueryData<{ status: string }>(oneKey('run'))?.status).toBe(known)
})
