import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { isAwaited, notifyAboutAll, tellEnd, watch } from './notify.ts'

const words = { title: '2 of 2 done', body: 'one.m4a, two.m4a' }
let shown: { title: string; body: string }[] = []

/** A tab: its document, of which only this is asked. */
function openTab({ hidden }: { hidden: boolean }): void {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden }))
}

beforeEach(() => {
  shown = []
  const kept = new Map<string, string>()
  class FakeNotification extends EventTarget {
    static permission = 'default'
    static requestPermission = async () => (FakeNotification.permission = 'granted')
    constructor(title: string, { body }: { body: string }) {
      super()
      shown.push({ title, body })
    }
  }
  vi.stubGlobal('Notification', FakeNotification)
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('the end of a job or a batch is told once, however many tabs learn of it', async () => {
  openTab({ hidden: true })
  expect(await notifyAboutAll(['job', 'batch'])).toBe(true)
  expect(isAwaited('batch')).toBe(true)
  await Promise.all([tellEnd('batch', words), tellEnd('batch', words), tellEnd('other', words)])
  await tellEnd('batch', words)
  expect(shown).toEqual([words])
  expect(isAwaited('job')).toBe(true)
})

test('a user who looks at the work is not told, in this tab or in another one', async () => {
  openTab({ hidden: false })
  await notifyAboutAll(['here', 'there', 'left'])
  await tellEnd('here', words)
  const leave = watch('there')
  watch('left')()
  openTab({ hidden: true })
  await tellEnd('there', words)
  expect(shown).toEqual([])
  await tellEnd('left', words)
  expect(shown).toEqual([words])
  leave()
})
