/**
 * A stand-in for Google's permission page, its token endpoint, and the calls of Docs and Drive that
 * make a document. On the permission page a test chooses what happens: allow, deny, allow with an
 * expired token, allow without ticking the box, or a Docs service that fails half-way. With a
 * stand-in for Google's sign-in behind it, both have one address, as at Google.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import type { FakeGoogle } from './google.ts'

const SCOPE = 'https://www.googleapis.com/auth/drive.file'
const ways = ['good', 'expired', 'unticked', 'breaking'] as const

export interface MadeDocument {
  title: string
  /** The inserted text, and its looks. */
  text: string
  requests: Record<string, unknown>[]
}

export interface GoogleDocsFake {
  /** The settings of a server that uses it. */
  settings: Record<string, string>
  documents: Map<string, MadeDocument>
  /** Scopes that were asked for. */
  scopes: string[]
  close: () => Promise<void>
}

export async function googleDocsFake(signIn?: FakeGoogle): Promise<GoogleDocsFake> {
  const documents = new Map<string, MadeDocument>()
  const scopes: string[] = []
  const challenges = new Map<string, string>()
  let count = 0
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      json(response, 500, { error: String(error) }),
    )
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = await text(request)
    if (request.method === 'GET' && url.pathname === '/authorize') {
      if (!signIn || url.searchParams.get('scope') === SCOPE) return permissionPage(url, response)
      response.writeHead(302, { Location: signIn.settings['GOOGLE_AUTH_URL'] + url.search }).end()
      return
    }
    if (request.method === 'POST' && url.pathname === '/token') {
      const form = new URLSearchParams(body)
      if (!signIn || challenges.has(form.get('code') ?? '')) return exchange(form, response)
      const answer = await fetch(signIn.settings['GOOGLE_TOKEN_URL'] ?? '', {
        method: 'POST',
        headers: { Authorization: request.headers.authorization ?? '' },
        body: form,
      })
      return json(response, answer.status, (await answer.json()) as object)
    }
    const token = /^Bearer token-(\w+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!token || token === 'expired') return json(response, 401, { error: { code: 401 } })
    if (request.method === 'POST' && url.pathname === '/v1/documents') {
      const { title } = JSON.parse(body) as { title: string }
      count += 1
      const documentId = `doc-${count}`
      documents.set(documentId, { title, text: '', requests: [] })
      return json(response, 200, { documentId, title })
    }
    const [, changed = ''] = /^\/v1\/documents\/([\w-]+):batchUpdate$/.exec(url.pathname) ?? []
    const document = documents.get(changed)
    if (document) {
      if (token === 'breaking') return json(response, 500, { error: { code: 500 } })
      const { requests } = JSON.parse(body) as { requests: Record<string, unknown>[] }
      document.requests = requests
      document.text = (requests[0] as { insertText: { text: string } }).insertText.text
      return json(response, 200, { documentId: changed, replies: [] })
    }
    const [, removed] = /^\/drive\/v3\/files\/([\w-]+)$/.exec(url.pathname) ?? []
    if (request.method === 'DELETE' && removed && documents.delete(removed)) {
      response.writeHead(204).end()
      return
    }
    json(response, 404, { error: { code: 404 } })
  }

  function permissionPage({ searchParams }: URL, response: ServerResponse): void {
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    const state = searchParams.get('state') ?? ''
    scopes.push(searchParams.get('scope') ?? '')
    const choices = ways.map((way) => {
      const code = `${way}-${challenges.size}`
      challenges.set(code, searchParams.get('code_challenge') ?? '')
      return [way, new URLSearchParams({ state, code })] as const
    })
    const denied = new URLSearchParams({ state, error: 'access_denied' })
    const links = [...choices, ['deny', denied] as const].map(
      ([name, query]) =>
        `<li><a href="${back.href}?${query.toString().replaceAll('&', '&amp;')}">${name}</a></li>`,
    )
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>Permission</title><ul>${links.join('')}</ul>`)
  }

  function exchange(form: URLSearchParams, response: ServerResponse): void {
    const code = form.get('code') ?? ''
    const challenge = challenges.get(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!challenge || challenge !== proof) return json(response, 400, { error: 'invalid_grant' })
    challenges.delete(code)
    const [way = ''] = code.split('-')
    json(response, 200, {
      access_token: `token-${way}`,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: way === 'unticked' ? 'openid' : SCOPE,
    })
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'secret',
      ...signIn?.settings,
      GOOGLE_AUTH_URL: `${address}/authorize`,
      GOOGLE_TOKEN_URL: `${address}/token`,
      GOOGLE_DOCS_URL: address,
      GOOGLE_DRIVE_URL: address,
    },
    documents,
    scopes,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
