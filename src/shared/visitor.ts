/**
 * The calls of the room `account` that src/web makes too: who is signed in, signing in elsewhere, and
 * logging out. Each answer names only the fields that src/web reads.
 */
import { call } from './call.ts'

/** The user as pages without the app show them. */
export interface Visitor {
  email: string
  firstName?: string
  lastName?: string
  profileImageUrl?: string | null
  credits?: number
}

export const getUser = call('GET', '/api/user').carries<{ answer: Visitor }>()

export const logOut = call('POST', '/api/logout')

export const readAuthOptions = call('GET', '/api/auth/options').carries<{
  answer: { oidc: string | null }
}>()

export const exchangeTicket = call('POST', '/api/auth/ticket').carries<{
  body: { ticket: string }
  answer: { token: string }
}>()
