import { expect, test } from 'vitest'

import { filtersIn, withFilters, withOpen, withoutOpen } from './library-address.ts'

test('filters that nobody chose are not in the address', () => {
  expect(withFilters('?t=1', { q: '', status: 'all', sort: 'newest' })).toBe('?t=1')
  expect(withFilters('', { q: 'onboarding mail', status: 'error', sort: 'name' })).toBe(
    '?q=onboarding+mail&status=error&sort=name',
  )
})

test('filters come back from the address, and what is not one is passed over', () => {
  expect(filtersIn('?q=caf%C3%A9&status=error&sort=longest')).toEqual({
    q: 'café',
    status: 'error',
    sort: 'longest',
  })
  expect(filtersIn('?status=finished&sort=up')).toEqual({ q: '', status: 'all', sort: 'newest' })
})

test('opening and closing a result leave the library behind it as it was', () => {
  const opened = withOpen('?q=mail', 'abc', 83.4)
  expect(opened).toBe('?q=mail&t=abc&at=83.4')
  expect(withOpen(opened, 'def')).toBe('?q=mail&t=def')
  expect(withoutOpen(opened)).toBe('?q=mail')
  expect(withoutOpen('?t=abc')).toBe('')
})
