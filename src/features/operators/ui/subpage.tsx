import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { Container } from '#web/ui/container.tsx'

/** A page below Operations, and the way back. */
export function Subpage({
  title,
  crumb = title,
  children,
}: {
  title: string
  crumb?: string
  children: ReactNode
}) {
  return (
    <Container className="pt-8 pb-16">
      <title>{`${title} · Operations · ${BRAND}`}</title>
      <nav aria-label="Breadcrumb" className="text-small wrap-anywhere text-ink-2">
        <Link to={adminPaths.admin} className="hover:text-ink hover:underline">
          Operations
        </Link>{' '}
        / {crumb}
      </nav>
      {children}
    </Container>
  )
}
