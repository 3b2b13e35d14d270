/**
 * A stand-in for Google's sign-in, an OpenID Connect issuer: a page to choose an account on, codes
 * that work once and only with their PKCE verifier, signed identities, keys. The name before the
 * `@` asks for failures: `wrong-audience@…` gets an identity that was made for another client.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { SignJWT, UnsecuredJWT, exportJWK, exportSPKI, generateKeyPair } from 'jose'

export interface GooglePerson {
  email: string
  /** Google's id of the person; by default derived from the address. */
  subject?: string
  firstName?: string
  lastName?: string
}

export interface FakeGoogle {
  /** The settings of a server that uses it. */
  settings: Record<string, string>
  /** The same of a server that knows it by its name alone, as single sign-on. */
  oidcSettings: Record<string, string>
  /** The accounts that its page offers. */
  people: GooglePerson[]
  /** Presses the button on its page: answers the address that the browser is sent back to. */
  approve: (address: string, person: GooglePerson) => Promise<URL>
  /** How many times a code was sent to be exchanged. */
  exchanges: () => number
  close: () => Promise<void>
}

interface Code {
  person: GooglePerson
  redirectUri: string
  challenge: string
  nonce: string
}

// With signs that mean something in a form, and in the header that both are sent in.
const CLIENT_ID = 'quoth client:1'
const CLIENT_SECRET = 'canary-google-secret: 100%25 + more'
const HOUR = 3600

