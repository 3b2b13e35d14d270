import { expect, onTestFinished, test, vi } from 'vitest'

import { noOptions } from './options.ts'
import { sendFile } from './send-file.ts'

/** A server that misses these parts, and answers each `complete` with the next of these. */
function completing(
  { parts, file = new File(['abc'], 'a.wav') }: { parts: object[]; file?: File },
  ...answers: [status: number, body: string][]
) {
  const kept = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  vi.stubGlobal('localStorage', kept)
  // No pause: a network is found at once.
  const found = (_: string, end: () => void) => end()
  vi.stubGlobal('window', { addEventListener: found, removeEventListener: () => undefined })
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    if (!path.endsWith('/complete'))
      return Response.json({ id: 'one', name: 'a.wav', sizeBytes: 3, partBytes: 1, parts })
    const [status, body] = answers.shift()!
    return new Response(body, { status })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const sent = sendFile({
    userId: 'ada',
    file,
    summaryLanguage: 'en',
    options: noOptions,
    document: null,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  return { sent, times: () => asked.filter((path) => path.endsWith('/complete')).length }
}

const none = { parts: [] }
const refusal = (code: string) => JSON.stringify({ code, message: 'No.' })

test('completing is tried again while a server is replaced', async () => {
  const { sent, times } = completing(
    none,
    [502, '<h1>Bad Gateway</h1>'],
    [503, refusal('database_away')],
    [429, ''],
    [202, '{"message":"It is being measured."}'],
    [200, '{"transcriptionId":"it"}'],
  )
  expect(await sent).toEqual({ transcriptionId: 'it' })
  expect(times()).toBe(5)
})

test.each([
  [422, 'not_media'],
  [429, 'too_many_unconfirmed'],
  [503, 'measuring_failed'],
])('a refusal with %d, %s, is said at once', async (status, code) => {
  const { sent, times } = completing(none, [status, refusal(code)])
  await expect(sent).rejects.toMatchObject({ status, code })
  expect(times()).toBe(1)
})

test('a server that stays away is said in the end', async () => {
  const { sent, times } = completing(
    none,
    ...Array.from({ length: 8 }, (): [number, string] => [502, '']),
  )
  await expect(sent).rejects.toMatchObject({ status: 502 })
  expect(times()).toBe(8)
})

/** Puts answer in turn with what is said here, a turn after they were sent; then all arrive. */
function putting(...outcomes: ('load' | 'error')[]) {
  const underWay: number[] = []
  let now = 0
  class Request extends EventTarget {
    upload = new EventTarget()
    status = 200
    open() {}
    abort() {}
    send() {
      underWay.push(++now)
      setImmediate(() => {
        now -= 1
        this.dispatchEvent(new Event(outcomes.shift() ?? 'load'))
      })
    }
  }
  vi.stubGlobal('XMLHttpRequest', Request)
  return underWay
}

test('parts go to a bucket two at once, and one at a time after a break', async () => {
  const parts = [1, 2, 3].map((number) => ({
    number,
    url: `https://bucket.example/${number}`,
    keptBytes: 0,
  }))
  const { sent } = completing({ parts }, [200, '{"transcriptionId":"it"}'])
  const underWay = putting('error', 'error')
  await sent
  expect(underWay).toEqual([1, 2, 1, 1, 1])
})
