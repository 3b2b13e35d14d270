/**
 * Issuers that speak OpenID Connect: Google, and one of the operator's. Makes the address that the
 * browser is sent to, and reads the identity behind the code that it brings back. An identity is
 * believed only when the issuer's key signed it, for us, for this trip, a moment ago.
 */
import * as client from 'openid-client'
import { z } from 'zod'

import { isStorable } from '#server/storable.ts'

import type { IssuerId } from './contract.ts'

interface Client {
  clientId: string
  clientSecret: string
  issuer: string
}

export interface GoogleSettings extends Client {
  authUrl: string
  tokenUrl: string
  jwksUrl: string
}

export interface OidcSettings extends Client {
  /** What people call it. */
  name: string
}

/** The secrets of one trip to an issuer, which are needed again when it comes back. */
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
  /**
   * The identity that comes back with this query. Throws on any fault; the visitor can mend none of
   * them.
   */
  identify(query: string, trip: Trip): Promise<Person>
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
  publicUrl: URL,
): Issuers {
  return {
    google:
      google &&
      issuerAt(google, publicUrl, {
        id: 'google',
        name: 'Google',
        find: async () => googleAt(google),
        // Somebody with two accounts is asked which one.
        asks: { prompt: 'select_account' },
      }),
    oidc:
      oidc &&
      issuerAt(oidc, publicUrl, { id: 'oidc', name: oidc.name, find: discovery(oidc), asks: {} }),
  }
}

/** Some issuers have a slash at the end of their name. Operators set it with and without. */
const bare = (issuer: string) => issuer.replace(/\/$/, '')

/** Only an issuer that is named with http is spoken to by it. */
const guardsFor = (issuer: string) => [
  // Else the library would believe any token that comes over TLS, without looking at its signature.
  client.enableNonRepudiationChecks,
  ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
]

function googleAt({
  issuer,
  clientId,
  clientSecret,
  ...urls
}: GoogleSettings): client.Configuration {
  const doors = {
    issuer,
    authorization_endpoint: urls.authUrl,
    token_endpoint: urls.tokenUrl,
    jwks_uri: urls.jwksUrl,
  }
  const config = new client.Configuration(doors, clientId, metadataOf(clientSecret))
  for (const guard of guardsFor(urls.tokenUrl)) guard(config)
  config.timeout = PATIENCE_SECONDS
  return config
}

/** Asks an issuer where its doors are, until it has said so once. */
function discovery({ issuer, clientId, clientSecret }: OidcSettings) {
  let known: Promise<client.Configuration> | undefined
  const ask = async () => {
    const config = await client.discovery(
      new URL(`${bare(issuer)}/.well-known/openid-configuration`),
      clientId,
      metadataOf(clientSecret),
      secretAsListed(clientSecret),
      { execute: guardsFor(issuer), timeout: PATIENCE_SECONDS },
    )
    if (bare(config.serverMetadata().issuer) !== bare(issuer))
      throw new Error('the description is of another issuer')
    return config
  }
  return () =>
    (known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    }))
}

const metadataOf = (secret: string) => ({
  client_secret: secret,
  [client.clockTolerance]: CLOCKS_DIFFER_SECONDS,
})

/** Issuers that list no way take the secret in the header: OpenID Connect says so. */
function secretAsListed(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const listed = server.token_endpoint_auth_methods_supported
    return (!listed || listed.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

const SCOPES = 'openid email profile'
const PATIENCE_SECONDS = 10
const CLOCKS_DIFFER_SECONDS = 60
const PICTURE_BYTES = 256 * 1024
const PICTURE_PATIENCE_MS = 3_000

const Claims = z.object({
  sub: z.string().min(1).max(255).refine(isStorable),
  aud: z.string(),
  email: z.string().max(320).refine(isStorable),
  email_verified: z.boolean().default(false),
  given_name: z.string().optional(),
  family_name: z.string().optional(),
  name: z.string().optional(),
  picture: z.string().optional(),
})

function issuerAt(
  { clientId, issuer }: Client,
  publicUrl: URL,
  {
    id,
    name,
    find,
    asks,
  }: Pick<Issuer, 'id' | 'name'> & {
    find: () => Promise<client.Configuration>
    /** The parameters that the browser takes along besides. */
    asks: Readonly<Record<string, string>>
  },
): Issuer {
  // Each issuer has a callback of its own, so a code of one is never taken to another.
  const callback = new URL(`/api/auth/${id}/callback`, publicUrl).href

  return {
    id,
    name,

    newTrip: () => ({
      state: client.randomState(),
      codeVerifier: client.randomPKCECodeVerifier(),
      nonce: client.randomNonce(),
    }),

    async addressFor({ state, codeVerifier, nonce }) {
      return client.buildAuthorizationUrl(await find(), {
        redirect_uri: callback,
        scope: SCOPES,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...asks,
      })
    },

    async identify(query, { state, codeVerifier, nonce }) {
      const config = await find()
      const back = new URL(callback)
      back.search = query
      const tokens = await client.authorizationCodeGrant(config, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const signed = tokens.claims()
      if (!signed) throw new Error('the issuer has sent no identity')
      const isSilent = signed['email'] === undefined && config.serverMetadata().userinfo_endpoint
      // Some issuers sign only the identity, and answer the address to a holder of the token.
      const told = isSilent
        ? await client.fetchUserInfo(config, tokens.access_token, signed.sub)
        : {}
      const claims = Claims.parse({ ...told, ...signed })
      // The library is content when we are one of several that a token is for.
      if (claims.aud !== clientId) throw new Error('the identity is for somebody else as well')
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

/** The media type by the first bytes of the file; the type in the answer is not believed. */
function mediaTypeOf(bytes: Buffer): string | null {
  const starts = (hex: string) => bytes.subarray(0, hex.length / 2).toString('hex') === hex
  if (starts('ffd8ff')) return 'image/jpeg'
  if (starts('89504e470d0a1a0a')) return 'image/png'
  if (starts('52494646') && bytes.subarray(8, 12).toString('latin1') === 'WEBP') return 'image/webp'
  return null
}
