import { type ReactNode, useContext } from 'react'

import { paths } from '#web/paths.ts'

import { PaletteContext } from './palette.ts'

/** Opens the palette for people who do not know its key. Where there is none, it leads to the library. */
export function PaletteButton({
  className,
  label = 'Search',
  children,
}: {
  className: string
  label?: ReactNode
  /** Its icon. */
  children: ReactNode
}) {
  const open = useContext(PaletteContext)?.open
  if (!open)
    return (
      <a href={paths.library} className={className}>
        {children}
        {label}
      </a>
    )
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className={className}
      onClick={(event) => open(event.currentTarget)}
    >
      {children}
      <span>
        {label}
        <span className="sr-only"> and commands</span>
      </span>
    </button>
  )
}
