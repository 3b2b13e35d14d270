import type { ReactNode } from 'react'

import { BRAND } from '#shared/business.ts'

/** The head of an account page: its title in the window too. */
export function AccountHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header>
      <title>{`${title} · ${BRAND}`}</title>
      <h1 className="font-display text-app font-semibold">{title}</h1>
      {children ? <p className="mt-2 max-w-[66ch] text-body text-ink-2">{children}</p> : null}
    </header>
  )
}

/** A ruled part of an account page: a heading, a sentence about it, and its actions. */
export function Section({
  title,
  lead,
  action,
  children,
}: {
  title: ReactNode
  lead?: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className="mt-10 border-t border-rule pt-6 first-of-type:mt-8">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h2 className="font-display text-section font-semibold">{title}</h2>
        {action}
      </div>
      {lead ? <p className="mt-2 max-w-[66ch] text-body text-ink-2">{lead}</p> : null}
      {children}
    </section>
  )
}