/** The smallest picture there is. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

export async function startGoogle({
  methods,
}: {
  /** The ways in which it takes the secret, as it says itself; it takes no other. */
  methods?: string[]
} = {}): Promise<FakeGoogle> {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const stranger = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Code>()
  const people: GooglePerson[] = []
  /** Whom an access token is about, by the header that it comes in. */
  const tokens = new Map<string, object>()
  let exchanged = 0

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    switch (url.pathname) {
      case '/authorize':
        return choose(url, response)
      case '/token':
        return exchange(request, response)
      case '/.well-known/openid-configuration':
        return json(response, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/userinfo`,
          ...(methods && { token_endpoint_auth_methods_supported: methods }),
        })
      case '/userinfo': {
        const person = tokens.get(request.headers.authorization ?? '')
        return person ? json(response, 200, person) : json(response, 401, {})
      }
      case '/keys':
        return json(response, 200, { keys: [jwk] })
      case '/picture':
        response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE)
        return
      default:
        response.writeHead(404).end()
    }
  }

  /** Shows the accounts. With `as` in the address, the account is chosen at once. */
  function choose({ searchParams: query }: URL, response: ServerResponse): void {
    const redirectUri = query.get('redirect_uri') ?? ''
    const state = query.get('state') ?? ''
    const isGood =
      query.get('client_id') === CLIENT_ID &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      query.get('scope') === 'openid email profile'
    if (!isGood) {
      response.writeHead(400).end('not a request of this client')
      return
    }
    const back = (fields: Record<string, string>) => {
      const target = new URL(redirectUri)
      for (const [name, value] of Object.entries({ ...fields, state }))
        target.searchParams.set(name, value)
      response.writeHead(302, { location: target.href }).end()
    }
    const chosen = query.get('as')
    if (chosen === 'nobody') return back({ error: 'access_denied' })
    const person = people.find(({ email }) => email === chosen)
    if (!person) {
      const link = (as: string, label: string) => {
        query.set('as', as)
        return `<p><a href="/authorize?${query.toString().replaceAll('&', '&amp;')}">${label}</a></p>`
      }
      const page = people.map(({ email }) => link(email, `Continue as ${email}`)).join('')
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<title>Choose an account</title><h1>Choose an account</h1>${page}${link('nobody', 'Cancel')}`,
        )
      return
    }
    const code = randomUUID()
    codes.set(code, {
      person,
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      nonce: query.get('nonce') ?? '',
    })
    back({ code })
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    exchanged += 1
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const form = new URLSearchParams(body)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const { way, id, secret } = clientIn(request.headers.authorization, form)
    if (methods?.includes(way) === false || id !== CLIENT_ID || secret !== CLIENT_SECRET)
      return json(response, 401, { error: 'invalid_client' })
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
      return json(response, 400, { error: 'invalid_grant' })
    if (code.person.email.startsWith('token-endpoint-broken@'))
      return json(response, 500, { error: 'server_error' })
    const accessToken = randomUUID()
    const { email } = code.person
    const isSilent = email.startsWith('only-in-user-info')
    const sub = email.startsWith('only-in-user-info-of-another') ? 'another' : `subject-of-${email}`
    if (isSilent) tokens.set(`Bearer ${accessToken}`, { sub, email, email_verified: true })
    return json(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: HOUR,
      id_token: await identity(code),
    })
  }

  async function identity({ person, nonce }: Code): Promise<string> {
    const { email } = person
    const wish = email.slice(0, email.indexOf('@'))
    const now = Math.floor(Date.now() / 1000)
    const isSilent = wish.startsWith('only-in-user-info')
    const claims = {
      iss: wish === 'wrong-issuer' ? 'https://evil.example' : issuer,
      aud:
        wish === 'wrong-audience'
          ? 'somebody-else'
          : wish === 'two-audiences'
            ? [CLIENT_ID, 'somebody-else']
            : CLIENT_ID,
      // Issued to us: then only the audience says that somebody else may read it too.
      ...(wish === 'two-audiences' ? { azp: CLIENT_ID } : {}),
      sub: person.subject ?? `subject-of-${email}`,
      nonce: wish === 'wrong-nonce' ? 'of-another-trip' : nonce,
      iat: wish === 'expired' ? now - 2 * HOUR : now,
      exp: wish === 'expired' ? now - HOUR : now + HOUR,
      ...(isSilent
        ? {}
        : {
            email: wish === 'hostile-address' ? `"a@evil.example"@example.com` : email,
            email_verified: wish !== 'unverified',
          }),
      given_name: person.firstName ?? 'Grace',
      family_name: person.lastName ?? 'Googler',
      picture: `${issuer}/picture`,
    }
    if (wish === 'unsigned') return new UnsecuredJWT(claims).encode()
    if (wish === 'public-key-as-secret') return withHmac(claims, await exportSPKI(publicKey))
    const key = wish === 'foreign-key' ? stranger.privateKey : privateKey
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key-1' }).sign(key)
  }

  return {
    settings: {
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      GOOGLE_ISSUER: issuer,
      GOOGLE_AUTH_URL: `${issuer}/authorize`,
      GOOGLE_TOKEN_URL: `${issuer}/token`,
      GOOGLE_JWKS_URL: `${issuer}/keys`,
    },
    oidcSettings: {
      OIDC_ISSUER: `${issuer}/`,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Example ID',
    },
    people,
    async approve(address, person) {
      if (!people.includes(person)) people.push(person)
      // Its page, though the way there may begin at the stand-in for documents.
      const url = new URL(`/authorize${new URL(address).search}`, issuer)
      url.searchParams.set('as', person.email)
      const sent = await fetch(url, { redirect: 'manual' })
      const location = sent.headers.get('location')
      if (!location) throw new Error(`the issuer answered ${sent.status}: ${await sent.text()}`)
      return new URL(location)
    },
    exchanges: () => exchanged,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Both are written as in a form before they come into the header (RFC 6749, 2.3.1). */
function clientIn(header: string | undefined, form: URLSearchParams) {
  if (!header)
    return {
      way: 'client_secret_post',
      id: form.get('client_id'),
      secret: form.get('client_secret'),
    }
  const sent = Buffer.from(header.replace('Basic ', ''), 'base64').toString()
  const [id, secret] = sent.split(':').map((part) => new URLSearchParams(`is=${part}`).get('is'))
  return { way: 'client_secret_basic', id, secret }
}

/** An attack: signs with the public key, which everybody has, as if it were a shared secret. */
function withHmac(claims: object, secret: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS256', kid: 'key-1' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
