/**
 * Who is signed in, and how they come and go: the calls of the room `account` that src/web makes too.
 * Their answers name what is read there.
 */
import { call } from './call.ts'

/** What pages without the app show of who is signed in. */
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
