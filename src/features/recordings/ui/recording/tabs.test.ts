import { expect, test } from 'vitest'

import { heldRecordings, holdRecording, holdStopped } from './tabs.ts'

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
