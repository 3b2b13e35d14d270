import { expect, test } from 'vitest'

import {
  type Filters,
  filtersIn,
  libraryAsked,
  searched,
  unfiltered,
  withFilters,
  withOpen,
  withoutOpen,
} from './library-address.ts'

const filters = (some: Partial<Filters>): Filters => ({ ...unfiltered, ...some })

test('filters that nobody chose are not in the address', () => {
  expect(withFilters('?t=1', unfiltered)).toBe('?t=1')
  expect(withFilters('', filters({ q: 'onboarding mail', status: 'error', sort: 'name' }))).toBe(
    '?q=onboarding+mail&status=error&sort=name',
  )
  expect(withFilters('', filters({ q: 'mail', sort: 'best', tags: ['Kendal', 'Radio'] }))).toBe(
    '?q=mail&tag=Kendal&tag=Radio',
  )
})

test('filters come back from the address, and anything else in it is passed over', () => {
  expect(filtersIn('?q=caf%C3%A9&status=error&sort=longest&tag=none&speaker=Ada')).toEqual({
    q: 'café',
    status: 'error',
    sort: 'longest',
    tags: ['none'],
    speaker: 'Ada',
  })
  expect(filtersIn('?status=finished&sort=up')).toEqual(unfiltered)
  expect(filtersIn('?sort=best')).toEqual(unfiltered)
})

test('the best match comes first as long as something is searched, unless another order was chosen', () => {
  const found = searched(filters({ tags: ['Radio'] }), 'mail')
  expect(found).toEqual(filters({ q: 'mail', sort: 'best', tags: ['Radio'] }))
  expect(searched({ ...found, speaker: 'Ada' }, '')).toEqual(filters({ tags: ['Radio'] }))
  expect(searched(filters({ sort: 'name' }), 'mail').sort).toBe('name')
})

test('opening and closing a result leave the library behind it as it was', () => {
  const opened = withOpen('?q=mail', 'abc', 83.4)
  expect(opened).toBe('?q=mail&t=abc&at=83.4')
  expect(withOpen(opened, 'def')).toBe('?q=mail&t=def')
  expect(withoutOpen(opened)).toBe('?q=mail')
  expect(withoutOpen('?t=abc')).toBe('')
})

test('an address of the time when the library was on the dashboard leads to the library', () => {
  expect(libraryAsked('?q=mail&status=error&welcome=1')).toBe('/library?q=mail&status=error')
  expect(libraryAsked('?q=mail&t=abc')).toBeNull()
  expect(libraryAsked('?welcome=1')).toBeNull()
})
