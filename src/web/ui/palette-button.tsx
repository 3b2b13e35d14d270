import { Search } from 'lucide-react'
import { useContext } from 'react'

import { PaletteContext, paletteKey } from '#web/palette.ts'

import { Button } from './button.tsx'

/** The way to the palette for who does not know its key. On narrow screens its picture alone. */
export function PaletteButton() {
  const open = useContext(PaletteContext)?.open
  if (!open) return null
  return (
    <Button
      variant="quiet"
      size="small"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="max-lg:w-11 max-lg:px-0!"
      icon={<Search aria-hidden="true" strokeWidth={1.75} />}
      onClick={(event) => open(event.currentTarget)}
    >
      <span className="max-lg:sr-only">
        Search<span className="sr-only"> and commands</span>
      </span>
      <kbd
        aria-hidden="true"
        className="rounded-mark border border-rule px-1.5 py-1 font-mono text-code font-normal max-lg:hidden"
      >
        {paletteKey()}
      </kbd>
    </Button>
  )
}
