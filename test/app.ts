/**
 * The whole server without a port: the app on a test's own database, with a real queue, storage in
 * a folder of its own and mails in an outbox. Requests come in through `inject`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

import * as sessions from '#features/account/sessions.ts'
import { type Parts, buildApp, outboxDir } from '#root/app.ts'
import { mailWriters, queues } from '#root/worker.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/db.ts'
import { keepingUnknown } from '#server/file-marks.ts'
import { startJobs } from '#server/jobs.ts'
import { silentLog } from '#server/log.ts'
import { mailJobs } from '#server/mail-jobs.ts'
import { type KeptMail, listOutbox, outboxMailer } from '#server/mail.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'
import { capabilities } from '#test/engine.ts'
import { aSession } from '#test/factories.ts'
import { threadsHere } from '#test/threads-here.ts'

type Inject = (options: InjectOptions | string) => Promise<LightMyRequestResponse>

export interface TestApp {
  app: FastifyInstance
  parts: Parts
  dataDir: string
  /** A request as our own page makes it, without anybody signed in. */
  inject: Inject
  /** The same from a browser, which keeps its cookies. */
  aBrowser: () => Inject & { jar: Map<string, string> }
  /** Signs a user in, and answers a function that makes requests as that user. */
  as: (user: { id: string }) => Promise<Inject>
  /** Delivers the mails that are queued and answers all that were sent to an address, newest first. */
  mailsTo: (email: string, options: { atLeast: number }) => Promise<KeptMail[]>
  close: () => Promise<void>
}

/**
 * Starts the app; call `close` when done. With `works` the queue's mails are delivered. A test
 * starts other jobs itself, with `parts.queue.work`.
 */
export async function anApp(
  database: Database,
  {
    settings = {},
    parts: others = {},
    works = true,
  }: { settings?: Record<string, string>; parts?: Partial<Parts>; works?: boolean } = {},
): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quoth-app-'))
  const config = readConfig({ PUBLIC_URL: 'http://localhost', DATA_DIR: dataDir, ...settings })
  const clientDir = join(dataDir, 'no-client')
  const queue = await openQueue(database, { log: silentLog, queues })
  const { clock = systemClock } = others
  const parts: Parts = {
    config,
    database,
    queue,
    storage: keepingUnknown(database.db, diskStorage(join(dataDir, 'files'))),
    clock,
    log: silentLog,
    threads: threadsHere({ db: database.db, clock }),
    engines: {
      speech: 'pocketsphinx',
      writing: 'extractive',
      decoder: 'unsandboxed',
      capabilities,
    },
    clientDir,
    ...others,
  }
  const { publicUrl } = config.web
  const mailer = outboxMailer(outboxDir(config), config.mail.from)
  if (works) {
    const { supportEmail } = config.mail
    const writers = mailWriters({ db: database.db, clock, publicUrl, supportEmail })
    await startJobs(mailJobs, { queue, mailer, log: parts.log, writers })
  }
  const app = await buildApp(parts)

  const injectWith =
    (more: Record<string, string>): Inject =>
    async (given) => {
      const options = typeof given === 'string' ? { url: given } : given
      const own = {
        host: publicUrl.host,
        origin: publicUrl.origin,
        'sec-fetch-site': 'same-origin',
      }
      return app.inject({ ...options, headers: { ...own, ...more, ...options.headers } })
    }

  return {
    app,
    parts,
    dataDir,
    inject: injectWith({}),
    aBrowser() {
      const jar = new Map<string, string>()
      const inject: Inject = async (options) => {
        const cookie = [...jar].map((pair) => pair.join('=')).join('; ')
        const answer = await injectWith({ cookie })(options)
        for (const { name, value } of answer.cookies)
          if (value === '') jar.delete(name)
          else jar.set(name, value)
        return answer
      }
      return Object.assign(inject, { jar })
    },
    async as({ id: userId }) {
      const { token } = await aSession(database.db, { userId, now: parts.clock() })
      return injectWith({ cookie: `${sessions.cookieFor(publicUrl).name}=${token}` })
    },
    async mailsTo(email, { atLeast }) {
      const deadline = Date.now() + 15_000
      for (;;) {
        const mails = (await listOutbox(outboxDir(config))).filter(({ to }) => to === email)
        if (mails.length >= atLeast) return mails
        if (Date.now() > deadline)
          throw new Error(`${mails.length} of ${atLeast} mails to ${email} were sent`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async close() {
      await app.close()
      await queue.stop({ timeoutMs: 2_000 })
      mailer.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The token in the link of a mail. */
export function tokenIn({ text }: KeptMail): string {
  const token = /[?&](?:verify|reset)=([\w-]+)/.exec(text)?.[1]
  if (!token) throw new Error('the mail holds no link with a token')
  return token
}
