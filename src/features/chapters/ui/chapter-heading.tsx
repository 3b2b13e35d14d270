import { Pencil, Scissors, Undo2 } from 'lucide-react'

import type { Chapter } from '#features/transcriptions/contract.ts'
import { formatTime } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'
import { Timecode } from '#web/ui/timecode.tsx'

import { ChapterTitle } from './chapter-title.tsx'

const aside =
  'absolute left-0 grid size-9 shrink-0 place-items-center rounded-control bg-paper text-ink-2 hover:bg-paper-2 hover:text-ink pointer-coarse:static pointer-coarse:-my-2 pointer-coarse:-mr-2 pointer-coarse:size-11 pointer-fine:opacity-0 pointer-fine:group-focus-within/chapter:opacity-100 pointer-fine:group-hover/chapter:opacity-100 print:hidden'

/** The heading above the first turn of a chapter. */
export function ChapterHeading({
  chapter: { title, start },
  isFirst = false,
  onEdit,
  cut,
}: {
  chapter: Chapter
  /** Nothing stands above it. */
  isFirst?: boolean
  /** Null where it can only be read. */
  onEdit: ((start: number) => void) | null
  /** Whether all of it is cut, and what cuts it or puts it back; that is null where nothing can be cut. */
  cut: { isOut: boolean; toggle: ((start: number) => void) | null }
}) {
  const { isOut, toggle } = cut
  return (
    <li
      data-chapter
      className={classes(
        'group/chapter -mx-4 flex min-h-[30px] items-center gap-x-4 px-4 print:break-inside-avoid print:break-after-avoid',
        // What opens the text needs no heading where there is no room, and no space above it.
        isFirst
          ? 'max-lg:hidden in-data-noted:roomy:pr-90 in-data-wide:roomy:pr-[calc(100%-var(--second)+40px)] in-data-wide:in-data-noted:roomy:pr-[calc(100%-var(--second)+23.5rem)] print:flex'
          : 'mt-6.5',
      )}
    >
      <h2
        dir="auto"
        className="min-w-0 font-display text-h3 leading-[30px]! font-semibold wrap-anywhere"
      >
        <ChapterTitle title={title} isOut={isOut} />
      </h2>
      <Timecode s={start} className="shrink-0 text-fine! text-ink-3" />
      {/* The pencil lies on the line, so that it takes no room of it. */}
      <span className="relative flex h-[30px] min-w-4 flex-1 items-center pointer-coarse:min-w-max">
        <span aria-hidden="true" className="h-px flex-1 bg-rule" />
        {onEdit ? (
          <button
            type="button"
            aria-label={`Change the chapter at ${formatTime(start)}`}
            onClick={() => onEdit(start)}
            className={aside}
          >
            <Pencil size={18} />
          </button>
        ) : null}
        {toggle ? (
          <button
            type="button"
            aria-label={`${isOut ? 'Put back' : 'Cut'} the chapter at ${formatTime(start)}`}
            title={isOut ? 'Put the chapter back' : 'Cut the chapter'}
            onClick={() => toggle(start)}
            className={classes(aside, onEdit && 'left-9')}
          >
            {isOut ? <Undo2 size={18} /> : <Scissors size={18} />}
          </button>
        ) : null}
      </span>
    </li>
  )
}
