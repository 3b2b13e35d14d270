import { Copy, Download, Keyboard } from 'lucide-react'
import type { RefObject } from 'react'

import { copyPart } from '#features/exports/ui/share.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import { DropdownMenu, MenuItem, type MenuProps, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

import { type MenuAct, type MenuDoors, useMenuActs } from './result-menu.tsx'
import type { Result } from './result.ts'

/** The menu of a result, with the acts of its head that have no room on a narrow screen. */
export function ResultMore({
  result,
  part,
  isExport,
  from,
  onNewFile,
  openBeside,
  ...menu
}: MenuProps &
  MenuDoors & {
    result: Result
    /** The text in view; null where there is none. */
    part: Part | null
    /** The tab has its own button for the next file. */
    isExport: boolean
    /** The button of the menu. */
    from: RefObject<HTMLElement | null>
  }) {
  const { first, own, cut, last } = useMenuActs(result, { onNewFile, openBeside })
  const items = (acts: MenuAct[]) =>
    acts.map(({ label, icon, hint, more, isDanger = false, run }) => (
      <MenuItem key={label} icon={icon} danger={isDanger} onSelect={() => run(from.current)}>
        <span className="flex-1">
          {label}
          {more ? <span className="block text-small text-ink-2">{more}</span> : null}
        </span>
        {hint ? <span className="text-small text-ink-3 tabular-nums">{hint}</span> : null}
      </MenuItem>
    ))
  return (
    <DropdownMenu {...menu}>
      <div className="lg:hidden">
        {isExport ? null : items(first)}
        {part === null ? null : (
          <>
            <MenuItem icon={<Copy />} onSelect={() => copyPart(part, result.text, result.cuts.now)}>
              Copy
            </MenuItem>
            <MenuItem
              icon={<Download />}
              onSelect={() => void downloadResult(part, result.text.transcription)}
            >
              Download
            </MenuItem>
          </>
        )}
        {isExport && part === null ? null : <MenuSeparator />}
      </div>
      {items(own)}
      <MenuItem
        icon={<Keyboard />}
        className="pointer-coarse:hidden"
        onSelect={() => result.view.open({ kind: 'keys' }, from.current)}
      >
        Keyboard shortcuts
      </MenuItem>
      {cut.length > 0 ? <MenuSeparator /> : null}
      {items(cut)}
      <MenuSeparator />
      {items(last)}
    </DropdownMenu>
  )
}
