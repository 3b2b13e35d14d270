import { Download, Tag, Trash2, X } from 'lucide-react'
import { useEffect } from 'react'

import { formatLength } from '#shared/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'

import type { Chosen } from './choice.ts'

/** The acts on all chosen recordings, at the bottom, where a result has its player. */
export function ChoiceBar({
  chosen,
  onTag,
  onExport,
  onDelete,
  onClear,
}: {
  chosen: Chosen
  onTag: (from: HTMLElement) => void
  onExport: (from: HTMLElement) => void
  onDelete: (from: HTMLElement) => void
  onClear: () => void
}) {
  useEffect(() => {
    // The footer stays above it.
    const { style } = document.documentElement
    style.setProperty('--player-height', '72px')
    return () => {
      style.removeProperty('--player-height')
    }
  }, [])
  const seconds = [...chosen.values()].reduce((sum, { duration }) => sum + duration, 0)
  const label = 'max-sm:sr-only'
  const square = 'max-sm:w-11 max-sm:px-0!'
  return (
    <section
      data-foot
      aria-label="Chosen recordings"
      className="fixed inset-x-0 bottom-0 z-20 animate-rise border-t border-rule bg-card pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      <Container className="flex h-16 items-center gap-2 sm:h-18 sm:gap-3">
        <p className="mr-auto min-w-0 text-ui tabular-nums">
          <strong className="font-[650]">{chosen.size.toLocaleString('en-US')} chosen</strong>{' '}
          <span className="ml-2 text-small text-ink-2 max-sm:hidden">
            {formatLength(seconds)} in all
          </span>
        </p>
        <Button
          className={square}
          size="small"
          icon={<Tag />}
          onClick={(event) => onTag(event.currentTarget)}
        >
          <span className={label}>Tag</span>
        </Button>
        <Button
          className={square}
          size="small"
          icon={<Download />}
          onClick={(event) => onExport(event.currentTarget)}
        >
          <span className={label}>Export</span>
        </Button>
        <Button
          className={square}
          size="small"
          variant="danger-outline"
          icon={<Trash2 />}
          onClick={(event) => onDelete(event.currentTarget)}
        >
          <span className={label}>Delete</span>
        </Button>
        <IconButton label="Clear the choice" onClick={onClear}>
          <X />
        </IconButton>
      </Container>
    </section>
  )
}
