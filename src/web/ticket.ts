/**
 * The end of a sign-in at Google. inline/ticket.ts takes the ticket out of the address and stores
 * it. Here it is exchanged for a token. The server accepts a ticket once, and only from the browser
 * that began the sign-in.
 */
import { token } from './api.ts'

/** The storage key of the ticket; its value is empty after a sign-in that failed. */
export const WAITING = 'sign-in-ticket'

export const googleFailed = {
  title: 'Google Sign-In Error',
  description: 'There was an error signing in with Google. Please try again.',
}
export const signInFailed = {
  title: 'Sign-In Error',
  description:
    'There was an error signing in there. Please try again; it works with a verified address only.',
}

/** Call it before asking who is signed in. The ticket is kept when the server is unreachable. */
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

/** Whether a sign-in at Google has just failed. True once, then false. */
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
