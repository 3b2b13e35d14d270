import type { ReactNode } from 'react'

/** A text with a rail at its right; on narrow screens the text alone. */
export function WithRail({ rail, children }: { rail: ReactNode; children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_320px]">
      <div className="min-w-0 lg:pr-12">{children}</div>
      <aside
        aria-label="In short"
        className="hidden space-y-9 border-l border-rule py-8 pl-8 lg:block"
      >
        {rail}
      </aside>
    </div>
  )
}
