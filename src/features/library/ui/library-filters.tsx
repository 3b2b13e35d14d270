import { useQuery } from '@tanstack/react-query'
import { Search, X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import {
  type Filters,
  isSearch,
  searched,
  sortNames,
  statusNames,
  withFilters,
} from './library-address.ts'
import { speakersQuery } from './library-queries.ts'

const PAUSE_MS = 300

/**
 * Changes the filters in the address. It replaces the entry of the history, so that Back leaves the
 * library in place of removing the last letter.
 */
export function useFilters(): (filters: Filters) => void {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  return (filters) =>
    void navigate(
      { search: withFilters(search, filters), hash },
      { replace: true, preventScrollReset: true },
    )
}

/** Search, who speaks, status and order; the server answers all four. */
export function LibraryFilters({
  filters,
  onChange,
  isBusy,
  field,
  onDown,
}: {
  filters: Filters
  onChange: (filters: Filters) => void
  isBusy: boolean
  /** Where words are typed. */
  field: RefObject<HTMLInputElement | null>
  /** Arrow down in the search leads to what it found. */
  onDown: () => void
}) {
  const hasSearch = isSearch(filters)
  return (
    <search className="flex flex-wrap gap-3">
      <SearchField {...{ filters, onChange, isBusy, field, onDown }} />
      <div
        className={classes(
          'flex min-w-0 gap-3 sm:max-lg:basis-full',
          // Three of them do not fit side by side on a phone.
          hasSearch
            ? 'max-sm:-m-1 max-sm:-mr-4 max-sm:w-[calc(100%+1.25rem)] max-sm:shrink-0 max-sm:overflow-x-auto max-sm:p-1 max-sm:pr-4 max-sm:*:w-40 max-sm:*:flex-none'
            : 'max-sm:w-full',
        )}
      >
        {hasSearch || filters.speaker !== '' ? (
          <SpeakerSelect
            speaker={filters.speaker}
            onChange={(speaker) => onChange({ ...filters, speaker })}
          />
        ) : null}
        <OneOf
          label="Status"
          value={filters.status}
          names={statusNames}
          onChange={(status) => onChange({ ...filters, status })}
        />
        <OneOf
          label="Order"
          width="sm:w-44"
          value={filters.sort}
          names={sortNames.filter(([sort]) => hasSearch || sort !== 'best')}
          onChange={(sort) => onChange({ ...filters, sort })}
        />
      </div>
    </search>
  )
}

function SearchField({
  filters,
  onChange,
  isBusy,
  field,
  onDown,
}: Parameters<typeof LibraryFilters>[0]) {
  const [wanted, setWanted] = useState(filters.q)
  const [asked, setAsked] = useState(filters.q)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The search was changed from outside: it was cleared, or Back led to another address.
  if (filters.q !== asked) {
    setAsked(filters.q)
    if (filters.q !== wanted.trim()) setWanted(filters.q)
  }
  const ask = (q: string) => {
    clearTimeout(timer.current)
    if (q !== filters.q) onChange(searched(filters, q))
  }
  return (
    <div className="relative min-w-0 flex-1 lg:w-[26.25rem] lg:flex-none">
      <input
        ref={field}
        type="text"
        role="searchbox"
        aria-label="Search names and words"
        aria-busy={isBusy || undefined}
        aria-keyshortcuts="/"
        placeholder="Search names and words"
        enterKeyHint="search"
        maxLength={200}
        value={wanted}
        onChange={(event) => {
          const { value } = event.target
          setWanted(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => ask(value.trim()), PAUSE_MS)
        }}
        // What is pressed next knows all the words, and no search that waits leads back from there.
        onBlur={() => ask(wanted.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') ask(wanted.trim())
          if (event.key === 'ArrowDown') {
            event.preventDefault()
            onDown()
          }
        }}
        className={classes(inputClasses, 'pr-12 pl-10')}
      />
      <span className="pointer-events-none absolute top-3 left-3 text-ink-2">
        <Search size={20} />
        {isBusy ? (
          <span className="absolute inset-0 grid animate-appear place-items-center bg-card">
            <Spinner className="size-4!" />
          </span>
        ) : null}
      </span>
      {wanted === '' ? null : (
        <IconButton
          label="Clear the search"
          className="absolute top-1 right-1 size-9!"
          onClick={() => {
            setWanted('')
            ask('')
            field.current?.focus()
          }}
        >
          <X />
        </IconButton>
      )}
    </div>
  )
}

function SpeakerSelect({
  speaker,
  onChange,
}: {
  speaker: string
  onChange: (speaker: string) => void
}) {
  const { data: known = [] } = useQuery(speakersQuery)
  const names = known.map(({ name }) => name)
  const offered = speaker === '' || names.includes(speaker) ? names : [speaker, ...names]
  return (
    <OneOf
      label="Who speaks"
      value={speaker}
      names={[['', 'Anyone'], ...offered.map((name) => [name, name] as const)]}
      onChange={onChange}
    />
  )
}

/** One filter: the values it may have, and what each is called. */
function OneOf<Value extends string>({
  label,
  width = 'sm:w-40',
  value,
  names,
  onChange,
}: {
  label: string
  width?: string
  value: Value
  names: readonly (readonly [value: Value, name: string])[]
  onChange: (value: Value) => void
}) {
  return (
    <Select
      label={label}
      hideLabel
      className={classes('flex-1 sm:flex-none', width)}
      value={value}
      onChange={(event) => {
        const chosen = names.find(([one]) => one === event.target.value)
        if (chosen) onChange(chosen[0])
      }}
    >
      {names.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </Select>
  )
}
