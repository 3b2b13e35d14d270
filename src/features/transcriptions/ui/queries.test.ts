import { expect, test } from 'vitest'

import { ApiError } from '#web/api.ts'

import { type Job, transcriptionQuery } from './queries.ts'

/** When the transcription is asked for next, after an answer or a failure. */
function nextPoll(status: string, error: Error | null = null, fields: Partial<Job> = {}): unknown {
  const { refetchInterval } = transcriptionQuery('one')
  if (typeof refetchInterval !== 'function') throw new Error('the rhythm depends on the answer')
  type Query = Parameters<typeof refetchInterval>[0]
  return refetchInterval({ state: { data: { status, ...fields }, error } } as unknown as Query)
}

test.each(['processing', 'preprocessing: converting video', 'processing chunk 2/5', 'summarizing'])(
  'a job that is %s is asked about every two seconds',
  (status) => {
    expect(nextPoll(status)).toBe(2000)
  },
)

test('asking ends with the job, and before it is confirmed there is nothing to ask', () => {
  expect(['completed', 'error', 'uploading'].map((status) => nextPoll(status))).toEqual([
    false,
    false,
    false,
  ])
})

test('after a failed poll the server is asked more seldom, and about a job that is gone no more', () => {
  expect(nextPoll('processing', new Error('no network'))).toBe(15_000)
  const gone = new ApiError(404, 'Not Found', '{"message":"Not there","code":"not_found"}')
  expect(nextPoll('processing', gone)).toBe(false)
})

test('a summary that its owner waits for is asked for often at first, and later more seldom', () => {
  const summaryAgain = {
    status: 'writing',
    language: 'en',
    length: 'long',
    canGoBack: false,
  } as const
  const pollAfter = (waitedMs: number) =>
    nextPoll('completed', null, {
      summaryPending: true,
      summaryAgain,
      writingSinceMs: Date.now() - waitedMs,
    })
  expect(pollAfter(0)).toBe(2000)
  expect(pollAfter(3_600_000)).toBe(15_000)
  expect(nextPoll('completed', null, { summaryPending: true })).toBe(15_000)
})
