import type { ReactNode } from 'react'

import { BRAND } from '#shared/business.ts'
import { BrandHeader } from '#web/ui/brand-header.tsx'
import { Container } from '#web/ui/container.tsx'
import { AppFooter } from '#web/ui/site-footer.tsx'

/** A page of a link that shows nothing of the transcription. */
export function ClosedPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · ${BRAND}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <BrandHeader />
      <main id="main" tabIndex={-1} className="grid grow place-items-center py-16">
        <Container className="max-w-[43rem]! lg:px-6!">
          <Gap />
          <h1 className="mt-8 font-display text-h1 font-semibold">{title}</h1>
          {children}
        </Container>
      </main>
      <AppFooter />
    </div>
  )
}

/** A flat line with a gap, and the playhead in the gap. */
function Gap() {
  const dots = 'stroke-line [stroke-dasharray:0_12]'
  return (
    <svg
      viewBox="0 0 640 60"
      strokeLinecap="round"
      aria-hidden="true"
      className="keeps-colour block w-full overflow-visible"
    >
      <path d="M4 30H284" strokeWidth="4" className={dots} />
      <path d="M356 30H636" strokeWidth="4" className={dots} />
      <path d="M320 6V58" strokeWidth="3" className="stroke-playhead" />
      <circle cx="320" cy="6" r="5.5" className="fill-playhead" />
    </svg>
  )
}
