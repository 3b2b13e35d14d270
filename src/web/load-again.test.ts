import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
const reload = vi.fn()

beforeEach(() => {
  kept.clear()
  reload.mockClear()
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** As a page has it that was just loaded. */
async function openPage() {
  vi.resetModules()
  const { loadAgain } = await import('./load-again.ts')
  return () => loadAgain(new Error('a file is gone'))
}

test('files that a page misses together are one reload, and none of them an error', async () => {
  const miss = await openPage()
  void miss()
  void miss()
  expect(reload).toHaveBeenCalledTimes(1)
})

test('who chose to stay is asked again when something else is missed, and keeps the page', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const miss = await openPage()
  void miss()
  vi.advanceTimersByTime(20_000)
  void miss()
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a page that was loaded again and still misses a file says so', async () => {
  void (await openPage())()
  expect(await openPage()).toThrow('a file is gone')
  expect(reload).toHaveBeenCalledTimes(1)
})
