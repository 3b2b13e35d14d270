import { expect, test } from 'vitest'

import { isFinished, isUnconfirmed, isWorking, progressFor, stageOf } from './status.ts'

test.each([
  ['uploading', 5],
  ['processing', 30],
  ['transcribing', 50],
  ['summarizing', 85],
  ['completed', 100],
  ['error', 0],
  ['something of tomorrow', 0],
  ['preprocessing: analyzing file format', 15],
  ['preprocessing: converting video', 20],
  ['preprocessing: converting OPUS', 18],
  ['preprocessing: splitting large file', 25],
  ['preprocessing: something else', 20],
  ['analyzing: checking file size', 30],
  ['analyzing: generating summary', 80],
  ['transcribing: sending to AI', 35],
  ['transcribing: chunks', 40],
  ['processing chunk 0/5', 40],
  ['processing chunk 2/5', 54],
  ['processing chunk 5/5', 75],
])('"%s" is %i percent', (status, percent) => {
  expect(progressFor(status)).toBe(percent)
})

test.each([
  ['uploading', 'uploading'],
  ['processing', 'processing'],
  ['preprocessing: converting video', 'processing'],
  ['analyzing: checking file size', 'processing'],
  ['processing chunk 3/4', 'processing'],
  ['transcribing', 'transcribing'],
  ['transcribing: sending to AI', 'transcribing'],
  ['analyzing: generating summary', 'summarizing'],
  ['summarizing', 'summarizing'],
  ['completed', 'completed'],
  ['error', 'error'],
])('"%s" belongs to the stage %s', (status, stage) => {
  expect(stageOf(status)).toBe(stage)
})

test('a job is confirmed, worked on, finished, and only one of them at a time', () => {
  for (const status of ['uploading', 'processing', 'summarizing', 'completed', 'error'])
    expect(
      [isUnconfirmed, isWorking, isFinished].filter((holds) => holds(status)),
      status,
    ).toHaveLength(1)
})
