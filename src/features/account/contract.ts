import { z } from 'zod'

import { MOST_TO_SET } from '#shared/business.ts'
import { ownPath } from '#shared/own-path.ts'
import { TICKET } from '#shared/ticket.ts'
import { plainAddress } from '#shared/written.ts'

/** Who tells us who somebody is: Google, and one issuer of the operator's. */
export const issuerIds = ['google', 'oidc'] as const
export const IssuerId = z.enum(issuerIds)
export type IssuerId = z.infer<typeof IssuerId>

/** `credits` can be spent: those held for running jobs are not among them. */
export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  credits: z.int(),
  planType: z.enum(['starter', 'professional', 'enterprise']),
  subscriptionStatus: z.string(),
  provider: z.enum(['email', ...issuerIds]),
  createdAt: z.iso.datetime(),
  isOperator: z
    .literal(true)
    .optional()
    .describe('Only for who runs this server, and never by an API key.'),
})
z.globalRegistry.add(User, { id: 'User' })
export type User = z.infer<typeof User>

const upTo = (most: number) => {
  const said = `Enter a whole number from 1 to ${most.toLocaleString('en-US')}, or null for the plan's.`
  return z.int(said).min(1, said).max(most, said).nullable()
}
/** The limits that an operator may set for one account; null: as its plan says. */
export const Limits = z.object({
  callsPerHour: upTo(MOST_TO_SET.callsPerHour),
  unconfirmedUploads: upTo(MOST_TO_SET.unconfirmedUploads),
})
export type Limits = z.infer<typeof Limits>

// The words of the forms, also where a field is missing or is no text.
const mustBeAddress = 'Please enter a valid email address'
const mustBePassword = 'Password must be at least 8 characters long'
const tooLongPassword = 'Password must be at most 1024 characters long'

const Password = z
  .string('Password is required')
  .min(1, 'Password is required')
  .max(1024, tooLongPassword)
/** Whether it is an address is decided by the room, which knows more about them. */
const Email = z.string(mustBeAddress).overwrite(plainAddress).max(320, mustBeAddress)
const NewPassword = z.string(mustBePassword).min(8, mustBePassword).max(1024, tooLongPassword)
const name = (field: string) =>
  z
    .string(`${field} is required`)
    .trim()
    .min(1, `${field} is required`)
    .max(100, `${field} must be at most 100 characters long`)

export const Login = z.object({
  email: Email,
  password: Password,
  /** Asks for a bearer token for scripts; the web app leaves it out and gets a cookie. */
  token: z.boolean().optional(),
})
export type Login = z.infer<typeof Login>

export const LoginAnswer = z.object({ user: User, token: z.string().optional() })
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const Register = z.object({
  email: Email,
  password: NewPassword,
  firstName: name('First name'),
  lastName: name('Last name'),
  /** Where to go on after confirming: a path of this site, or it is passed over. */
  next: z
    .string()
    .max(500)
    .refine((next) => ownPath(next) !== null)
    .optional()
    .catch(undefined),
  /** The token in the link of an invitation. */
  invitation: z.string().max(200).optional(),
})
export type Register = z.infer<typeof Register>

/** The end of a sign-in at an issuer. */
export const RedeemTicket = z.object({ ticket: z.string().regex(TICKET) })
export const TicketAnswer = z.object({ token: z.string() })

export const EmailOnly = z.object({ email: Email })
export type EmailOnly = z.infer<typeof EmailOnly>

/** The token in the link of a mail. */
const LinkToken = z.string().min(1).max(200)

export const VerifyEmail = z.object({
  token: LinkToken,
  /** Needed in every browser but the one that registered. */
  password: Password.optional(),
})
export type VerifyEmail = z.infer<typeof VerifyEmail>
export const ResetPassword = z.object({
  token: LinkToken,
  password: NewPassword,
})
export type ResetPassword = z.infer<typeof ResetPassword>
/** The link of one of the two mails that a change of address takes. */
export const ConfirmEmailChange = z.object({ token: LinkToken })
export type ConfirmEmailChange = z.infer<typeof ConfirmEmailChange>
export const EmailChangeConfirmed = z.object({
  message: z.string(),
  /** False while the other mailbox has not been heard. */
  isDone: z.boolean(),
})
export type EmailChangeConfirmed = z.infer<typeof EmailChangeConfirmed>

