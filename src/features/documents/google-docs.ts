/**
 * Writes documents into a user's own Google Docs. It asks for the smallest permission that Google
 * has: to change files that this application made itself. The user gives it in a popup. The token
 * lasts an hour, goes to the page that asked for it, and is neither stored nor logged.
 */
import * as oauth from 'openid-client'
import { z } from 'zod'

import { Refusal } from '#shared/refusals.ts'

import { type Block, blocksOf, textOf } from './markdown.ts'

export interface GoogleDocsSettings {
  clientId: string
  clientSecret: string
  authUrl: string
  tokenUrl: string
  docsUrl: string
  driveUrl: string
}

/** The content of the cookie that the browser keeps until Google sends the user back. */
export interface DocsTrip {
  state: string
  codeVerifier: string
}

export interface GoogleDocs {
  newTrip(): DocsTrip
  addressFor(trip: DocsTrip): Promise<URL>
  /**
   * Exchanges the code that Google sent back for a token. Throws when Google does not accept it.
   */
  tokenFor(code: string, trip: DocsTrip): Promise<string>
  /** @throws Refusal `google_permission_ended`, `google_docs_failed` */
  create(
    token: string,
    document: { title: string; content: string },
  ): Promise<{ documentId: string; documentUrl: string }>
}

export const DOCS_SCOPE = 'https://www.googleapis.com/auth/drive.file'
const PATIENCE_MS = 15_000
const ISSUER = 'https://accounts.google.com'

export function googleDocsAt(settings: GoogleDocsSettings, publicUrl: URL): GoogleDocs {
  const { clientId, clientSecret, authUrl, tokenUrl, docsUrl, driveUrl } = settings
  const callback = new URL('/api/google/callback', publicUrl).href
  const doors = { issuer: ISSUER, authorization_endpoint: authUrl, token_endpoint: tokenUrl }
  const config = new oauth.Configuration(doors, clientId, clientSecret)
  config.timeout = PATIENCE_MS / 1000
  if (tokenUrl.startsWith('http:')) oauth.allowInsecureRequests(config)

  async function call(token: string, method: string, url: URL, body?: object): Promise<unknown> {
    const answer = await fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: unknown) => {
      throw new Refusal('google_docs_failed', { cause: error })
    })
    if (answer.status === 401 || answer.status === 403) throw new Refusal('google_permission_ended')
    if (!answer.ok)
      throw new Refusal('google_docs_failed', {
        cause: new Error(`Google answered ${answer.status}`),
      })
    return answer.status === 204 ? null : answer.json().catch(() => null)
  }

  return {
    newTrip: () => ({ state: oauth.randomState(), codeVerifier: oauth.randomPKCECodeVerifier() }),

    addressFor: async ({ state, codeVerifier }) =>
      oauth.buildAuthorizationUrl(config, {
        redirect_uri: callback,
        scope: DOCS_SCOPE,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }),

    async tokenFor(code, { state, codeVerifier }) {
      const back = new URL(callback)
      back.search = new URLSearchParams({ code, state }).toString()
      const { access_token, scope } = await oauth.authorizationCodeGrant(config, back, {
        expectedState: state,
        pkceCodeVerifier: codeVerifier,
      })
      // In the popup a user can untick the permission.
      if (scope !== undefined && !scope.split(' ').includes(DOCS_SCOPE))
        throw new Error('the permission to make files was not given')
      return access_token
    },

    async create(token, { title, content }) {
      const made = await call(token, 'POST', new URL('/v1/documents', docsUrl), { title })
      const parsed = Created.safeParse(made)
      if (!parsed.success) throw new Refusal('google_docs_failed', { cause: parsed.error })
      const { documentId } = parsed.data
      try {
        const requests = requestsFor(title, blocksOf(content))
        await call(token, 'POST', new URL(`/v1/documents/${documentId}:batchUpdate`, docsUrl), {
          requests,
        })
      } catch (error) {
        // A document that was only half written is deleted. If this fails too, its owner can delete
        // it.
        await call(token, 'DELETE', new URL(`/drive/v3/files/${documentId}`, driveUrl)).catch(
          (second: unknown) => second,
        )
        throw error
      }
      return { documentId, documentUrl: `https://docs.google.com/document/d/${documentId}/edit` }
    },
  }
}

/** The browser opens an address with this id in it, so only safe letters are accepted. */
const Created = z.object({ documentId: z.string().regex(/^[\w-]{1,200}$/) })

interface Range {
  startIndex: number
  endIndex: number
}

/**
 * Inserts all text first, then formats it by place, counted in UTF-16 units as Google does. Lists
 * come last, and from the end of the document to its start: making a list removes the tabs that say
 * how deep its points are, which moves everything behind it.
 */
export function requestsFor(title: string, blocks: readonly Block[]): object[] {
  const looks: object[] = []
  const lists: { range: Range; isNumbered: boolean }[] = []
  let text = ''
  const write = (line: string): Range => {
    const startIndex = text.length + 1
    text += `${line.replaceAll('\n', '\u000b')}\n`
    return { startIndex, endIndex: text.length + 1 }
  }
  const style = (range: Range, namedStyleType: string) =>
    looks.push({
      updateParagraphStyle: { range, paragraphStyle: { namedStyleType }, fields: 'namedStyleType' },
    })

  style(write(title), 'TITLE')
  let before: Block | undefined
  for (const block of blocks) {
    const indent = block.kind === 'item' ? '\t'.repeat(block.depth) : ''
    const range = write(indent + textOf(block.spans))
    bold(block, range.startIndex + indent.length, looks)
    if (block.kind === 'heading') style(range, block.level === 2 ? 'HEADING_1' : 'HEADING_2')
    if (block.kind === 'quote')
      looks.push({
        updateParagraphStyle: {
          range,
          paragraphStyle: { indentStart: { magnitude: 24, unit: 'PT' } },
          fields: 'indentStart',
        },
      })
    if (block.kind === 'item') {
      const isNumbered = block.number !== null
      const last = lists.at(-1)
      const goesOn =
        before?.kind === 'item' && last && (last.isNumbered === isNumbered || block.depth > 0)
      if (goesOn) last.range.endIndex = range.endIndex
      else lists.push({ range, isNumbered })
    }
    before = block
  }
  return [
    { insertText: { location: { index: 1 }, text } },
    ...looks,
    ...lists.toReversed().map(({ range, isNumbered }) => ({
      createParagraphBullets: {
        range,
        bulletPreset: isNumbered ? 'NUMBERED_DECIMAL_ALPHA_ROMAN' : 'BULLET_DISC_CIRCLE_SQUARE',
      },
    })),
  ]
}

function bold({ spans }: Block, from: number, looks: object[]): void {
  let at = from
  for (const { text, isBold } of spans) {
    const range = { startIndex: at, endIndex: at + text.length }
    if (isBold)
      looks.push({ updateTextStyle: { range, textStyle: { bold: true }, fields: 'bold' } })
    at += text.length
  }
}
