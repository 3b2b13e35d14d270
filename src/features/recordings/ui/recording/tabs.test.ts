import { expect, test } from 'vitest'

import { handOn, heldRecordings, holdRecording, holdStopped, takeBack, whenBack } from './tabs.ts'

const silent = { onBegun: () => undefined, onEnded: () => undefined }

test('a stopped recording stays in hand, and is not told as one that is being made', async () => {
  const letGo = await holdStopped('one')
  expect(await heldRecordings()).toContain('one')
  const begun: string[] = []
  const ended: string[] = []
  const watched = {
    onBegun: (id: string) => begun.push(id),
    onEnded: (id: string) => ended.push(id),
  }
  const letMade = holdRecording('three', silent)
  const letMine = holdRecording('two', watched)
  await expect.poll(() => begun).toContain('three')
  // Both are found by one look, so what is not told by now was left out.
  expect(begun).not.toContain('one')
  letMade()
  await expect.poll(() => ended).toContain('three')
  letGo()
  await expect.poll(() => heldRecordings()).toEqual(new Set(['two']))
  letMine()
})

test('a recording that was handed on is held for other tabs until it is back, and not here', async () => {
  const others = async () => (await navigator.locks.query()).held?.map(({ name }) => name)
  const letGo = await holdStopped('four')
  handOn('four')
  letGo()
  await expect.poll(others).toEqual(['stopped recording four'])
  expect(await heldRecordings()).not.toContain('four')
  let isBack = false
  const back = whenBack('four').then(() => (isBack = true))
  await whenBack('five')
  expect(isBack).toBe(false)
  takeBack('four')
  await back
  await expect.poll(others).toEqual([])
})
