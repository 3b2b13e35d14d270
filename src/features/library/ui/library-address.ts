/** The address says what the library shows: the search, the filters, the order, and what is open. */
import { paths, withMoment } from '#web/paths.ts'

import type { ListSort, ListStatus } from '../contract.ts'

export type StatusFilter = Extract<ListStatus, 'all' | 'open' | 'completed' | 'error'>

/** In place of a tag: what has none. As in the contract, whose schemas the pages do not load. */
export const NO_TAG = 'none'

export interface Filters {
  q: string
  status: StatusFilter
  sort: ListSort
  /** Names of tags, all of which a recording must have; `NO_TAG` for those without any. */
  tags: readonly string[]
  /** The name of somebody who speaks; empty for anyone. */
  speaker: string
}

export const statusNames: readonly (readonly [StatusFilter, string])[] = [
  ['all', 'All statuses'],
  ['completed', 'Completed'],
  ['error', 'Failed'],
  ['open', 'In progress'],
]
export const sortNames: readonly (readonly [ListSort, string])[] = [
  ['best', 'Best match'],
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['longest', 'Longest first'],
  ['shortest', 'Shortest first'],
  ['name', 'By name'],
]

/** The filters of a user who has chosen nothing. */
export const unfiltered: Filters = { q: '', status: 'all', sort: 'newest', tags: [], speaker: '' }

export const isSearch = ({ q }: Pick<Filters, 'q'>) => q.trim() !== ''

/** The order that nobody has to choose. */
const usualSort = (q: string): ListSort => (isSearch({ q }) ? 'best' : 'newest')

export function filtersIn(search: string): Filters {
  const query = new URLSearchParams(search)
  const q = query.get('q') ?? ''
  const sort = sortNames.find(([name]) => name === query.get('sort'))?.[0]
  return {
    q,
    status: statusNames.find(([status]) => status === query.get('status'))?.[0] ?? 'all',
    sort: sort === undefined || (sort === 'best' && !isSearch({ q })) ? usualSort(q) : sort,
    tags: [...new Set(query.getAll('tag'))],
    speaker: query.get('speaker') ?? '',
  }
}

/** The address with other filters; a filter at its default is left out. */
export function withFilters(search: string, { q, status, sort, tags, speaker }: Filters): string {
  const query = new URLSearchParams(search)
  const set = (name: string, value: string, usual: string) =>
    value === usual ? query.delete(name) : query.set(name, value)
  set('q', q, '')
  set('status', status, 'all')
  set('sort', sort, usualSort(q))
  set('speaker', speaker, '')
  query.delete('tag')
  for (const tag of tags) query.append('tag', tag)
  return textOf(query)
}

/** The filters after a search: its own order comes and goes with it, and so does who speaks. */
export function searched(filters: Filters, q: string): Filters {
  const isUsual = filters.sort === usualSort(filters.q)
  return {
    ...filters,
    q,
    sort: isUsual ? usualSort(q) : filters.sort,
    speaker: isSearch({ q }) ? filters.speaker : '',
  }
}

/** The address that opens a transcription, at a moment where one is given. It keeps the filters. */
export function withOpen(search: string, id: string, at?: number): string {
  const query = new URLSearchParams(search)
  query.set('t', id)
  return withMoment(textOf(query), at ?? null)
}

export function withoutOpen(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('t')
  return withMoment(textOf(query), null)
}

/** The address of the dashboard, on which nothing of the library is asked for. */
export function withoutLibrary(search: string): string {
  const query = new URLSearchParams(search)
  for (const name of ['t', 'at', 'q', 'status', 'sort', 'tag', 'speaker']) query.delete(name)
  return textOf(query)
}

/** The library as it was before a transcription was opened from it. */
export const libraryBehind = (search: string): string => paths.library + withoutOpen(search)

/**
 * Where an address of the dashboard leads that asks for a part of the library: the library was on
 * that page, and people have kept such addresses. Null for every other address.
 */
export function libraryAsked(search: string): string | null {
  const query = new URLSearchParams(search)
  if (query.has('t')) return null
  const asks = ['q', 'status', 'sort'].some((name) => query.has(name))
  return asks ? paths.library + withFilters('', filtersIn(search)) : null
}

const textOf = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '')
