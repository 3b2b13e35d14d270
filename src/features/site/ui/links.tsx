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

export const trialPath = authPath({ mode: 'register' })

export function StartFreeTrial() {
  return (
    <Cta href={trialPath} variant="primary">
      Start Free Trial
    </Cta>
  )
}

/** The last section of a page: what it comes down to, and the way in. */
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
    <TimecodeSection at={at} title={title} tinted gutter={besideIndex ? 'index' : 'timecode'}>
      <div className="mt-6 flex flex-wrap gap-3">
        <StartFreeTrial />
        {withSignIn ? <Cta href={paths.auth}>Sign In</Cta> : null}
      </div>
    </TimecodeSection>
  )
}

/** Choosing a plan signs a visitor up first; who is signed in goes on at once (see inline/visitor.ts). */
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
