import type { ReactNode } from 'react'

import { authPath, paths } from '#web/paths.ts'
import { buttonClasses, type ButtonSize } from '#web/ui/button.tsx'
import { TimecodeSection } from '#web/ui/timecode-section.tsx'

/** A link that looks like a button and loads the page: public pages are documents of their own. */
export function Cta({
  href,
  variant,
  size = 'large',
  children,
}: {
  href: string
  variant?: 'primary'
  size?: ButtonSize
  children: ReactNode
}) {
  return (
    <a href={href} className={buttonClasses({ variant, size })}>
      {children}
    </a>
  )
}

/** Leads strangers to a sign-up, and signed-in people to their recordings. */
export function StartFreeTrial() {
  return (
    <>
      <span className="signed-in:hidden">
        <Cta href={authPath({ mode: 'register' })} variant="primary">
          Start Free Trial
        </Cta>
      </span>
      <span className="hidden signed-in:inline">
        <Cta href={paths.home} variant="primary">
          Transcribe a recording
        </Cta>
      </span>
    </>
  )
}

/** Shown to strangers only, because signed-in people need no free trial. */
export function ForStrangers({ children }: { children: ReactNode }) {
  return <div className="signed-in:hidden">{children}</div>
}

/** The last section of a page, shown to strangers: a closing sentence and the way to a sign-up. */
export function LastWord({
  at,
  title,
  withSignIn = false,
  besideIndex = false,
}: {
  at: number
  title: string
  withSignIn?: boolean
  /** Below a text with an index at its left: both begin at the same edge. */
  besideIndex?: boolean
}) {
  return (
    <ForStrangers>
      <TimecodeSection at={at} title={title} tinted gutter={besideIndex ? 'index' : 'timecode'}>
        <div className="mt-6 flex flex-wrap gap-3">
          <StartFreeTrial />
          {withSignIn ? <Cta href={paths.auth}>Sign In</Cta> : null}
        </div>
      </TimecodeSection>
    </ForStrangers>
  )
}

/**
 * Choosing a plan signs a visitor up first; who is signed in goes on at once (see
 * inline/visitor.ts).
 */
export function ChoosePlan({
  plan,
  className,
}: {
  plan: { id: string; name: string }
  className: string
}) {
  const target = `${paths.subscribe}?plan=${plan.id}`
  return (
    <a
      href={authPath({ mode: 'register', next: target })}
      data-signed-in-href={target}
      aria-label={`Choose ${plan.name}`}
      className={className}
    >
      Choose
    </a>
  )
}
