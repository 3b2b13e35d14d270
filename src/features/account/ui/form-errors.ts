/** What the sign-in forms say about what was typed; the words are the product's, the server checks again. */

export type Values = Record<string, string>
export type Errors<Form extends Values> = { [Field in keyof Form]?: string }

const MIN_PASSWORD = 8

const emailError = (email: string) =>
  // Only what is surely none; the server knows the fine print and uses the same words.
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter a valid email address'

const newPasswordError = (password: string) =>
  [...password].length < MIN_PASSWORD ? 'Password must be at least 8 characters long' : undefined

const required = (text: string, words: string) => (text.trim() === '' ? words : undefined)

export function loginErrors({ email, password }: { email: string; password: string }) {
  return found({
    email: emailError(email),
    password: password === '' ? 'Password is required' : undefined,
  })
}

export function registerErrors(values: {
  firstName: string
  lastName: string
  email: string
  password: string
}) {
  return found({
    firstName: required(values.firstName, 'First name is required'),
    lastName: required(values.lastName, 'Last name is required'),
    email: emailError(values.email),
    password: newPasswordError(values.password),
  })
}

export function forgotErrors({ email }: { email: string }) {
  return found({ email: emailError(email) })
}

export function resetErrors({ password }: { password: string }) {
  return found({ password: newPasswordError(password) })
}

export function nameErrors(values: { firstName: string; lastName: string }) {
  return found({
    firstName: required(values.firstName, 'First name is required'),
    lastName: required(values.lastName, 'Last name is required'),
  })
}

export function ownPasswordErrors({ password }: { password: string }) {
  return found({ password: password === '' ? 'Password is required' : undefined })
}

export function newPasswordErrors(values: { password: string; newPassword: string }) {
  return found({
    password: values.password === '' ? 'Password is required' : undefined,
    newPassword: newPasswordError(values.newPassword),
  })
}

export function emailChangeErrors(
  { email, password }: { email: string; password: string },
  { needsPassword }: { needsPassword: boolean },
) {
  return found({
    email: emailError(email),
    password: needsPassword && password === '' ? 'Password is required' : undefined,
  })
}

export function deletionErrors(
  { confirmation, password }: { confirmation: string; password: string },
  { email, needsPassword }: { email: string; needsPassword: boolean },
) {
  return found({
    confirmation:
      confirmation.trim().toLowerCase() === email.toLowerCase()
        ? undefined
        : 'Type the email address of this account',
    password: needsPassword && password === '' ? 'Password is required' : undefined,
  })
}

/** "At least 8 characters" and how many there are: help while typing, no theatre about strength. */
export function passwordHint(password: string): string {
  const count = [...password].length
  const rule = `At least ${MIN_PASSWORD} characters`
  return count === 0 || count >= MIN_PASSWORD ? rule : `${rule}, ${count} so far`
}

function found<Field extends string>(
  all: Record<Field, string | undefined>,
): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {}
  for (const field in all) if (all[field] !== undefined) errors[field] = all[field]
  return errors
}