/** The answer of calls that only report that something was done. */
export const Done = z.object({ message: z.string() })
export type Done = z.infer<typeof Done>
/** Confirming an address signs in; the session's cookie comes with this answer. */
export const Verified = Done.extend({ user: User, next: z.string().nullable() })
export type Verified = z.infer<typeof Verified>

/** Who may make an account. */
export const SignUp = z.enum(['open', 'invited', 'closed'])
export type SignUp = z.infer<typeof SignUp>

/** The ways to sign in and to sign up on this server. */
export const AuthOptions = z.object({
  /** The name of the operator's own issuer; null where there is none. */
  oidc: z.string().nullable(),
  /** Where mails that were kept on this machine can be read, or null. */
  devMail: z.string().nullable(),
  signUp: SignUp,
})
export type AuthOptions = z.infer<typeof AuthOptions>

/** The facts of an account that only its owner sees, beyond the user. */
export const Account = z.object({
  hasPassword: z.boolean(),
  /** Whether they are told by mail when work took long and nobody looks at it. */
  readyMail: z.boolean(),
  /** Google always, and the operator's own issuer where there is one. */
  issuers: z.array(
    z.object({
      id: IssuerId,
      name: z.string(),
      /** The address there, as the issuer last said it; null when it does not lead here. */
      email: z.string().nullable(),
      /** Whether it can be linked on this server. */
      isOffered: z.boolean(),
    }),
  ),
  /** A change of address that waits for its mails to be answered. */
  emailChange: z
    .object({
      newEmail: z.string(),
      isOldConfirmed: z.boolean(),
      isNewConfirmed: z.boolean(),
    })
    .nullable(),
})
export type Account = z.infer<typeof Account>

export const ChangeNames = z.object({ firstName: name('First name'), lastName: name('Last name') })
export type ChangeNames = z.infer<typeof ChangeNames>

export const SetReadyMail = z.object({ isOn: z.boolean() })
export type SetReadyMail = z.infer<typeof SetReadyMail>

/** Asked for again before an act that a stolen session must not allow. */
const OwnPassword = z.string('Password is required').max(1024, tooLongPassword).optional()

export const LinkIssuer = z.object({ password: Password })
export type LinkIssuer = z.infer<typeof LinkIssuer>

export const ChangePassword = z.object({ password: Password, newPassword: NewPassword })
export type ChangePassword = z.infer<typeof ChangePassword>

export const ChangeEmail = z.object({ email: Email, password: OwnPassword })
export type ChangeEmail = z.infer<typeof ChangeEmail>

export const SessionRow = z.object({
  id: z.uuid(),
  kind: z.enum(['web', 'token']),
  method: z.enum(['password', ...issuerIds]),
  device: z.string(),
  /** Of a script's token: its last characters. */
  tokenEnd: z.string().nullable(),
  isCurrent: z.boolean(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type SessionRow = z.infer<typeof SessionRow>

export const ActivityKind = z.enum([
  'signed_in',
  'signed_in_google',
  'signed_in_oidc',
  'token_made',
  'signed_out',
  'session_ended',
  'sessions_ended',
  'password_changed',
  'password_reset',
  'names_changed',
  'email_change_asked',
  'email_changed',
  'google_linked',
  'google_unlinked',
  'oidc_linked',
  'oidc_unlinked',
  'data_exported',
  'recording_deleted',
  'transcription_deleted',
  'key_made',
  'key_revoked',
  'share_made',
  'share_ended',
  'blocked',
  'unblocked',
])
export type ActivityKind = z.infer<typeof ActivityKind>

export const ActivityEntry = z.object({
  id: z.int(),
  kind: ActivityKind,
  device: z.string(),
  count: z.int().nullable(),
  at: z.iso.datetime(),
})
export type ActivityEntry = z.infer<typeof ActivityEntry>

/** The parts and sizes of an export. */
export const DataSize = z.object({
  parts: z.array(z.object({ name: z.string(), files: z.int(), sizeBytes: z.int() })),
})
export type DataSize = z.infer<typeof DataSize>

export const DeleteAccount = z.object({
  /** The account's address, typed by hand. */
  confirmation: z.string('Type your email address to confirm').max(320),
  password: OwnPassword,
})
export type DeleteAccount = z.infer<typeof DeleteAccount>

/** How much was erased, by kind, under a number that names nobody. */
export const DeletionReceipt = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  erased: z.record(z.string(), z.int()),
})
export type DeletionReceipt = z.infer<typeof DeletionReceipt>
