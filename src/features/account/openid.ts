/**
 * Google, or any issuer that speaks OpenID Connect: where the browser is sent, and what the code it
 * brings back stands for. An identity is believed only when the issuer's key signed it, for us, for
 * this trip, a moment ago.
 */
import { randomBytes } from 'node:crypto'

import { OAuth2Client, CodeChallengeMethod, generateCodeVerifier, generateState } from 'arctic'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'

import type { Clock } from '#shared/clock.ts'

export interface GoogleSettings {
  clientId: string
  clientSecret: string
  issuer: string
  authUrl: string
  tokenUrl: string
  jwksUrl: string
}

/** What belongs to one trip to Google, and is needed again when it comes back. */
interface Trip {
  state: string
  codeVerifier: string
  nonce: string
}

/** Who came back. Their address is the issuer's word, and good only where it says it is verified. */
export interface Person {
  issuer: string
  subject: string
  email: string
  isVerified: boolean
  firstName: string
  lastName: string
  pictureUrl: string | null
}

export interface Google {
  issuer: string
  newTrip(): Trip
  addressFor(trip: Trip): URL
  /** Throws whatever is wrong with the answer; nothing about it is the visitor's to mend. */
  identify(code: string, trip: Omit<Trip, 'state'>): Promise<Person>
  /** The picture behind an address that the issuer gave, or null where it is none we would show. */
  picture(url: string): Promise<Picture | null>
}

export interface Picture {
  mediaType: string
  bytes: Buffer
}

const SCOPES = ['openid', 'email', 'profile']
const PATIENCE_MS = 10_000
const CLOCKS_DIFFER_SECONDS = 60
const PICTURE_BYTES = 256 * 1024
const PICTURE_PATIENCE_MS = 3_000

const Claims = z.object({
  sub: z.string().min(1).max(255),
  aud: z.string(),
  nonce: z.string(),
  email: z.string().max(320),
  email_verified: z.boolean().default(false),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
})

export function googleAt(
  settings: GoogleSettings,
  { publicUrl, clock }: { publicUrl: URL; clock: Clock },
): Google {
  const { clientId, clientSecret, issuer, authUrl, tokenUrl, jwksUrl } = settings
  const callback = new URL('/api/auth/google/callback', publicUrl).href
  const client = new OAuth2Client(clientId, clientSecret, callback)
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: PATIENCE_MS })
  // Google itself has signed with and without the protocol.
  const issuers = [issuer, issuer.replace(/^https:\/\//, '')]

  return {
    issuer,

    newTrip: () => ({
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      nonce: randomBytes(32).toString('base64url'),
    }),

    addressFor({ state, codeVerifier, nonce }) {
      const url = client.createAuthorizationURLWithPKCE(
        authUrl,
        state,
        CodeChallengeMethod.S256,
        codeVerifier,
        SCOPES,
      )
      url.searchParams.set('nonce', nonce)
      // Somebody with two accounts is asked which one.
      url.searchParams.set('prompt', 'select_account')
      return url
    },

    async identify(code, { codeVerifier, nonce }) {
      const exchange = client.validateAuthorizationCode(tokenUrl, code, codeVerifier)
      const tokens = await within(PATIENCE_MS, exchange)
      const { payload } = await jwtVerify(tokens.idToken(), keys, {
        issuer: issuers,
        audience: clientId,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['exp', 'iat'],
        clockTolerance: CLOCKS_DIFFER_SECONDS,
        currentDate: clock(),
      })
      const claims = Claims.parse(payload)
      // The library is content when we are one of several that a token is for.
      if (claims.aud !== clientId) throw new Error('the identity is for somebody else as well')
      if (claims.nonce !== nonce) throw new Error('the identity belongs to another trip')
      return { issuer, ...toPerson(claims) }
    },

    async picture(address) {
      const url = URL.canParse(address) ? new URL(address) : null
      if (!url || !isPictureHost(url, issuer)) return null
      const signal = AbortSignal.timeout(PICTURE_PATIENCE_MS)
      const answer = await fetch(url, { redirect: 'error', signal }).catch(() => null)
      if (!answer?.ok || Number(answer.headers.get('content-length') ?? 0) > PICTURE_BYTES)
        return null
      const bytes = await readAtMost(answer, PICTURE_BYTES)
      const mediaType = bytes && mediaTypeOf(bytes)
      return mediaType ? { mediaType, bytes } : null
    },
  }
}

function toPerson(claims: z.infer<typeof Claims>): Omit<Person, 'issuer'> {
  const [first = '', ...rest] = (claims.name ?? '').trim().split(/\s+/)
  return {
    subject: claims.sub,
    email: claims.email,
    isVerified: claims.email_verified,
    firstName: nameOf(claims.given_name ?? first),
    lastName: nameOf(claims.family_name ?? (claims.given_name === undefined ? rest.join(' ') : '')),
    pictureUrl: claims.picture ?? null,
  }
}

/** As a name that was typed into our own form: no longer, and on one line. */
function nameOf(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 100)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the token endpoint did not answer in time')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Google keeps pictures at one place; another issuer must keep them at its own. */
function isPictureHost(url: URL, issuer: string): boolean {
  const isGoogles = url.protocol === 'https:' && url.hostname.endsWith('.googleusercontent.com')
  return isGoogles || url.origin === new URL(issuer).origin
}

async function readAtMost(answer: Response, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of answer.body ?? []) {
      size += chunk.length
      if (size > limit) return null
      chunks.push(chunk)
    }
  } catch {
    return null // Cut off or too slow: a picture is nothing to fail a sign-in for.
  }
  return Buffer.concat(chunks)
}

/** What it is by its first bytes, whatever the other side calls it. */
function mediaTypeOf(bytes: Buffer): string | null {
  const starts = (hex: string) => bytes.subarray(0, hex.length / 2).toString('hex') === hex
  if (starts('ffd8ff')) return 'image/jpeg'
  if (starts('89504e470d0a1a0a')) return 'image/png'
  if (starts('52494646') && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp'
  return null
}
