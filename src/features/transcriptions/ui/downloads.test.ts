import { beforeEach, expect, test, vi } from 'vitest'

import { clearToast, shownToast } from '#web/ui/toast.tsx'

import { downloadAll, downloadResult, saveRecording } from './downloads.ts'

const named = { id: 'one', originalName: 'interview.m4a' }
let asked: string[]
let saved: string[]
let isDown: boolean
let status: number

const said = () => [shownToast()].filter((toast) => toast?.open)

beforeEach(() => {
  asked = []
  saved = []
  isDown = false
  status = 503
  clearToast()
  vi.useFakeTimers()
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return isDown ? new Response('', { status }) : new Response('text')
  })
  vi.stubGlobal('document', {
    createElement: () => ({
      download: '',
      href: '',
      click() {
        saved.push(this.download || this.href)
      },
    }),
  })
})

test('results are saved under the name of their recording', async () => {
  expect(await downloadResult('transcription', named)).toBe(true)
  expect(await downloadResult('summary', named)).toBe(true)
  expect(asked).toEqual([
    '/api/transcriptions/one/download/transcription',
    '/api/transcriptions/one/download/summary',
  ])
  expect(saved).toEqual(['transcription-interview.m4a.txt', 'summary-interview.m4a.txt'])
  expect(said()).toMatchObject([{ title: 'Downloaded!' }])
})

test('a download that fails is said by its name, and saves nothing', async () => {
  isDown = true
  expect(await downloadResult('transcription', named)).toBe(false)
  expect(said()).toMatchObject([
    { title: 'Failed to download transcription', variant: 'destructive' },
  ])
  expect(await downloadResult('summary', named)).toBe(false)
  expect(said()).toMatchObject([{ title: 'Failed to download summary', variant: 'destructive' }])
  expect(saved).toEqual([])
})

test('of everything the transcription comes first, and the summary 500 ms later', async () => {
  const parts: number[] = []
  const all = downloadAll(named, (part) => parts.push(part), { timestamps: false })
  await vi.advanceTimersByTimeAsync(499)
  expect(saved).toEqual(['transcription-interview.m4a.txt'])
  await vi.advanceTimersByTimeAsync(1)
  await all
  expect(saved).toEqual(['transcription-interview.m4a.txt', 'summary-interview.m4a.txt'])
  expect(parts).toEqual([1, 2])
  expect(asked).toEqual([
    '/api/transcriptions/one/download/transcription?timestamps=false',
    '/api/transcriptions/one/download/summary',
  ])
})

test('when the first file fails the second is not asked for', async () => {
  isDown = true
  await downloadAll(named, () => undefined)
  expect(asked).toHaveLength(1)
})

test('a recording is fetched by the browser itself, once it is known to be there', async () => {
  expect(await saveRecording(named)).toBe(true)
  expect(asked).toEqual(['/api/transcriptions/one/media?download=1'])
  expect(saved).toEqual(asked)
  isDown = true
  expect(await saveRecording(named)).toBe(false)
  expect(said()).toMatchObject([
    {
      title: 'The recording could not be saved.',
      description: 'It is still here.',
    },
  ])
  status = 410
  expect(await saveRecording(named)).toBe(false)
  expect(said()).toMatchObject([{ description: 'It was deleted.' }])
  expect(saved).toHaveLength(1)
})
