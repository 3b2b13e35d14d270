import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect } from 'vitest'

import { recordings } from '#features/transcriptions/said.ts'
import * as sample from '#features/transcriptions/sample.ts'
import { documentKinds } from '#features/writing/contract.ts'
import { extractive } from '#features/writing/writing.ts'
import { unescapeHtml } from '#shared/html.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test } from '#test/database.ts'
import { aUser } from '#test/factories.ts'
import { type GoogleDocsFake, googleDocsFake } from '#test/fakes/google-docs.ts'

import * as documents from './documents.ts'
import { DOCS_SCOPE } from './google-docs.ts'
import { documents as rows } from './tables.ts'

let fake: GoogleDocsFake
beforeAll(async () => {
  fake = await googleDocsFake()
})
afterAll(() => fake.close())

const docs = test.extend<{ $file: { server: TestApp } }>({
  server: [
    async ({ database }, use) => {
      const server = await anApp(database, { settings: fake.settings, works: false })
      await use(server)
      await server.close()
    },
    { scope: 'file' },
  ],
})

/** Somebody with a plan, the sample, and a way to ask. */
async function aReader({ parts, as }: TestApp, plan: 'starter' | 'professional' = 'professional') {
  const { db } = parts.database
  const user = await aUser(db, { plan, credits: 5 })
  const { id } = await sample.open({ ...parts, db }, user.id)
  return { user, id, ask: await as(user) }
}

async function written({ parts }: TestApp, documentId: string) {
  const { db } = parts.database
  const [row] = await db.select().from(rows).where(eq(rows.id, documentId))
  await documents.write(
    { ...parts, db, writer: extractive, recordings: recordings(db) },
    { documentId, attempt: row!.attempt },
    { isLastAttempt: true, signal: new AbortController().signal },
  )
}

docs('a plan with documents is offered the eight types, another one none', async ({ server }) => {
  const { ask } = await aReader(server)
  const offered = await ask('/api/document-types')
  expect(offered.json()).toEqual(documentKinds.map((kind) => ({ ...kind, isOwn: false })))
  const starter = await aReader(server, 'starter')
  const refused = await starter.ask('/api/document-types')
  expect(refused.statusCode).toBe(403)
  expect(refused.json()).toMatchObject({ code: 'documents_need_plan' })
  expect((await server.inject('/api/document-types')).statusCode).toBe(401)
})

docs(
  'documents are written from the sample, listed, and taken away in four formats',
  async ({ server }) => {
    const { ask, id } = await aReader(server)
    const url = `/api/transcription/${id}/documents`
    for (const { id: documentType, includeImages, maxWords } of documentKinds.slice(0, 2)) {
      const answer = await ask({ method: 'POST', url, payload: { documentType, includeImages } })
      expect(answer.statusCode).toBe(200)
      await written(server, answer.json().id)
      const [newest] = (await ask(url)).json()
      expect(newest).toMatchObject({ documentType, status: 'generated' })
      expect(newest.wordCount).toBeLessThanOrEqual(maxWords)
      expect(newest.content.includes('## Image suggestions')).toBe(includeImages)
    }
    const [{ id: documentId, title }] = (await ask(url)).json()
    const file = async (format: string) => ask(`${url}/${documentId}/export?format=${format}`)
    expect((await file('txt')).body).toContain(title)
    expect((await file('txt')).body).not.toMatch(/^#|\*\*/m)
    expect((await file('md')).body).toMatch(/^# /)
    expect((await file('docx')).rawPayload.subarray(0, 2).toString()).toBe('PK')
    expect((await file('pdf')).rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await file('pdf')).headers['content-disposition']).toContain('.pdf')
    expect((await file('exe')).statusCode).toBe(400)
  },
)

docs('an unknown type is refused', async ({ server }) => {
  const { ask, id } = await aReader(server)
  const url = `/api/transcription/${id}/documents`
  const answer = await ask({ method: 'POST', url, payload: { documentType: 'novel' } })
  expect(answer.statusCode).toBe(400)
})

/** The message that the popup's page sends to the page that opened it; null when there is none. */
function toldBy(html: string): { origin: string; message: Record<string, string> | null } {
  const [, told = ''] = /data-told="([^"]*)"/.exec(html) ?? []
  return JSON.parse(unescapeHtml(told))
}

/** Goes to the permission page, chooses there, and answers where that leads. */
async function choose(authUrl: string, choice: string): Promise<string> {
  const page = await (await fetch(authUrl)).text()
  const [, href = ''] = new RegExp(`href="([^"]+)">${choice}<`).exec(page) ?? []
  const { pathname, search } = new URL(unescapeHtml(href))
  return pathname + search
}

async function begin({ ask }: { ask: Awaited<ReturnType<TestApp['as']>> }) {
  const answer = await ask('/api/google/auth-url')
  const { authUrl } = answer.json<{ authUrl: string }>()
  const [cookie] = answer.cookies as { name: string; value: string; httpOnly?: boolean }[]
  return { authUrl, cookie: cookie!, state: new URL(authUrl).searchParams.get('state') }
}

