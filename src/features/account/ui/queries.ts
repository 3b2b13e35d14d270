import { queryOptions } from '@tanstack/react-query'

import { filledIn, get, loader, post } from '#web/api.ts'
import { redeemTicket } from '#web/ticket.ts'

import type { AuthOptions, User, Verified, VerifyEmail } from '../contract.ts'

const loadUser = loader<User>({ on401: 'null' })

/** Defaults for fields that an answer lacks. */
const unsaid = {
  email: '',
  firstName: '',
  lastName: '',
  profileImageUrl: null,
  credits: 0,
  planType: 'starter',
  subscriptionStatus: 'none',
  provider: 'email',
  createdAt: '',
} satisfies Partial<User>

/** Who is signed in; null is nobody. Invalidate it when credits may have changed. */
export const userQuery = queryOptions({
  queryKey: ['/api/user'],
  queryFn: async (context) => {
    await redeemTicket()
    const user = await loadUser(context)
    return user && filledIn(user, unsaid)
  },
})

/** What this server offers on the sign-in page. */
export const authOptionsQuery = queryOptions({
  queryKey: ['/api/auth/options'],
  queryFn: ({ signal }) => get<AuthOptions>('/api/auth/options', signal),
})

export const verifyEmail = (shown: VerifyEmail) => post<Verified>('/api/verify-email', shown)

/** A mailed link is posted by the page, once; asking again shows the first answer. */
export const verifyEmailQuery = (token: string) =>
  queryOptions({
    queryKey: ['/api/verify-email', token],
    queryFn: () => verifyEmail({ token }),
    gcTime: Number.POSITIVE_INFINITY,
  })
