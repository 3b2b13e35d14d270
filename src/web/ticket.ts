/**
 * The end of a sign-in at Google, or at the operator's own issuer. inline/ticket.ts takes the ticket out
 * of the address and stores it. Here it is exchanged for a token. The server accepts a ticket once, and
 * only from the browser that began the sign-in.
 */
import { type AnswerOf, type BodyOf, addressOf } from '#shared/call.ts'
import { exchangeTicket, readAuthOptions } from '#shared/visitor.ts'

import { token } from './api.ts'
import { recall, remember } from './tab-memory.ts'

/** The storage key of the ticket, behind who gave it; nothing follows after a sign-in that failed. */
export const WAITING = 'sign-in-ticket'
/** In the address, beside the ticket, where the operator's own issuer gave it. */
export const OWN_ISSUER = 'oidc'

/**
 * The words about a sign-in that failed; `name` is that of the issuer, null where it is not known.
 */
export const signInFailed = (name: string | null) => ({
  title: name === null ? 'Sign-In Error' : `${name} Sign-In Error`,
  description: `There was an error signing in${name === null ? '' : ` with ${name}`}. Please try again${name === 'Google' ? '.' : '; it works with a verified address only.'}`,
})

/** The name of the issuer `google` or `oidc` for people. */
export async function nameOfIssuer(issuer: string): Promise<string | null> {
  if (issuer === 'google') return 'Google'
  const answer = await fetch(addressOf(readAuthOptions)).catch(() => null)
  return answer?.ok ? ((await answer.json()) as AnswerOf<typeof readAuthOptions>).oidc : null
}

/** Call it before asking who is signed in. The ticket is kept when the server is unreachable. */
export async function redeemTicket(): Promise<void> {
  const { issuer, ticket } = waiting() ?? {}
  if (!ticket) return
  const answer = await fetch(addressOf(exchangeTicket), {
    method: exchangeTicket.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket } satisfies BodyOf<typeof exchangeTicket>),
  })
  if (answer.ok) {
    token.store(((await answer.json()) as AnswerOf<typeof exchangeTicket>).token)
    remember(WAITING, null)
    const next = readNext()
    keepNext(null)
    if (next) location.replace(next)
  } else if (answer.status < 500) remember(WAITING, `${issuer} `)
}

const NEXT = 'sign-in-next'

/** Keeps where somebody is bound while they sign in elsewhere: a screen of the app. */
export const keepNext = (next: string | null): void => remember(NEXT, next)
/** Null also where it could not be kept: they arrive at their dashboard. */
export const readNext = (): string | null => recall(NEXT)

/** Where a sign-in has just failed: `google` or `oidc`. Said once, then null. */
export function takeFailedTicket(): string | null {
  const found = waiting()
  if (found?.ticket !== '') return null
  remember(WAITING, null)
  return found.issuer
}

function waiting(): { issuer: string; ticket: string } | null {
  const [issuer = '', ticket = ''] = recall(WAITING)?.split(' ') ?? []
  return issuer === '' ? null : { issuer, ticket }
}
