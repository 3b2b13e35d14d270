import { queryOptions } from '@tanstack/react-query'

import { type AnswerOf, addressOf } from '#shared/call.ts'
import { ask, filledIn, loader, queryOf } from '#web/api.ts'
import { redeemTicket } from '#web/ticket.ts'

import { getUser, readAuthOptions, verifyEmail } from '../calls.ts'
import type { User } from '../contract.ts'

const loadUser = loader<AnswerOf<typeof getUser>>({ on401: 'null' })

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

/** The user who is signed in; null is nobody. Invalidate it when credits may have changed. */
export const userQuery = queryOptions({
  queryKey: [addressOf(getUser)],
  queryFn: async (context) => {
    await redeemTicket()
    const user = await loadUser(context)
    return user && filledIn(user, unsaid)
  },
})

/** The ways to sign in and to sign up on this server. */
export const authOptionsQuery = queryOptions(queryOf(readAuthOptions))

/** A mailed link is posted by the page, once; asking again shows the first answer. */
export const verifyEmailQuery = (token: string) =>
  queryOptions({
    queryKey: [addressOf(verifyEmail), token],
    queryFn: () => ask(verifyEmail, { body: { token } }),
    gcTime: Number.POSITIVE_INFINITY,
  })
