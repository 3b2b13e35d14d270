/**
 * How often somebody may do something, counted in this process: two web processes let through twice
 * as much. That is enough where a limit protects the process itself. Windows slide, and what is
 * refused does not count.
 */
import { Refusal, type RefusalCode } from '#shared/refusals.ts'

export interface Window {
  most: number
  seconds: number
}

export interface Rate {
  windows: readonly Window[]
  /** Counts one more. @throws Refusal with the code of this rate, and when to come back */
  count(key: string, now: Date): void
}

export function rate(code: RefusalCode, windows: readonly Window[]): Rate {
  const longestMs = 1000 * Math.max(...windows.map(({ seconds }) => seconds))
  /** When each key was let through, oldest first. */
  const passed = new Map<string, number[]>()
  let sweptAt = 0

  const forgetOld = (nowMs: number) => {
    if (nowMs - sweptAt < longestMs) return
    sweptAt = nowMs
    for (const [key, times] of passed)
      if ((times.at(-1) ?? 0) <= nowMs - longestMs) passed.delete(key)
  }
  return {
    windows,
    count(key, now) {
      const nowMs = now.getTime()
      forgetOld(nowMs)
      const times = (passed.get(key) ?? []).filter((at) => at > nowMs - longestMs)
      for (const { most, seconds } of windows) {
        // One more passes when the oldest of the last `most` has left the window.
        const oldest = times.at(-most)
        const waitMs = oldest === undefined ? 0 : oldest + 1000 * seconds - nowMs
        if (waitMs > 0) throw new Refusal(code, { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      }
      passed.set(key, [...times, nowMs])
    },
  }
}
