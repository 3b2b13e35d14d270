import { describe, expect, test } from 'vitest'

import { activityOf, highestPercent, stepsFor } from './progress.ts'

describe('the percent of a job', () => {
  const run = (statuses: string[]) => {
    let percent = 0
    let before: string | undefined
    return statuses.map((status) => {
      percent = highestPercent(
        before === undefined ? undefined : { status: before, percent },
        status,
      )
      before = status
      return percent
    })
  }

  test('never goes back while the job runs', () => {
    expect(
      run([
        'processing',
        'preprocessing: analyzing file format',
        'transcribing: sending to AI',
        'processing chunk 2/5',
        'processing chunk 1/5',
        'analyzing: generating summary',
        'summarizing',
        'completed',
      ]),
    ).toEqual([0, 15, 35, 54, 54, 80, 85, 100])
  })

  test('is nothing for a failed job, and a retry begins anew', () => {
    expect(run(['processing chunk 5/5', 'error', 'preprocessing: converting video'])).toEqual([
      75, 0, 20,
    ])
  })
})

describe('the steps of the card', () => {
  const states = (status: string) => stepsFor(status).map((step) => step.state)

  test.each([
    'processing',
    'preprocessing: splitting large file',
    'analyzing: checking file size',
    'transcribing: chunks',
    'processing chunk 3/4',
  ])('%s is part of the transcription', (status) => {
    expect(states(status)).toEqual(['done', 'active', 'pending'])
  })

  test.each(['summarizing', 'analyzing: generating summary'])('%s is the summary', (status) => {
    expect(states(status)).toEqual(['done', 'done', 'active'])
  })

  test('a completed job has every step done', () => {
    expect(states('completed')).toEqual(['done', 'done', 'done'])
  })

  test('only the active step says what is happening in it', () => {
    expect(stepsFor('processing chunk 2/5').map((step) => step.detail)).toEqual([
      null,
      'chunk 2 of 5',
      null,
    ])
    expect(stepsFor('processing chunk 0/5')[1]?.detail).toBe('first of 5 chunks')
    expect(stepsFor('processing chunk 0/1')[1]?.detail).toBe('one chunk')
    expect(stepsFor('preprocessing: converting video')[1]?.detail).toBe('converting video')
    expect(stepsFor('summarizing')[2]?.detail).toBeNull()
  })

  test.each([
    'preprocessing: splitting large file',
    'analyzing: checking file size',
    'transcribing: sending to AI',
    'transcribing: chunks',
    'analyzing: generating summary',
  ])('%s says no more than its step', (status) => {
    expect(stepsFor(status).map((step) => step.detail)).toEqual([null, null, null])
  })
})

test.each([
  ['preprocessing: converting OPUS', 'Preparing'],
  ['analyzing: checking file size', 'Preparing'],
  ['processing chunk 1/2', 'Transcribing'],
  ['transcribing: sending to AI', 'Transcribing'],
  ['analyzing: generating summary', 'Summarizing'],
])('the library calls "%s" %s', (status, word) => {
  expect(activityOf(status)).toBe(word)
})
