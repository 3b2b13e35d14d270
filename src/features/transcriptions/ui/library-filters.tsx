import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

import { type Filters, sortNames, statusNames, withFilters } from './library-address.ts'

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

/** Search, status and order; the server answers all three. */
export function LibraryFilters({
  filters,
  onChange,
  isBusy,
}: {
  filters: Filters
  onChange: (filters: Filters) => void
  isBusy: boolean
}) {
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
    onChange({ ...filters, q })
  }
  return (
    <search className="mb-5 flex flex-wrap gap-3">
      <div className="relative w-full lg:w-[26.25rem]">
        <Search size={20} className="pointer-events-none absolute top-3 left-3 text-ink-2" />
        <input
          type="text"
          role="searchbox"
          aria-label="Search names and words"
          aria-busy={isBusy || undefined}
          placeholder="Search names and words"
          maxLength={200}
          value={wanted}
          onChange={(event) => {
            const { value } = event.target
            setWanted(value)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => ask(value.trim()), PAUSE_MS)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') ask(wanted.trim())
          }}
          className={classes(inputClasses, 'pr-12 pl-10')}
        />
        {wanted === '' ? null : (
          <IconButton
            label="Clear the search"
            className="absolute top-1 right-1 size-9!"
            onClick={() => {
              setWanted('')
              ask('')
            }}
          >
            <X />
          </IconButton>
        )}
      </div>
      <Select
        label="Status"
        hideLabel
        className="flex-1 sm:w-44 sm:flex-none"
        value={filters.status}
        onChange={(event) => {
          const chosen = statusNames.find(([status]) => status === event.target.value)
          if (chosen) onChange({ ...filters, status: chosen[0] })
        }}
      >
        {statusNames.map(([status, name]) => (
          <option key={status} value={status}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label="Order"
        hideLabel
        className="flex-1 sm:w-44 sm:flex-none"
        value={filters.sort}
        onChange={(event) => {
          const chosen = sortNames.find(([sort]) => sort === event.target.value)
          if (chosen) onChange({ ...filters, sort: chosen[0] })
        }}
      >
        {sortNames.map(([sort, name]) => (
          <option key={sort} value={sort}>
            {name}
          </option>
        ))}
      </Select>
    </search>
  )
}
