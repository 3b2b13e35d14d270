import { Ellipsis, Plus } from 'lucide-react'
import { type ReactNode, useRef } from 'react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import type { Tags } from '../contract.ts'
import { NO_TAG } from './library-address.ts'
import { TagDot } from './library-row.tsx'
import { isSameTag } from './tag-queries.ts'

/** The tags as filters. One is on at a time; with Ctrl, ⌘ or a long press a second one joins it. */
export function TagRow({
  tags: { tags, all, none },
  chosen,
  onChoose,
  edits,
}: {
  tags: Tags
  /** Names of the tags that are on. */
  chosen: readonly string[]
  onChoose: (names: string[]) => void
  /** The buttons that change the tags themselves; null while something is searched for. */
  edits: { onNew: (from: HTMLElement) => void; onEdit: (from: HTMLElement) => void } | null
}) {
  const isOn = (name: string) => chosen.some((one) => isSameTag(one, name))
  const press = (name: string, joins: boolean) => {
    if (!joins) onChoose(isOn(name) && chosen.length === 1 ? [] : [name])
    else if (isOn(name)) onChoose(chosen.filter((one) => !isSameTag(one, name)))
    // "No tag" cannot be combined with a tag.
    else onChoose(name === NO_TAG ? [name] : [...chosen.filter((one) => one !== NO_TAG), name])
  }
  return (
    <div
      role="group"
      aria-label="Tags"
      className="-m-1 flex gap-2 p-1 max-lg:-mr-4 max-lg:overflow-x-auto max-lg:pr-4 sm:max-lg:-mr-6 lg:max-h-[8.25rem] lg:flex-wrap lg:overflow-y-auto"
    >
      <FilterTag isOn={chosen.length === 0} count={all} onPress={() => onChoose([])}>
        All
      </FilterTag>
      {tags.map(({ id, name, colour, count }) => (
        <FilterTag key={id} isOn={isOn(name)} count={count} onPress={(joins) => press(name, joins)}>
          <TagDot colour={colour} />
          <span dir="auto" className="max-w-[16rem] truncate">
            {name}
          </span>
        </FilterTag>
      ))}
      {tags.length > 0 ? (
        <FilterTag isOn={isOn(NO_TAG)} count={none} onPress={(joins) => press(NO_TAG, joins)}>
          No tag
        </FilterTag>
      ) : null}
      {edits ? (
        <>
          <Button
            variant="quiet"
            size="small"
            icon={<Plus />}
            onClick={(event) => edits.onNew(event.currentTarget)}
          >
            New tag
          </Button>
          {tags.length > 0 ? (
            <IconButton label="Edit tags" onClick={(event) => edits.onEdit(event.currentTarget)}>
              <Ellipsis />
            </IconButton>
          ) : null}
        </>
      ) : null}
    </div>
  )
}

const LONG_PRESS_MS = 500

/** A filter that is on or off: `<FilterTag isOn count={14} onPress>Field Notes</FilterTag>`. */
function FilterTag({
  isOn,
  count,
  onPress,
  children,
}: {
  isOn: boolean
  count: number
  /** `joins`: it was pressed to come on beside those that are on. */
  onPress: (joins: boolean) => void
  children: ReactNode
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasLong = useRef(false)
  const stop = () => clearTimeout(timer.current)
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onPointerDown={({ pointerType }) => {
        wasLong.current = false
        if (pointerType === 'mouse') return
        timer.current = setTimeout(() => {
          wasLong.current = true
          onPress(true)
        }, LONG_PRESS_MS)
      }}
      onPointerUp={stop}
      onPointerCancel={stop}
      onPointerLeave={stop}
      onContextMenu={(event) => {
        // A long press would open the browser's own menu.
        if (wasLong.current) event.preventDefault()
      }}
      onClick={(event) => {
        // The press has had its effect already, before the finger was lifted.
        if (wasLong.current) wasLong.current = false
        else onPress(event.ctrlKey || event.metaKey)
      }}
      className={classes(
        'flex h-11 shrink-0 items-center gap-2 rounded-control border px-3 text-small leading-none transition-colors select-none sm:h-9 pointer-coarse:h-11',
        isOn
          ? 'border-primary bg-primary font-semibold text-primary-fg'
          : 'border-line text-ink hover:bg-paper-2',
      )}
    >
      {children}{' '}
      <span className={classes('tabular-nums', !isOn && 'text-ink-2')}>
        {count.toLocaleString('en-US')}
      </span>
    </button>
  )
}
