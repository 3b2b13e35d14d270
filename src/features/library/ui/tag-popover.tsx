import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'

import { inRecordings } from '#features/transcriptions/ui/queries.ts'
import { LONGEST_TAG } from '#shared/business.ts'
import { fold } from '#shared/fold.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Popover } from '#web/ui/popover.tsx'

import { TagDot } from './library-row.tsx'
import { type Tagged, isSameTag, tagState, tagsQuery, useTagMany, whyNot } from './tag-queries.ts'

interface Props {
  /** The recordings to tag. */
  ids: readonly string[]
  /** Rows that are loaded, with the tags they have. */
  rows: readonly Tagged[]
  /** The button that was pressed; null where it is gone, as an entry of a menu is. */
  anchor: Element | null
  onClose: () => void
  focusAfter: () => void
}

/** Tags one recording or many, beside what was pressed. */
export function TagPopover({ anchor, onClose, focusAfter, ...chooser }: Props) {
  return (
    <Popover title={`Tag ${inRecordings(chooser.ids.length)}`} {...{ anchor, onClose, focusAfter }}>
      <TagChooser {...chooser} />
    </Popover>
  )
}

function TagChooser({ ids, rows }: Pick<Props, 'ids' | 'rows'>) {
  const { data, error, refetch, isFetching } = useQuery(tagsQuery)
  const [typed, setTyped] = useState('')
  const change = useTagMany()
  const wanted = typed.trim().replace(/\s+/g, ' ')
  const tags = data?.tags ?? []
  const shown = tags.filter(({ name }) => fold(name).text.includes(fold(wanted).text))
  const isNew = wanted !== '' && !tags.some(({ name }) => isSameTag(name, wanted))
  const problem = isNew ? whyNot(wanted, tags.length) : null
  const chosen = new Set(ids)
  const add = (name: string) => {
    change.mutate({ ids, name, isOn: true })
    setTyped('')
  }
  return (
    <>
      <div className="relative">
        <Search size={20} className="pointer-events-none absolute top-3 left-3 text-ink-2" />
        <input
          type="text"
          aria-label="Find or name a tag"
          placeholder="Find or name a tag"
          autoComplete="off"
          maxLength={2 * LONGEST_TAG}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || wanted === '') return
            event.preventDefault()
            const [only] = shown
            if (isNew && shown.length === 0) {
              if (problem === null) add(wanted)
            } else if (only && (shown.length === 1 || isSameTag(only.name, wanted))) add(only.name)
          }}
          className={classes(inputClasses, 'pl-10')}
        />
      </div>
      {error && !data ? (
        <NotLoaded className="mt-3" isAsking={isFetching} askAgain={refetch}>
          Your tags could not be loaded.
        </NotLoaded>
      ) : null}
      {data && tags.length === 0 && wanted === '' ? (
        <p className="mt-3 text-small text-ink-2">
          You have no tags yet. Write a name to make the first.
        </p>
      ) : null}
      {shown.length > 0 ? (
        <ul aria-label="Tags" className="mt-2 max-h-64 overflow-y-auto">
          {shown.map((tag) => {
            const state = tagState(tag, { chosen, loaded: rows })
            return (
              <li key={tag.id}>
                <Checkbox
                  className="w-full"
                  checked={state === 'all'}
                  isMixed={state === 'some'}
                  onChange={() => change.mutate({ ids, name: tag.name, isOn: state !== 'all' })}
                >
                  <span className="flex items-center gap-2">
                    <TagDot colour={tag.colour} />
                    <span dir="auto" className="wrap-anywhere">
                      {tag.name}
                    </span>
                  </span>
                </Checkbox>
              </li>
            )
          })}
        </ul>
      ) : null}
      {isNew ? (
        <div className="mt-2">
          {problem === null ? (
            <Button
              variant="quiet"
              size="small"
              icon={<Plus />}
              className="label-wraps! justify-start! text-left"
              onClick={() => add(wanted)}
            >
              <span className="wrap-anywhere">New tag “{wanted}”</span>
            </Button>
          ) : (
            <InlineError>{problem}</InlineError>
          )}
        </div>
      ) : null}
    </>
  )
}
