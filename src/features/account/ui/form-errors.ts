/** The faults of typed fields, in the product's words. The server checks again. */
const MIN_PASSWORD = 8

// Refuses only texts that are surely no address; the server knows the fine print and uses the same
// words.
export const emailError = (email: string) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'Please enter a valid email address'

export const newPasswordError = (password: string) =>
  [...password].length < MIN_PASSWORD ? 'Password must be at least 8 characters long' : undefined

export const passwordError = (password: string) =>
  password === '' ? 'Password is required' : undefined

/** For a field that must not be left empty. */
export const missing = (words: string) => (text: string) => (text.trim() === '' ? words : undefined)

export const nameErrors = {
  firstName: missing('First name is required'),
  lastName: missing('Last name is required'),
}

/** "At least 8 characters" and how many there are: help while typing, no theatre about strength. */
export function passwordHint(password: string): string {
  const count = [...password].length
  const rule = `At least ${MIN_PASSWORD} characters`
  return count === 0 || count >= MIN_PASSWORD ? rule : `${rule}, ${count} so far`
}
