import { ArrowUpRight } from 'lucide-react'

import { authPath } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'

import { useAuth } from './auth.tsx'

/** In a tab of its own, so that nothing on this page is lost. */
export function SignInAgain() {
  return (
    <ButtonLink
      href={authPath()}
      target="_blank"
      size="small"
      className="bg-card!"
      iconAfter={<ArrowUpRight className="size-4!" />}
    >
      Sign in<span className="sr-only"> (opens in a new tab)</span>
    </ButtonLink>
  )
}

/**
 * What is read stays where it is when something comes above the page. A browser sees to that by itself,
 * but not at the very top.
 */
function holdStill(strip: HTMLElement | null): void {
  if (strip && window.scrollY === 0)
    window.scrollTo({ top: strip.offsetHeight, behavior: 'instant' })
}

/** Said above the page on which somebody's session has ended, until they are signed in again. */
export function SessionEnded() {
  if (useAuth().state !== 'ended') return null
  return (
    <div
      ref={holdStill}
      role="alert"
      className="sticky top-0 z-30 bg-warn-tint text-warn print:hidden"
    >
      <Container className="flex flex-wrap items-center gap-x-6 gap-y-2 py-2.5">
        <p className="text-small font-medium">
          <strong className="font-[650]">Your session has ended.</strong> What is on this page is
          kept. Sign in, then come back to this tab.
        </p>
        <SignInAgain />
      </Container>
    </div>
  )
}
