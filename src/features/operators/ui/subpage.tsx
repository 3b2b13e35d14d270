import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'

/** A page below Operations, and the way back. */
export function Subpage({
  title,
  back = <WayBack to={adminPaths.admin}>Operations</WayBack>,
  children,
}: {
  title: string
  back?: ReactNode
  children: ReactNode
}) {
  return (
    <Container className="pt-4 pb-16">
      <title>{`${title} · Operations · ${BRAND}`}</title>
      {back}
      {children}
    </Container>
  )
}

export function WayBack({
  to,
  className = 'flex',
  children,
}: {
  to: string
  className?: string
  children: ReactNode
}) {
  return (
    <Link
      to={to}
      className={classes(
        '-ml-1.5 min-h-7 w-fit items-center gap-1 text-small text-ink-2 hover:text-ink pointer-coarse:min-h-11',
        className,
      )}
    >
      <ChevronLeft size={18} aria-hidden="true" />
      {children}
    </Link>
  )
}
