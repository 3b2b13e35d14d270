import { Popover as Radix } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { useState } from 'react'

import { classes } from './classes.ts'

/**
 * `<Popover open? onOpenChange? trigger={<Button>…</Button>} label="Rename speaker">…</Popover>`; in
 * place of a trigger an `anchor`, which was pressed and gets the focus back, for one popover that
 * serves many buttons.
 */
export function Popover({
  open,
  onOpenChange,
  trigger,
  anchor,
  label,
  align = 'start',
  className,
  children,
}: {
  open?: boolean
  onOpenChange?: (open: boolean) => void
  trigger?: ReactNode
  anchor?: RefObject<HTMLElement | null>
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
  children: ReactNode
}) {
  // Beside its trigger in the document, so that it belongs to the trigger's landmark.
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <Radix.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      {anchor ? <Radix.Anchor virtualRef={anchor} /> : null}
      <div ref={setPlace} className="contents" />
      <Radix.Portal container={place}>
        <Radix.Content
          align={align}
          sideOffset={8}
          collisionPadding={16}
          aria-label={label}
          {...(anchor
            ? {
                onCloseAutoFocus: (event: Event) => {
                  event.preventDefault()
                  anchor.current?.focus()
                },
              }
            : {})}
          className={classes(
            'z-30 w-72 rounded-panel border border-rule bg-card p-4 text-ui text-ink shadow-float',
            'data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
