import { Copy, Pencil } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useRef } from 'react'

import { copyText } from '#web/copy-text.ts'
import { later } from '#web/later.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Timecode } from '#web/ui/timecode.tsx'

import { ChapterTitle } from './chapter-title.tsx'
import { chaptersAsText } from './chapters.ts'
import { type ChaptersState, useChapterNow } from './use-chapters.ts'

export const ChapterEditor = later(
  async () => (await import('./chapter-editor.tsx')).ChapterEditor,
  ({ chapters }) => <ChapterList chapters={chapters} isOut={noneOut} onGo={chapters.go} />,
)

/** By their beginnings: the chapters of which all is cut. */
export type ChaptersOut = ReadonlySet<number>
const noneOut: ChaptersOut = new Set()

/** The chapters beside the text, to be read, played and changed; nothing where there are none. */
export function ChapterRail({ chapters, isOut }: { chapters: ChaptersState; isOut: ChaptersOut }) {
  const headingId = useId()
  const box = useRef<HTMLElement>(null)
  const { list, isChanging, canEdit, edit, done, wanted, onFocused } = chapters
  const isFound = wanted === 'list' && list.length > 0 && !isChanging
  const focus = useEffectEvent(() => {
    box.current?.focus({ preventScroll: true })
    onFocused()
  })
  useEffect(() => {
    if (isFound) focus()
  }, [isFound])
  if (list.length === 0 && !isChanging) return null
  const heading = (
    <div className="mb-2 flex items-center gap-1">
      <h2 id={headingId} className="flex-1 font-display text-h3 font-semibold">
        Chapters
      </h2>
      {isChanging ? null : (
        // There when they are looked for, like the pencils of the text.
        <div className="-my-2 -mr-2 flex pointer-fine:opacity-0 pointer-fine:group-focus-within/chapters:opacity-100 pointer-fine:group-hover/chapters:opacity-100">
          {canEdit ? <ChangeButton onPress={() => edit(null)} /> : null}
          <CopyChapters list={list} />
        </div>
      )}
    </div>
  )
  if (isChanging)
    return (
      <section ref={box} aria-labelledby={headingId}>
        {heading}
        <ChapterEditor
          chapters={chapters}
          onDone={() => {
            done()
            // Beside a translation the rail is gone with the fields.
            focusLater(
              () =>
                box.current?.querySelector('button') ??
                document.querySelector<HTMLElement>('[data-chapter] button'),
            )
          }}
        />
      </section>
    )
  return (
    <nav
      ref={box}
      aria-labelledby={headingId}
      tabIndex={-1}
      className="group/chapters outline-none"
    >
      {heading}
      <ChapterList {...{ chapters, isOut }} onGo={chapters.go} />
    </nav>
  )
}

/** React draws first what is to have the focus. */
export const focusLater = (find: () => HTMLElement | null | undefined): void =>
  void requestAnimationFrame(() => find()?.focus({ preventScroll: true }))

export function ChangeButton({ className, onPress }: { className?: string; onPress: () => void }) {
  return (
    <IconButton label="Change chapters" {...(className ? { className } : {})} onClick={onPress}>
      <Pencil />
    </IconButton>
  )
}

export function CopyChapters({ list }: Pick<ChaptersState, 'list'>) {
  return (
    <IconButton
      label="Copy chapters"
      onClick={() => void copyText(chaptersAsText(list), 'Failed to copy chapters to clipboard')}
    >
      <Copy />
    </IconButton>
  )
}

/** Names and times, the one that is being said marked. */
export function ChapterList({
  chapters,
  isOut,
  onGo,
}: {
  chapters: ChaptersState
  isOut: ChaptersOut
  onGo: (start: number) => void
}) {
  const { list } = chapters
  const now = useChapterNow(chapters)
  return (
    <ol className="border-l border-rule">
      {list.map(({ title, start }, index) => (
        <li key={start}>
          <button
            type="button"
            aria-current={index === now ? 'true' : undefined}
            onClick={() => onGo(start)}
            className={classes(
              'relative flex min-h-[34px] w-full items-center gap-3 rounded-r-control py-1 pl-3.5 text-left text-small max-lg:text-ui hover:bg-paper-2 max-lg:min-h-12 pointer-coarse:min-h-11',
              'aria-[current]:font-semibold aria-[current]:before:absolute aria-[current]:before:inset-y-0 aria-[current]:before:-left-0.5 aria-[current]:before:w-[3px] aria-[current]:before:bg-playhead aria-[current]:before:forced-color-adjust-none',
            )}
          >
            <span dir="auto" className="min-w-0 flex-1 wrap-anywhere">
              <ChapterTitle isPlain title={title} isOut={isOut.has(start)} />
            </span>
            <Timecode s={start} className="text-code! font-normal text-ink-3" />
          </button>
        </li>
      ))}
    </ol>
  )
}