docs(
  'a permission leads to a token for the page that asked, and to a document with its looks',
  async ({ server }) => {
    const reader = await aReader(server)
    const { authUrl, cookie, state } = await begin(reader)
    expect(new URL(authUrl).searchParams.get('scope')).toBe(DOCS_SCOPE)
    expect(cookie).toMatchObject({ httpOnly: true })
    const url = await choose(authUrl, 'good')
    const page = await server.inject({ url, headers: { cookie: `${cookie.name}=${cookie.value}` } })
    expect(page.headers['cross-origin-opener-policy']).toBe('unsafe-none')
    expect(page.headers['content-security-policy']).toMatch(/script-src 'sha256-/)
    expect(page.headers['cache-control']).toBe('no-store')
    const { origin, message } = toldBy(page.body)
    expect(origin).toBe('http://localhost')
    expect(message).toEqual({
      source: 'quoth-google-docs',
      type: 'success',
      state,
      token: 'token-good',
    })

    const created = await reader.ask({
      method: 'POST',
      url: '/api/google/create-doc',
      payload: {
        token: message!.token,
        content: '## One\n\n- two',
        documentType: 'meeting-minutes',
      },
    })
    const { documentId, documentUrl } = created.json()
    expect(documentUrl).toBe(`https://docs.google.com/document/d/${documentId}/edit`)
    expect(fake.documents.get(documentId)).toMatchObject({
      title: 'meeting minutes Document',
      text: 'meeting minutes Document\nOne\ntwo\n',
    })
  },
)

docs('a copy in Google Docs has nothing that is hidden for others', async ({ server }) => {
  const { ask, id } = await aReader(server)
  const url = `/api/transcription/${id}/documents`
  const order = { method: 'POST', url, payload: { documentType: 'article' } } as const
  const { id: documentId } = (await ask(order)).json<{ id: string }>()
  await written(server, documentId)
  const [{ title, content }] = (await ask(url)).json()
  expect(content).toContain('paper')
  const hidden = `/api/transcriptions/${id}/hidden`
  const words = { words: ['paper'], for: 'others' }
  expect((await ask({ method: 'POST', url: hidden, payload: words })).statusCode).toBe(200)
  const payload = { token: 'token-good', title, content, documentType: 'article', documentId }
  const made = await ask({ method: 'POST', url: '/api/google/create-doc', payload })
  const { text } = fake.documents.get(made.json().documentId)!
  expect(text).toContain('█████')
  expect(text).not.toMatch(/paper/i)
  // Nor has one of somebody else a copy here.
  const other = await aReader(server)
  const theirs = await other.ask({ method: 'POST', url: '/api/google/create-doc', payload })
  expect(theirs.statusCode).toBe(404)
})

docs(
  'a permission that was denied or not ticked is told as that, without a token',
  async ({ server }) => {
    const reader = await aReader(server)
    for (const [choice, words] of [
      ['deny', 'Google was not allowed to create the document.'],
      ['unticked', 'Google did not confirm the permission. Please try again.'],
    ] as const) {
      const { authUrl, cookie, state } = await begin(reader)
      const url = await choose(authUrl, choice)
      const page = await server.inject({
        url,
        headers: { cookie: `${cookie.name}=${cookie.value}` },
      })
      expect(toldBy(page.body).message).toEqual({
        source: 'quoth-google-docs',
        type: 'error',
        state,
        message: words,
      })
    }
  },
)

docs('another browser, another state and a second visit are told nothing', async ({ server }) => {
  const reader = await aReader(server)
  const { authUrl, cookie } = await begin(reader)
  const own = { cookie: `${cookie.name}=${cookie.value}` }
  const url = await choose(authUrl, 'good')
  expect(toldBy((await server.inject(url)).body).message).toBeNull()
  const other = url.replace(/state=[^&]+/, 'state=somebody-elses-state')
  expect(toldBy((await server.inject({ url: other, headers: own })).body).message).toBeNull()
  expect(toldBy((await server.inject({ url, headers: own })).body).message?.type).toBe('success')
  const again = await server.inject({ url, headers: own })
  expect(toldBy(again.body).message?.type).toBe('error')
  // A state cannot break out of the page either.
  const evil = await server.inject('/api/google/callback?state="><script>alert(1)</script>&code=x')
  expect(evil.body).not.toContain('<script>alert')
})

docs(
  'a token that has expired, and a service that breaks, are told apart and leave no half document',
  async ({ server }) => {
    const { ask } = await aReader(server)
    const create = async (token: string) =>
      ask({
        method: 'POST',
        url: '/api/google/create-doc',
        payload: { token, title: 'T', content: 'text', documentType: 'article' },
      })
    const before = fake.documents.size
    expect((await create('token-expired')).json()).toMatchObject({
      code: 'google_permission_ended',
    })
    const broken = await create('token-breaking')
    expect(broken.statusCode).toBe(502)
    expect(broken.json()).toMatchObject({ code: 'google_docs_failed' })
    expect(fake.documents.size).toBe(before)
  },
)

test('where Google is not set up, its calls say so', async ({ database }) => {
  const server = await anApp(database, { works: false })
  const { ask } = await aReader(server)
  const answer = await ask('/api/google/auth-url')
  expect(answer.statusCode).toBe(503)
  expect(answer.json()).toEqual({
    message: 'Google Docs is not set up on this server.',
    code: 'google_docs_off',
  })
  await server.close()
})
