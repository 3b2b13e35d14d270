import {
  AlignLeft,
  Braces,
  Captions,
  FileText,
  Film,
  Hash,
  ListOrdered,
  type LucideIcon,
  Music,
  Quote,
  Scissors,
} from 'lucide-react'
import { useId } from 'react'

import { showInRow } from '#web/ui/tabs.tsx'

import { type MenuRow, type RowName, endingsOf } from './menu.ts'

const icons: Record<RowName, LucideIcon> = {
  Word: FileText,
  PDF: FileText,
  Text: AlignLeft,
  Captions,
  Markdown: Hash,
  Data: Braces,
  Research: Quote,
  Chapters: ListOrdered,
  Sound: Music,
  Film,
  Cut: Scissors,
}

/** The formats to choose one of: a list, and on narrow screens a row that scrolls. */
export function FormatList({
  menu,
  chosen,
  originalName,
  onChoose,
}: {
  menu: readonly MenuRow[]
  chosen: MenuRow
  originalName: string
  onChoose: (row: MenuRow) => void
}) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label="Format"
      // The ring of a chosen one needs room in a row that scrolls.
      className="fades-where-it-goes-on -mx-4 flex gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] sm:-mx-6 sm:px-6 lg:mx-0 lg:-ml-3 lg:block lg:animate-none! lg:overflow-visible lg:p-0"
    >
      {menu.map((row) => {
        const Icon = icons[row.name]
        return (
          <label
            key={row.name}
            ref={row.name === chosen.name ? showInRow : undefined}
            className="relative flex h-11 shrink-0 cursor-pointer items-center gap-3 rounded-control border border-line px-3.5 text-ui whitespace-nowrap transition-colors hover:bg-paper-2 has-checked:font-semibold has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-lg:has-checked:border-transparent max-lg:has-checked:bg-primary max-lg:has-checked:text-primary-fg lg:h-[46px] lg:border-transparent lg:px-3 lg:has-checked:bg-paper-2 forced-colors:has-checked:outline-2"
          >
            <input
              type="radio"
              name={name}
              aria-label={row.name}
              checked={row.name === chosen.name}
              onChange={() => onChoose(row)}
              className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            />
            <Icon size={20} className="hidden shrink-0 text-ink-2 lg:block" />
            {row.name}
            <span
              aria-hidden="true"
              className="ml-auto hidden truncate text-small font-normal text-ink-2 lg:block"
            >
              {endingsOf(row, originalName)}
            </span>
          </label>
        )
      })}
    </div>
  )
}
