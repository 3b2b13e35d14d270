/**
 * Issuers that speak OpenID Connect: Google, and one of the operator's. Where the browser is sent, and
 * what the code it brings back stands for. An identity is believed only when the issuer's key signed
 * it, for us, for this trip, a moment ago.
 */
import { randomBytes } from 'node:crypto'

import { OAuth2Client, CodeChallengeMethod, generateCodeVerifier, generateState } from 'arctic'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { z } from 'zod'

import type { Clock } from '#shared/clock.ts'

import type { IssuerId } from './contract.ts'

interface Client {
  clientId: string
  clientSecret: string
  issuer: string
}

export interface GoogleSettings extends Client, Endpoints {}

export interface OidcSettings extends Client {
  /** What people call it. */
  name: string
}

interface Endpoints {
  authUrl: string
  tokenUrl: string
  jwksUrl: string
  /** Where an issuer tells what is not in the identity it signed. */
  userInfoUrl?: string | undefined
}

/** What belongs to one trip to an issuer, and is needed again when it comes back. */
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

export interface Issuer {
  id: IssuerId
  /** What people call it. */
  name: string
  newTrip(): Trip
  /** Throws when the issuer does not say where that is. */
  addressFor(trip: Trip): Promise<URL>
  /** Throws whatever is wrong with the answer; nothing about it is the visitor's to mend. */
  identify(code: string, trip: Omit<Trip, 'state'>): Promise<Person>
  /** The picture behind an address that the issuer gave, or null where it is none we would show. */
  picture(url: string): Promise<Picture | null>
}

/** Null: not set up on this server. */
export type Issuers = Readonly<Record<IssuerId, Issuer | null>>

export interface Picture {
  mediaType: string
  bytes: Buffer
}

export function issuersOf(
  { google, oidc }: { google: GoogleSettings | null; oidc: OidcSettings | null },
  context: Context,
): Issuers {
  return {
    google: google && {
      id: 'google',
      name: 'Google',
      ...issuerAt(google, context, {
        id: 'google',
        endpoints: async () => google,
        // Google itself has signed with and without the protocol.
        signs: [google.issuer, google.issuer.replace(/^https:\/\//, '')],
        // Somebody with two accounts is asked which one.
        asks: { prompt: 'select_account' },
      }),
    },
    oidc: oidc && {
      id: 'oidc',
      name: oidc.name,
      ...issuerAt(oidc, context, {
        id: 'oidc',
        endpoints: discovery(oidc.issuer),
        signs: [bare(oidc.issuer), `${bare(oidc.issuer)}/`],
        asks: {},
      }),
    },
  }
}

interface Context {
  publicUrl: URL
  clock: Clock
}

/** Some issuers have a slash at the end of their name. Operators set it with and without. */
const bare = (issuer: string) => issuer.replace(/\/$/, '')

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
})

/** Asks an issuer where its doors are, until it has said so once. */
function discovery(issuer: string): () => Promise<Endpoints> {
  let known: Promise<Endpoints> | undefined
  const ask = async (): Promise<Endpoints> => {
    const answer = await fetch(`${bare(issuer)}/.well-known/openid-configuration`, {
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (!answer.ok) throw new Error(`the issuer's description answered ${answer.status}`)
    const said = Discovery.parse(await answer.json())
    const doors = [said.authorization_endpoint, said.token_endpoint, said.jwks_uri]
    if (bare(said.issuer) !== bare(issuer)) throw new Error('the description is of another issuer')
    const all = [...doors, said.userinfo_endpoint ?? issuer]
    if (issuer.startsWith('https:') && all.some((door) => !door.startsWith('https:')))
      throw new Error('the issuer has a door without https')
    const [authUrl = '', tokenUrl = '', jwksUrl = ''] = doors
    return { authUrl, tokenUrl, jwksUrl, userInfoUrl: said.userinfo_endpoint }
  }
  return () =>
    (known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    }))
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

function issuerAt(
  { clientId, clientSecret, issuer }: Client,
  { publicUrl, clock }: Context,
  {
    id,
    endpoints,
    signs,
    asks,
  }: {
    id: IssuerId
    endpoints: () => Promise<Endpoints>
    /** By what names the issuer signs. */
    signs: string[]
    /** What the browser takes along besides. */
    asks: Readonly<Record<string, string>>
  },
): Omit<Issuer, 'id' | 'name'> {
  // Each issuer has a callback of its own: what one sends back is never taken to another.
  const callback = new URL(`/api/auth/${id}/callback`, publicUrl).href
  const client = new OAuth2Client(clientId, clientSecret, callback)
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined

  return {
    newTrip: () => ({
      state: generateState(),
      codeVerifier: generateCodeVerifier(),
      nonce: randomBytes(32).toString('base64url'),
    }),

    async addressFor({ state, codeVerifier, nonce }) {
      const { authUrl } = await endpoints()
      const method = CodeChallengeMethod.S256
      const url = client.createAuthorizationURLWithPKCE(
        authUrl,
        state,
        method,
        codeVerifier,
        SCOPES,
      )
      for (const [name, value] of Object.entries({ nonce, ...asks }))
        url.searchParams.set(name, value)
      return url
    },

    async identify(code, { codeVerifier, nonce }) {
      const { tokenUrl, jwksUrl, userInfoUrl } = await endpoints()
      keys ??= createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: PATIENCE_MS })
      const exchange = client.validateAuthorizationCode(tokenUrl, code, codeVerifier)
      const tokens = await within(PATIENCE_MS, exchange)
      const { payload } = await jwtVerify(tokens.idToken(), keys, {
        issuer: signs,
        audience: clientId,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
        requiredClaims: ['exp', 'iat'],
        clockTolerance: CLOCKS_DIFFER_SECONDS,
        currentDate: clock(),
      })
      const told =
        payload['email'] === undefined && userInfoUrl
          ? await userInfo(userInfoUrl, { token: tokens.accessToken(), subject: payload.sub })
          : {}
      const claims = Claims.parse({ ...told, aud: undefined, nonce: undefined, ...payload })
      // The library is content when we are one of several that a token is for.
      if (claims.aud !== clientId) throw new Error('the identity is for somebody else as well')
      if (claims.nonce !== nonce) throw new Error('the identity belongs to another trip')
      return { issuer: bare(issuer), ...toPerson(claims) }
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

/** Some issuers sign only who somebody is, and tell the address to whoever has the token. */
async function userInfo(
  url: string,
  { token, subject }: { token: string; subject: string | undefined },
): Promise<object> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (!answer.ok) throw new Error(`the issuer's user info answered ${answer.status}`)
  const told = z.looseObject({ sub: z.string() }).parse(await answer.json())
  if (told.sub !== subject) throw new Error('the user info is about somebody else')
  return told
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
