import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

import { useMedia } from '#web/use-media.ts'

import { classes } from './classes.ts'
import { Dialog } from './dialog.tsx'

/**
 * Something small that is done beside what was pressed. In a window narrower than `wide`, and where what
 * was pressed is gone, as an entry of a menu is, it is a dialog.
 */
export function Popover({
  title,
  anchor,
  wide = '(width >= 40rem)',
  align = 'end',
  className,
  onClose,
  focusAfter,
  children,
}: {
  title: string
  anchor: Element | null
  wide?: string
  align?: 'start' | 'end'
  className?: string
  onClose: () => void
  focusAfter: () => void
  children: ReactNode
}) {
  const isWide = useMedia(wide)
  const onOpenChange = (open: boolean) => {
    if (!open) onClose()
  }
  if (!isWide || anchor === null)
    return (
      <Dialog open onOpenChange={onOpenChange} focusAfter={focusAfter} title={title}>
        <div className="mt-4">{children}</div>
      </Dialog>
    )
  return (
    <Radix.Root open onOpenChange={onOpenChange}>
      <Radix.Anchor virtualRef={{ current: anchor }} />
      <Radix.Content
        align={align}
        sideOffset={8}
        collisionPadding={16}
        aria-label={title}
        // A button that has opened it closes it by itself.
        onPointerDownOutside={(event) => {
          if ((event.target as Element).closest('button') === anchor) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          focusAfter()
        }}
        className={classes(
          'z-30 max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto rounded-panel border border-rule bg-card p-4 text-ui text-ink shadow-float data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out',
          className,
        )}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
