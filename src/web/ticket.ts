/**
 * The end of a sign-in at Google. inline/ticket.ts takes the ticket out of the address and lets it
 * wait here. It is never used as a token: the server takes it once, and only from the browser that
 * began the sign-in, and answers with the token to keep.
 */
import { token } from './api.ts'

/** Holds the waiting ticket, or the empty string after a sign-in that did not work. */
export const WAITING = 'sign-in-ticket'

export const googleFailed = {
  title: 'Google Sign-In Error',
  description: 'There was an error signing in with Google. Please try again.',
}

/** To be awaited before anybody asks who is signed in. An unreachable server leaves the ticket. */
export async function redeemTicket(): Promise<void> {
  const ticket = waiting()
  if (!ticket) return
  const answer = await fetch('/api/auth/ticket', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket }),
  })
  if (answer.ok) {
    token.store(((await answer.json()) as { token: string }).token)
    sessionStorage.removeItem(WAITING)
  } else if (answer.status < 500) sessionStorage.setItem(WAITING, '')
}

/** Whether a sign-in at Google has just failed. Says so once. */
export function hasFailedTicket(): boolean {
  if (waiting() !== '') return false
  sessionStorage.removeItem(WAITING)
  return true
}

function waiting(): string | null {
  try {
    return sessionStorage.getItem(WAITING)
  } catch {
    return null // Storage is forbidden: no ticket waits, and the cookie alone signs in.
  }
}
