import { beforeEach, expect, test, vi } from 'vitest'

import { clearToast, clearToastThatOnlyTells, closeToast, shownToast, toast } from './toast.tsx'

beforeEach(() => {
  vi.useFakeTimers()
  clearToast()
  vi.runAllTimers()
})

test('toasts come one at a time: a new one takes the place of the one before', () => {
  toast({ title: 'First' })
  toast({ title: 'Second' })
  expect(shownToast()).toMatchObject({ title: 'Second', open: true })
})

test('a closed toast is removed after 1,000,000 ms', () => {
  toast({ title: 'Copied!' })
  closeToast(shownToast()!.id)
  vi.advanceTimersByTime(999_999)
  expect(shownToast()).toMatchObject({ title: 'Copied!', open: false })
  vi.advanceTimersByTime(1)
  expect(shownToast()).toBeNull()
})

test('what is opened takes away a toast that only tells', () => {
  const isOpenAfter = (words: Parameters<typeof toast>[0]) => {
    toast(words)
    clearToastThatOnlyTells()
    return shownToast()?.open
  }
  expect(isOpenAfter({ title: 'Copied to clipboard' })).toBe(false)
  expect(isOpenAfter({ title: 'Not saved', variant: 'destructive' })).toBe(true)
  expect(isOpenAfter({ title: 'Deleted', action: { label: 'Undo', onPress: vi.fn() } })).toBe(true)
})
