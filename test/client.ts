/** A user without a browser: signs up through the mails in the outbox, uploads, confirms, waits. */
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'

import { User } from '#features/account/contract.ts'
import { UploadAnswer } from '#features/recordings/contract.ts'
import { ConfirmAnswer, Transcription } from '#features/transcriptions/contract.ts'
import { isFinished } from '#features/transcriptions/status.ts'

export class Client {
  readonly url: string
  readonly #jar = new Map<string, string>()

  constructor(url: string) {
    this.url = url
  }

  async call(method: string, pathName: string, body?: unknown): Promise<Response> {
    const isForm = body instanceof FormData
    const answer = await fetch(new URL(pathName, this.url), {
      method,
      headers: {
        Origin: this.url,
        'Sec-Fetch-Site': 'same-origin',
        ...(this.#jar.size > 0
          ? { Cookie: [...this.#jar].map((pair) => pair.join('=')).join('; ') }
          : {}),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      redirect: 'manual',
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.#jar.delete(name)
      else this.#jar.set(name, value)
    }
    return answer
  }

  cookie(name: string): string | undefined {
    return this.#jar.get(name)
  }

  /** Like `call`, but throws when the answer is an error. */
  async expect(method: string, pathName: string, body?: unknown): Promise<unknown> {
    const answer = await this.call(method, pathName, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${pathName}: ${answer.status}: ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  /** Registers and follows the mailed link, which signs in. */
  async signUp({ email, dataDir }: { email: string; dataDir: string }): Promise<User> {
    const password = 'correct horse battery staple'
    await this.expect('POST', '/api/register', {
      email,
      password,
      firstName: 'Ada',
      lastName: 'Lovett',
    })
    const token = await mailedToken({ dataDir, email, kind: 'verify' })
    await this.expect('POST', '/api/verify-email', { token })
    return this.user()
  }

  async user(): Promise<User> {
    return User.parse(await this.expect('GET', '/api/user'))
  }

  async upload(file: { name: string; bytes: Uint8Array<ArrayBuffer> }): Promise<UploadAnswer> {
    const form = new FormData()
    form.set('summaryLanguage', 'en')
    form.set('file', new Blob([file.bytes]), file.name)
    return UploadAnswer.parse(await this.expect('POST', '/api/upload', form))
  }

  async confirm(id: string): Promise<ConfirmAnswer> {
    return ConfirmAnswer.parse(
      await this.expect('POST', `/api/transcriptions/${id}/confirm`, { summaryLanguage: 'en' }),
    )
  }

  async transcription(id: string): Promise<Transcription> {
    return Transcription.parse(await this.expect('GET', `/api/transcriptions/${id}`))
  }

  /** Polls until the job has completed or failed. */
  async ended(id: string, { withinMs = 120_000 } = {}): Promise<Transcription> {
    const deadline = Date.now() + withinMs
    for (;;) {
      const transcription = await this.transcription(id)
      if (isFinished(transcription.status)) return transcription
      if (Date.now() > deadline) throw new Error(`${id} is still at ${transcription.status}`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** The token of the newest mail of a kind to an address; mails are sent by a job, so it waits. */
export async function mailedToken({
  dataDir,
  email,
  kind,
}: {
  dataDir: string
  email: string
  kind: 'verify' | 'reset' | 'change'
}): Promise<string> {
  const outbox = path.join(dataDir, 'outbox')
  const deadline = Date.now() + 20_000
  // A mail is whole when it gets its name, so each is read once: many journeys share one outbox.
  const read = new Set<string>()
  for (;;) {
    const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'))
    for (const name of names.sort().reverse()) {
      if (read.has(name)) continue
      read.add(name)
      const mail = (await readFile(path.join(outbox, name), 'utf8'))
        .replace(/=\r?\n/g, '')
        .replace(/=3D/g, '=')
      if (!mail.includes(email)) continue
      const token = new RegExp(`\\?${kind}=([\\w-]+)`).exec(mail)?.[1]
      if (token) return token
    }
    if (Date.now() > deadline) throw new Error(`no ${kind} mail to ${email} in ${outbox}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
