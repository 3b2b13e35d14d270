/**
 * The addresses of links. Only a hash of one is kept; it follows from the link's id and the key of
 * this server, so that its owner can be told it again.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

import { derive } from '#server/secret-key.ts'

const TOKEN_BYTES = 16

export const tokenOf = (secretKey: string, shareId: string): string =>
  derive(secretKey, 'share', shareId).subarray(0, TOKEN_BYTES).toString('base64url')

export const hashOf = (token: string): string =>
  createHash('sha256').update(token).digest('base64url')

export const sharePath = (token: string): string => `/s/${token}`

/** The link that a signature is for. A changed password makes its signatures worthless. */
interface Signed {
  shareId: string
  passwordHash: string | null
  purpose: 'opened' | 'recording'
}

/** Good until `until`, for this link as it is protected now. */
export function sign(
  secretKey: string,
  { shareId, passwordHash, purpose }: Signed,
  until: Date,
): string {
  const at = Math.floor(until.getTime() / 1000).toString(36)
  const mac = derive(secretKey, purpose, shareId, passwordHash ?? '', at)
  return `${at}.${mac.toString('base64url')}`
}

export function isSigned(secretKey: string, what: Signed, text: string, now: Date): boolean {
  const [at = ''] = text.split('.', 1)
  const until = new Date(parseInt(at, 36) * 1000)
  if (!(until > now)) return false
  const expected = Buffer.from(sign(secretKey, what, until))
  const given = Buffer.from(text)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
