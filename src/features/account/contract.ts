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

export const Login = z.object({
  email: z.string().trim().max(320),
  password: z.string().min(1).max(1024),
  /** Asks for a bearer token for scripts; the web app leaves it out and gets a cookie. */
  token: z.boolean().optional(),
})
export type Login = z.infer<typeof Login>

export const LoginAnswer = z.object({ user: User, token: z.string().optional() })
export type LoginAnswer = z.infer<typeof LoginAnswer>

export const Register = z.object({
  email: z.string().trim().max(320),
  password: z
    .string()
    .min(8, 'Password must be at least 8 characters long')
    .max(1024, 'Password must be at most 1024 characters long'),
  firstName: z.string().trim().min(1, 'First name is required').max(100),
  lastName: z.string().trim().min(1, 'Last name is required').max(100),
})
export type Register = z.infer<typeof Register>

export const EmailOnly = z.object({ email: z.string().trim().max(320) })
export const VerifyEmail = z.object({ token: z.string().min(1).max(200) })
export const ResetPassword = z.object({
  token: z.string().min(1).max(200),
  password: Register.shape.password,
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
