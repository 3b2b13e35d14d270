import { Plus } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'

import { secondsIn } from '#features/text/ui/turn-times.ts'
import type { Chapter } from '#features/transcriptions/contract.ts'
import { CHAPTERS_APART, CHAPTERS_FROM, LONGEST_CHAPTER, MOST_CHAPTERS } from '#shared/business.ts'
import { formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { inputClasses } from '#web/ui/field.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { reasonAgainst } from './chapters.ts'
import type { ChaptersState } from './use-chapters.ts'

const FULL = `There are ${MOST_CHAPTERS} chapters, and no room for another.`

/** The chapters as fields. Each change is saved when its field is left, or with Enter. */
export function ChapterEditor({
  chapters,
  onDone,
}: {
  chapters: ChaptersState
  onDone: () => void
}) {
  const { list, by, duration, player, here, addAt, wanted, onFocused, find } = chapters
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useWantedFocus(box, { wanted, list, onFocused })

  const addHere = () => {
    leaveField()
    const last = list.at(-1)
    const seconds = here() ?? (last ? last.start + CHAPTERS_APART : 0)
    const reason =
      list.length >= MOST_CHAPTERS ? FULL : reasonAgainst(seconds, { chapters: list, duration })
    setProblem(reason)
    if (reason) box.current?.focus({ preventScroll: true })
    else addAt(seconds)
  }
  const leave = () => {
    leaveField()
    // Waits a moment, in which React draws why the field could not be saved.
    setTimeout(() => {
      const wrong = box.current?.querySelector<HTMLElement>('[aria-invalid]')
      if (wrong) wrong.focus()
      else onDone()
    })
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it, wherever the focus is in it
    <div
      ref={box}
      data-fields
      role="group"
      aria-label="Change chapters"
      tabIndex={-1}
      className="outline-none"
      onKeyDown={(event) => {
        // A field has its own use for it while something is typed.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        leave()
      }}
    >
      <div className="sticky top-0 z-1 -mx-1 bg-paper px-1 pb-3 max-lg:bg-card">
        <div className="flex flex-wrap gap-1.5 *:px-2.5!">
          <Button size="small" icon={<Plus />} onClick={addHere}>
            {player ? 'Add here' : 'Add'}
          </Button>
          {duration >= CHAPTERS_FROM ? <FindAgain chapters={chapters} /> : null}
          <Button size="small" className="ml-auto" onClick={leave}>
            Done
          </Button>
        </div>
        {problem ? <InlineError className="mt-3">{problem}</InlineError> : null}
        {find.problem ? <InlineError className="mt-3">{find.problem}</InlineError> : null}
      </div>
      <ol>
        {list.map((chapter, index) => (
          <Row
            key={index} // oxlint-disable-line react/no-array-index-key -- a row that is moved keeps the focus
            number={index + 1}
            chapter={chapter}
            chapters={chapters}
            onLeave={leave}
          />
        ))}
      </ol>
      <p className="mt-3 text-small text-ink-2">
        {by === null ? null : found[by]} Exports follow what is changed here.
      </p>
    </div>
  )
}

const found = {
  model: 'Found from the talk.',
  words: 'Found from the talk. Titles are phrases of the talk.',
  own: '',
}

/** Leaves the field that has the focus, which saves it. */
export function leaveField(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement) activeElement.blur()
}

/** The name that is asked for has the focus; all of them, where what had it is gone. */
function useWantedFocus(
  box: React.RefObject<HTMLElement | null>,
  { wanted, list, onFocused }: Pick<ChaptersState, 'wanted' | 'list' | 'onFocused'>,
): void {
  const tell = useEffectEvent(onFocused)
  useEffect(() => {
    const place = list.findIndex(({ start }) => start === wanted)
    const field = box.current?.querySelectorAll<HTMLInputElement>('[data-name]')[place]
    if (!field) return
    field.focus()
    field.select()
    tell()
  }, [box, wanted, list])
  const rows = useRef(-1)
  useEffect(() => {
    const isOther = list.length !== rows.current
    rows.current = list.length
    if (isOther && document.activeElement === document.body)
      box.current?.focus({ preventScroll: true })
  }, [box, list.length])
}

