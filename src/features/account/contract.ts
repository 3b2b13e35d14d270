import { z } from 'zod'

/** GET /api/user. Credits are what can be spent: without what is held for running jobs. */
export const User = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  profileImageUrl: z.string().nullable(),
  credits: z.int(),
  planType: z.enum(['starter', 'professional', 'enterprise']),
  subscriptionStatus: z.string(),
  provider: z.enum(['email', 'google']),
  createdAt: z.iso.datetime(),
})
export type User = z.infer<typeof User>

// The words of the forms, also where a field is missing or is no text.
const mustBeAddress = 'Please enter a valid email address'
const mustBePassword = 'Password must be at least 8 characters long'
const tooLongPassword = 'Password must be at most 1024 characters long'

/** Whether it is an address is decided by the room, which knows more about them. */
const Email = z.string(mustBeAddress).trim().max(320, mustBeAddress)
const NewPassword = z.string(mustBePassword).min(8, mustBePassword).max(1024, tooLongPassword)
const name = (field: string) =>
  z
    .string(`${field} is required`)
    .trim()
    .min(1, `${field} is required`)
    .max(100, `${field} must be at most 100 characters long`)

export const Login = z.object({
  email: Email,
  password: z
    .string('Password is required')
    .min(1, 'Password is required')
    .max(1024, tooLongPassword),
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
})
export type Register = z.infer<typeof Register>

export const EmailOnly = z.object({ email: Email })
export type EmailOnly = z.infer<typeof EmailOnly>

export const VerifyEmail = z.object({ token: z.string().min(1).max(200) })
export const ResetPassword = z.object({
  token: z.string().min(1).max(200),
  password: NewPassword,
})
/** What the calls answer that only report that something was done. */
export const Done = z.object({ message: z.string() })
export const Verified = Done.extend({ email: z.string() })

/** GET /api/auth/options: what the sign-in page offers on this server. */
export const AuthOptions = z.object({
  /** Whether "Continue with Google" leads anywhere. */
  google: z.boolean(),
  /** Where mails that were kept on this machine can be read, or null. */
  devMail: z.string().nullable(),
})
export type AuthOptions = z.infer<typeof AuthOptions>
