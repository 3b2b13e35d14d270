/**
 * The end of a sign-in at Google, or at the operator's own issuer. inline/ticket.ts takes the ticket out
 * of the address and stores it. Here it is exchanged for a token. The server accepts a ticket once, and
 * only from the browser that began the sign-in.
 */
import { token } from './api.ts'

/** The storage key of the ticket, behind who gave it; nothing follows after a sign-in that failed. */
export const WAITING = 'sign-in-ticket'
/** In the address, beside the ticket, where the operator's own issuer gave it. */
export const OWN_ISSUER = 'oidc'

/** What to say of a sign-in that failed; `name` is where it was to be, null where that is not known. */
export const signInFailed = (name: string | null) => ({
  title: name === null ? 'Sign-In Error' : `${name} Sign-In Error`,
  description: `There was an error signing in${name === null ? '' : ` with ${name}`}. Please try again${name === 'Google' ? '.' : '; it works with a verified address only.'}`,
})

/** What people call the issuer `google` or `oidc`. */
export async function nameOfIssuer(issuer: string): Promise<string | null> {
  if (issuer === 'google') return 'Google'
  const answer = await fetch('/api/auth/options').catch(() => null)
  return answer?.ok ? ((await answer.json()) as { oidc: string | null }).oidc : null
}

/** Call it before asking who is signed in. The ticket is kept when the server is unreachable. */
export async function redeemTicket(): Promise<void> {
  const { issuer, ticket } = waiting() ?? {}
  if (!ticket) return
  const answer = await fetch('/api/auth/ticket', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  if (answer.ok) {
    token.store(((await answer.json()) as { token: string }).token)
    sessionStorage.removeItem(WAITING)
    const next = readNext()
    keepNext(null)
    if (next) location.replace(next)
  } else if (answer.status < 500) sessionStorage.setItem(WAITING, `${issuer} `)
}

const NEXT = 'sign-in-next'

/** Keeps where somebody is bound while they sign in elsewhere: a screen of the app. */
export function keepNext(next: string | null): void {
  try {
    if (next) sessionStorage.setItem(NEXT, next)
    else sessionStorage.removeItem(NEXT)
  } catch {
    // Storage is forbidden: they arrive at their dashboard.
  }
}

export function readNext(): string | null {
  try {
    return sessionStorage.getItem(NEXT)
  } catch {
    return null
  }
}

/** Where a sign-in has just failed: `google` or `oidc`. Said once, then null. */
export function takeFailedTicket(): string | null {
  const found = waiting()
  if (found?.ticket !== '') return null
  sessionStorage.removeItem(WAITING)
  return found.issuer
}

function waiting(): { issuer: string; ticket: string } | null {
  try {
    const [issuer = '', ticket = ''] = sessionStorage.getItem(WAITING)?.split(' ') ?? []
    return issuer === '' ? null : { issuer, ticket }
  } catch {
    return null // Storage is forbidden: no ticket waits, and the cookie alone signs in.
  }
}
