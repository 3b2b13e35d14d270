import { call } from '#shared/call.ts'
import type * as visitor from '#shared/visitor.ts'

import type {
  Account,
  ActivityEntry,
  AuthOptions,
  ChangeEmail,
  ChangeNames,
  ChangePassword,
  ConfirmEmailChange,
  DataSize,
  DeleteAccount,
  DeletionReceipt,
  Done,
  EmailChangeConfirmed,
  EmailOnly,
  IssuerId,
  LinkIssuer,
  Login,
  LoginAnswer,
  Register,
  ResetPassword,
  SessionRow,
  SetReadyMail,
  User,
  Verified,
  VerifyEmail,
} from './contract.ts'

/** As in shared/visitor.ts, with the whole answer. */
export const getUser = call('GET', '/api/user').carries<{
  answer: User
}>() satisfies typeof visitor.getUser

export const register = call('POST', '/api/register').carries<{ body: Register }>()

export const verifyEmail = call('POST', '/api/verify-email').carries<{
  body: VerifyEmail
  answer: Verified
}>()

export const resendVerification = call('POST', '/api/resend-verification').carries<{
  body: EmailOnly
}>()

export const logIn = call('POST', '/api/login').carries<{ body: Login; answer: LoginAnswer }>()

export const forgotPassword = call('POST', '/api/forgot-password').carries<{
  body: EmailOnly
  answer: Done
}>()

export const resetPassword = call('POST', '/api/reset-password').carries<{ body: ResetPassword }>()

/** As in shared/visitor.ts, with the whole answer. */
export const readAuthOptions = call('GET', '/api/auth/options').carries<{
  answer: AuthOptions
}>() satisfies typeof visitor.readAuthOptions

export const switchMailsOff = call('POST', '/mails-off').carries<{ query: { key: string } }>()

export const linkIssuer = (id: IssuerId) =>
  call('POST', `/api/account/${id}`).carries<{ body: LinkIssuer; answer: { url: string } }>()

export const readAccount = call('GET', '/api/account').carries<{ answer: Account }>()

export const changeNames = call('PATCH', '/api/account').carries<{
  body: ChangeNames
  answer: User
}>()

export const setReadyMail = call('PUT', '/api/account/ready-mail').carries<{ body: SetReadyMail }>()

export const changePassword = call('POST', '/api/account/password').carries<{
  body: ChangePassword
  answer: Done
}>()

export const changeEmail = call('POST', '/api/account/email').carries<{
  body: ChangeEmail
  answer: Done
}>()

export const cancelEmailChange = call('DELETE', '/api/account/email').carries<{ answer: Done }>()

export const confirmEmailChange = call('POST', '/api/confirm-email-change').carries<{
  body: ConfirmEmailChange
  answer: EmailChangeConfirmed
}>()

export const unlinkIssuer = (id: IssuerId) =>
  call('DELETE', `/api/account/${id}`).carries<{ answer: Done }>()

export const listSessions = call('GET', '/api/account/sessions').carries<{ answer: SessionRow[] }>()

export const endOtherSessions = call('DELETE', '/api/account/sessions').carries<{ answer: Done }>()

export const endSession = call('DELETE', '/api/account/sessions/:id').carries<{ answer: Done }>()

export const listActivity = call('GET', '/api/account/activity').carries<{
  query: { before?: number }
  answer: ActivityEntry[]
}>()

export const readDataSize = call('GET', '/api/account/data').carries<{ answer: DataSize }>()

export const exportData = call('GET', '/api/account/export')

export const deleteAccount = call('DELETE', '/api/account').carries<{
  body: DeleteAccount
  answer: DeletionReceipt
}>()