function Row({
  number,
  chapter,
  chapters: { list, duration, player, rename, move, remove },
  onLeave,
}: {
  number: number
  chapter: Chapter
  chapters: ChaptersState
  onLeave: () => void
}) {
  const { title, start } = chapter
  const problemId = useId()
  const others = list.filter((each) => each !== chapter)
  const reasonAt = (seconds: number) => reasonAgainst(seconds, { chapters: others, duration })
  const name = useSavedText({
    shown: title,
    isSame: (text) => text === title,
    reason: (text) => (text === '' ? 'Write a name.' : null),
    save: (text) => rename(start, text),
    onLeave,
  })
  const time = useSavedText({
    shown: formatTime(start),
    isSame: (text) => text === formatTime(start) || secondsIn(text) === start,
    reason: (text) => {
      const seconds = secondsIn(text)
      return seconds === null ? 'Write a time as 4:52.' : reasonAt(seconds)
    },
    save: (text) => move(start, secondsIn(text) ?? start),
    onLeave,
  })
  const moveHere = (seconds: number) => {
    const reason = reasonAt(seconds)
    time.drop(reason)
    if (!reason) move(start, seconds)
  }
  const problem = name.problem ?? time.problem
  const described = problem ? problemId : undefined
  return (
    <li className="group/row border-b border-rule py-3 first:pt-0">
      <input
        data-name
        aria-label={`Name of chapter ${number}`}
        aria-describedby={described}
        dir="auto"
        maxLength={LONGEST_CHAPTER}
        autoComplete="off"
        {...name.field}
        className={classes(inputClasses, fieldClasses)}
      />
      <div className="mt-2 flex items-center gap-1">
        <input
          aria-label={`Beginning of chapter ${number}`}
          aria-describedby={described}
          inputMode="decimal"
          autoComplete="off"
          {...time.field}
          className={classes(inputClasses, fieldClasses, 'w-24! tabular-nums')}
        />
        {player ? (
          <Button
            size="small"
            variant="quiet"
            aria-label={`At playhead: beginning of chapter ${number}`}
            className="px-2.5! pointer-fine:opacity-0 pointer-fine:group-focus-within/row:opacity-100 pointer-fine:group-hover/row:opacity-100"
            onMouseDown={keepFocus}
            onClick={({ currentTarget }) => {
              leaveOtherRow(currentTarget)
              moveHere(player.now())
            }}
          >
            At playhead
          </Button>
        ) : null}
        <Button
          size="small"
          variant="quiet"
          aria-label={`Delete ${title}`}
          className="ml-auto px-2.5!"
          onMouseDown={keepFocus}
          onClick={({ currentTarget }) => {
            leaveOtherRow(currentTarget)
            name.drop()
            time.drop()
            remove(chapter)
          }}
        >
          Delete
        </Button>
      </div>
      {problem ? (
        <InlineError comesIntoSight id={described} className="mt-2 scroll-mb-5">
          {problem}
        </InlineError>
      ) : null}
    </li>
  )
}

/** A field with the focus is not under the buttons at the top. */
const fieldClasses = 'scroll-mt-16 lg:pointer-fine:h-10!'

/** Keeps the field from being saved by a press of a button that puts another value in its place. */
const keepFocus = (event: React.MouseEvent) => event.preventDefault()
const leaveOtherRow = (pressed: Element): void => {
  if (!pressed.closest('li')?.contains(document.activeElement)) leaveField()
}

/** A text that is saved when its field is left, and with Enter; Escape brings back what there was. */
function useSavedText({
  shown,
  isSame,
  reason,
  save,
  onLeave,
}: {
  shown: string
  isSame: (text: string) => boolean
  /** Why it cannot be saved; null where it can. */
  reason: (text: string) => string | null
  save: (text: string) => void
  /** Escape, where nothing was typed. */
  onLeave: () => void
}) {
  const ref = useRef<HTMLInputElement>(null)
  /** Something was typed since the last was saved. It stays, whatever becomes of that. */
  const isTyped = useRef(false)
  const [problem, setProblem] = useState<string | null>(null)
  useLayoutEffect(() => {
    if (ref.current && !isTyped.current) ref.current.value = shown
  }, [shown])
  const drop = (reason: string | null = null) => {
    isTyped.current = false
    if (ref.current) ref.current.value = shown
    setProblem(reason)
  }
  const commit = () => {
    if (!isTyped.current) return
    const text = ref.current?.value.trim() ?? ''
    if (isSame(text)) return drop()
    const why = reason(text)
    setProblem(why)
    if (why) return
    isTyped.current = false
    save(text)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method are not heard here (see web/input-method.ts).
    if (event.key === 'Enter') {
      event.preventDefault()
      commit()
    }
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (isTyped.current) drop()
    else onLeave()
  }
  return {
    problem,
    drop,
    field: {
      ref,
      // Said, because a sheet lets the focus move to fields of text only (see side-panel.tsx).
      type: 'text',
      'aria-invalid': problem ? (true as const) : undefined,
      onInput: () => {
        isTyped.current = true
        setProblem(null)
      },
      onBlur: commit,
      onKeyDown,
    },
  }
}

/** Looks for chapters again. What did not come from there would be lost, so that it is asked first. */
function FindAgain({ chapters: { list, by, find } }: { chapters: ChaptersState }) {
  const [isAsking, setAsking] = useState(false)
  const start = () => {
    setAsking(false)
    find.start()
  }
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        pending={find.isPending}
        onClick={() => (by === 'words' || list.length === 0 ? start() : setAsking(true))}
      >
        Find again
      </Button>
      <ConfirmAlert
        open={isAsking}
        title="Find chapters again?"
        description="What is found in the text as it is now takes the place of these chapters, with their names."
        keep="Keep these"
        verb="Find again"
        onKeep={() => setAsking(false)}
        onAct={start}
      />
    </>
  )
}
