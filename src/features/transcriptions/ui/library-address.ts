/** The address says what the library shows: the search, the filter, the order, and what is open. */
import type { ListSort, ListStatus } from '../contract.ts'

export type StatusFilter = Extract<ListStatus, 'all' | 'open' | 'completed' | 'error'>

export interface Filters {
  q: string
  status: StatusFilter
  sort: ListSort
}

export const statusNames: readonly (readonly [StatusFilter, string])[] = [
  ['all', 'All statuses'],
  ['completed', 'Completed'],
  ['error', 'Failed'],
  ['open', 'In progress'],
]
export const sortNames: readonly (readonly [ListSort, string])[] = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['longest', 'Longest first'],
  ['shortest', 'Shortest first'],
  ['name', 'By name'],
]

export function filtersIn(search: string): Filters {
  const query = new URLSearchParams(search)
  return {
    q: query.get('q') ?? '',
    status: statusNames.find(([status]) => status === query.get('status'))?.[0] ?? 'all',
    sort: sortNames.find(([sort]) => sort === query.get('sort'))?.[0] ?? 'newest',
  }
}

/** The address with other filters; a filter at its default is left out. */
export function withFilters(search: string, { q, status, sort }: Filters): string {
  const query = new URLSearchParams(search)
  const set = (name: string, value: string, usual: string) =>
    value === usual ? query.delete(name) : query.set(name, value)
  set('q', q, '')
  set('status', status, 'all')
  set('sort', sort, 'newest')
  return textOf(query)
}

/** The address that opens a transcription, at a moment where one is given. It keeps the filters. */
export function withOpen(search: string, id: string, at?: number): string {
  const query = new URLSearchParams(search)
  query.set('t', id)
  if (at === undefined) query.delete('at')
  else query.set('at', String(at))
  return textOf(query)
}

/** The state of a navigation to the library's results, which stand below the desk. */
export const TO_LIBRARY = 'to-library'

/** The state of a navigation that asks for the desk itself, also while a job runs. */
export const TO_DESK = 'to-desk'

export function withoutOpen(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('t')
  query.delete('at')
  return textOf(query)
}

const textOf = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '')
