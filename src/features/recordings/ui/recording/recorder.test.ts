import { expect, onTestFinished, test, vi } from 'vitest'

import { lackIn } from './recorder.ts'

/** The browser has these devices, and does not open a microphone. */
function refusing(name: string, kinds: readonly string[]) {
  const enumerateDevices = async () => kinds.map((kind) => ({ kind }))
  vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices } })
  onTestFinished(() => void vi.unstubAllGlobals())
  return lackIn(new DOMException('no', name))
}

test.each([
  ['NotFoundError', [], 'no-device'],
  // WebKit's name where there is none.
  ['OverconstrainedError', ['audiooutput'], 'no-device'],
  ['NotReadableError', ['audioinput'], 'failed'],
  ['NotAllowedError', [], 'denied'],
] as const)(
  'a browser that says %s of the devices %j lacks this: %s',
  async (name, kinds, lack) => {
    expect(await refusing(name, kinds)).toBe(lack)
  },
)
