import { Pencil } from 'lucide-react'

import type { Chapter } from '#features/transcriptions/contract.ts'
import { formatTime } from '#shared/format.ts'
import { Timecode } from '#web/ui/timecode.tsx'

/** The heading above the first turn of a chapter. */
export function ChapterHeading({
  chapter: { title, start },
  onEdit,
}: {
  chapter: Chapter
  /** Null where it can only be read. */
  onEdit: ((start: number) => void) | null
}) {
  return (
    <li
      data-chapter
      className="group/chapter -mx-4 flex items-center gap-x-4 px-4 pt-9 pb-3 first:pt-2 print:break-inside-avoid print:break-after-avoid"
    >
      <h2 dir="auto" className="min-w-0 font-display text-h3 font-semibold wrap-anywhere">
        {title}
      </h2>
      <Timecode s={start} className="shrink-0 text-fine! text-ink-3" />
      <span aria-hidden="true" className="h-px min-w-4 flex-1 bg-rule" />
      {onEdit ? (
        <button
          type="button"
          aria-label={`Change the chapter at ${formatTime(start)}`}
          onClick={() => onEdit(start)}
          className="-my-2 -mr-2 grid size-9 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-paper-2 hover:text-ink pointer-coarse:size-11 pointer-fine:opacity-0 pointer-fine:group-focus-within/chapter:opacity-100 pointer-fine:group-hover/chapter:opacity-100 print:hidden"
        >
          <Pencil size={18} />
        </button>
      ) : null}
    </li>
  )
}
