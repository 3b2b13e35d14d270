import { expect, test, vi } from 'vitest'

import type { Player } from '#web/player.ts'

import { waitWhileTyping } from './pause-on-typing.ts'

/** As much of a player as typing touches. */
function aPlayer() {
  const acts: string[] = []
  let isPlaying = true
  const player = {
    getState: () => ({ isPlaying }),
    now: () => 12,
    pause: () => {
      isPlaying = false
      acts.push('pause')
    },
    playFrom: (seconds: number) => {
      isPlaying = true
      acts.push(`play from ${seconds}`)
    },
  }
  return { acts, player: player as unknown as Player }
}

test('the recording waits while somebody types, and goes on a second earlier', () => {
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => 'on' })
  const { acts, player } = aPlayer()
  waitWhileTyping(player)
  vi.advanceTimersByTime(1_000)
  waitWhileTyping(player)
  vi.advanceTimersByTime(1_000)
  expect(acts).not.toContain('play from 11')
  vi.advanceTimersByTime(1_000)
  expect(acts.at(-1)).toBe('play from 11')
  vi.useRealTimers()
})

test('the recording plays on while somebody types, unless they asked for the pause', () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  const { acts, player } = aPlayer()
  waitWhileTyping(player)
  expect(acts).toEqual([])
})
