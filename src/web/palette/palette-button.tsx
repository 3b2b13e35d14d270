import { Search } from 'lucide-react'
import { useContext } from 'react'

import { Button } from '#web/ui/button.tsx'

import { PaletteContext, paletteKey } from './palette.ts'

/** Opens the palette for people who do not know its key. Narrow screens show its icon alone. */
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
      icon={<Search />}
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
