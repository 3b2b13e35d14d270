import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { paths } from '#web/paths.ts'
import { keepNext } from '#web/ticket.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

import { authOptionsQuery } from './queries.ts'

/** Not among the paths, which the public pages carry in their first bytes. */
const OIDC_SIGN_IN = '/api/auth/oidc'

/** Carried from one mode to the next in the history entry, so that no address holds an e-mail address. */
export interface Carried {
  email?: string
  /** Good news to show above the form, for example that the e-mail is confirmed. */
  notice?: string
  /** A link that could not be used. */
  problem?: string
  /** Any word: a mail is under way, and there is nothing to do here but to open it. */
  mailed?: string
}

/** The properties of every mode of the sign-in page. */
export interface AuthFormProps {
  email: string
  notice: string | undefined
  problem: string | undefined
  next: string | null
}

/** Heading and news on top, the form, and the way to the other modes below a rule. */
export function AuthForm({
  title,
  lead,
  notice,
  problem,
  below,
  children,
}: {
  title: string
  lead?: ReactNode
  notice?: string | undefined
  problem?: ReactNode
  below: ReactNode
  children: ReactNode
}) {
  return (
    <>
      <title>{`${title} · ${BRAND}`}</title>
      <h1 className="font-display text-auth font-semibold">{title}</h1>
      {lead ? <p className="mt-1 text-body text-ink-2">{lead}</p> : null}
      {notice ? (
        <p
          role="status"
          className="mt-4 flex items-start gap-2 rounded-control bg-success-tint p-3 text-small font-medium text-success"
        >
          <CircleCheck size={18} className="mt-0.5 shrink-0" />
          {notice}
        </p>
      ) : null}
      {problem}
      <div className="mt-6">{children}</div>
      <div className="mt-7 border-t border-rule pt-5 text-body">{below}</div>
      <MailLine />
    </>
  )
}

export function ModeLink({
  to,
  state,
  className,
  children,
}: {
  to: string
  state?: { email?: string }
  className?: string
  children: ReactNode
}) {
  return (
    <Link to={to} state={state} className={classes('text-link', className)}>
      {children}
    </Link>
  )
}

/** 'Continue with Google' and the operator's own issuer, which comes first: what of it there is. */
export function SignInElsewhere({ next }: { next: string | null }) {
  const { data: options } = useQuery(authOptionsQuery)
  const hasGoogle = useCapabilities()('googleSignIn')
  if (!hasGoogle && !options?.oidc) return null
  return (
    <>
      {options?.oidc ? (
        <a
          href={OIDC_SIGN_IN}
          onClick={() => keepNext(next)}
          className={classes(buttonClasses(), 'w-full bg-card!', hasGoogle && 'mb-3')}
        >
          Continue with {options.oidc}
        </a>
      ) : null}
      {hasGoogle ? (
        <a
          href={paths.googleSignIn}
          onClick={() => keepNext(next)}
          className={classes(buttonClasses(), 'w-full bg-card!')}
        >
          <GoogleG />
          Continue with Google
        </a>
      ) : null}
      <div aria-hidden="true" className="my-5 flex items-center gap-3 text-small text-ink-2">
        <span className="h-px flex-1 bg-rule" />
        or
        <span className="h-px flex-1 bg-rule" />
      </div>
    </>
  )
}

/** Where mail is kept instead of sent, the link that everybody waits for lies here. */
function MailLine() {
  const { data: options } = useQuery(authOptionsQuery)
  if (!options?.devMail) return null
  return (
    <p className="mt-5 text-small text-ink-2">
      Mail is kept on this machine:{' '}
      <a href={options.devMail} className="text-link">
        open {paths.devMail}
      </a>
    </p>
  )
}

/** For a field: it keeps the place of the line that says what is wrong with it. */
export const withLine = 'min-h-26'

/** After the button of a form, where it moves nothing that is being read. */
export function FormError({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <InlineError
      comesIntoSight
      action={action}
      className={classes('mt-4 scroll-mb-4', !action && 'rounded-control bg-danger-tint p-3')}
    >
      {children}
    </InlineError>
  )
}

function GoogleG() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="#4285f4"
        d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.5 5.5 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.1 3.5-8.8Z"
      />
      <path
        fill="#34a853"
        d="M12 24c3.2 0 6-1.1 8-2.9l-3.9-3c-1.1.7-2.5 1.2-4.1 1.2-3.1 0-5.8-2.1-6.7-5H1.3v3.1A12 12 0 0 0 12 24Z"
      />
      <path fill="#fbbc05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8l4-3.1Z" />
      <path
        fill="#ea4335"
        d="M12 4.8c1.8 0 3.3.6 4.6 1.8l3.4-3.4A12 12 0 0 0 1.3 6.6l4 3.1c.9-2.8 3.6-4.9 6.7-4.9Z"
      />
    </svg>
  )
}
