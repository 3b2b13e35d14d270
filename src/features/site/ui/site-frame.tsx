import type { ReactNode } from 'react'

// oxlint-disable-next-line import/default -- made by the plugin in vite.config.ts
import visitorScript from '#web/inline/visitor.ts?script'
import { InlineScript } from '#web/ui/inline-script.tsx'
import { BottomBar } from '#web/ui/main-nav.tsx'
import { SiteFooter } from '#web/ui/site-footer.tsx'
import { SiteHeader } from '#web/ui/site-header.tsx'
import { VisitorHeader } from '#web/ui/site-visitor.tsx'

/** Header, main and footer of the public pages. */
export function SiteFrame({ current, children }: { current: string; children: ReactNode }) {
  return (
    <>
      <SiteHeader current={current} />
      <VisitorHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <div className="sticky bottom-0 z-20 hidden signed-in:block">
        <BottomBar />
      </div>
      <InlineScript code={visitorScript} />
    </>
  )
}
