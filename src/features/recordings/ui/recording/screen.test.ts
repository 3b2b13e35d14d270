import { expect, onTestFinished, test, vi } from 'vitest'

import { withResolvers } from '#web/with-resolvers.ts'

import { keepScreenOn } from './screen.ts'

/** A page that is looked at, in a browser that answers so when it is asked to keep its screen on. */
function aPage({ request }: { request?: () => Promise<{ release: () => void }> }) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', request ? { wakeLock: { request } } : {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const { promise, resolve } = withResolvers<boolean>()
  const letGo = keepScreenOn(resolve)
  return {
    isHeld: promise,
    letGo,
    lookAgain: () => page.dispatchEvent(new Event('visibilitychange')),
  }
}

test('the screen is kept on, again when the page is seen again, and let go at the end', async () => {
  const release = vi.fn<() => void>()
  const request = vi.fn<() => Promise<{ release: () => void }>>().mockResolvedValue({ release })
  const { isHeld, letGo, lookAgain } = aPage({ request })
  expect(await isHeld).toBe(true)
  lookAgain()
  expect(request).toHaveBeenCalledTimes(2)
  letGo()
  expect(release).toHaveBeenCalled()
  lookAgain()
  expect(request).toHaveBeenCalledTimes(2)
})

test('a browser that cannot keep the screen on, or does not, is told of', async () => {
  expect(await aPage({}).isHeld).toBe(false)
  const request = () => Promise.reject(new DOMException('battery', 'NotAllowedError'))
  expect(await aPage({ request }).isHeld).toBe(false)
})
