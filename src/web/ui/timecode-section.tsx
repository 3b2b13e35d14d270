import type { ReactNode } from 'react'

import { classes } from './classes.ts'
import { Container } from './container.tsx'
import { Timecode } from './timecode.tsx'

/** A section of a public page, which reads like a transcript: its time stands in the gutter. */
export function TimecodeSection({
  at,
  title,
  lead,
  tinted = false,
  gutter = 'timecode',
  children,
}: {
  /** Seconds; decoration, not read out. */
  at: number
  title: string
  lead?: ReactNode
  tinted?: boolean
  /** How wide the space at the left is: that of a timecode, or that of an index above it. */
  gutter?: 'timecode' | 'index'
  children: ReactNode
}) {
  return (
    <section className={classes('border-t border-rule', tinted && 'bg-paper-2')}>
      <Container
        className={classes(
          'gap-x-6 py-12 lg:grid lg:py-22',
          gutter === 'index' ? 'lg:grid-cols-[240px_1fr]' : 'lg:grid-cols-[120px_1fr]',
        )}
      >
        <div aria-hidden="true" className="max-lg:mb-3 lg:pt-[0.85rem]">
          <Timecode s={at} className="text-fine! text-playhead-text" />
        </div>
        <div>
          <h2 className="max-w-[20em] font-display text-h2 font-semibold">{title}</h2>
          {lead ? <p className="mt-3 max-w-[60ch] text-lead text-ink-2">{lead}</p> : null}
          {children}
        </div>
      </Container>
    </section>
  )
}
