/**
 * Mail goes out through SMTP or, where none is set up, into files in the outbox. The address a
 * mail is for is handed over as it is stored and never read again by an address parser: parsers
 * disagree, and a disagreement sends a reset link to a stranger.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { createTransport } from 'nodemailer'

import { codeOf } from './error-codes.ts'
import { silentLog, type Log } from './log.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Names the mail: sent a second time, it carries the same Message-ID. */
  id?: string
  /** Whom an answer goes to, where that is not the sender. */
  replyTo?: string
  /**
   * The address that switches mails of this kind off: opened it shows a page, and a POST to it is
   * enough (RFC 8058).
   */
  offUrl?: string
}

/** `refused`: the receiving side will never take it, so trying again is of no use. */
type SendResult = { kind: 'sent' } | { kind: 'refused'; status: number }

export interface Mailer {
  /** Throws when it may work later. */
  send(mail: Mail): Promise<SendResult>
  /** Tries to sign in to the mail server, and says in the log whether it works. Never throws. */
  check(): Promise<void>
  /** Why the last mail, or the last sign-in to the mail server, failed; null where it worked. */
  failure(): MailFailure | null
  close(): void
}

export interface MailFailure {
  /** Of the first of those that failed in a row. */
  at: Date
  error: unknown
}

interface MailerOptions {
  log?: Log
  /** Where answers go when a mail does not say. The sender's mailbox is often read by nobody. */
  replyTo?: string | null
}

const CHECK_AGAIN_MS = 60_000
/** Errors that are about one mail: the mail server itself works. */
const aboutOneMail = new Set(['EENVELOPE', 'EMESSAGE'])

/**
 * Over `smtp://`, nothing is sent before TLS has begun. Otherwise somebody on the way could remove
 * the mail server's offer of TLS, and read the password. Mails go out without TLS only with
 * `?tls=off`, or to a mail server on this machine that has none.
 */
export function smtpMailer(
  address: string,
  from: string,
  { log = silentLog, replyTo = null }: MailerOptions = {},
): Mailer {
  const url = new URL(address)
  const isTlsOff = url.searchParams.get('tls') === 'off'
  url.searchParams.delete('tls')
  const isOnThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const transport = createTransport({
    url: url.href,
    pool: true,
    maxConnections: 3,
    requireTLS: url.protocol === 'smtp:' && !isTlsOff && !isOnThisMachine,
    ignoreTLS: isTlsOff,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  /** Undefined before anything was tried. */
  let failure: MailFailure | null | undefined
  let again: NodeJS.Timeout | undefined

  function works(): void {
    if (failure !== null) log.info('the mail server takes mails')
    failure = null
  }
  function fails(error: unknown): void {
    if (!failure) log.error({ err: error }, 'the mail server cannot be used')
    failure = { at: failure?.at ?? new Date(), error }
  }
  async function check(): Promise<void> {
    try {
      await transport.verify()
      works()
    } catch (error) {
      fails(error)
      // A process that sends no mail itself would otherwise never learn that it works again.
      again = setTimeout(() => void check(), CHECK_AGAIN_MS).unref()
    }
  }

  return {
    async send(mail) {
      try {
        await transport.sendMail(message(mail, { from, replyTo }))
        works()
        return { kind: 'sent' }
      } catch (error) {
        const isServers = !aboutOneMail.has(codeOf(error))
        if (isServers) fails(error)
        const status = refusedRecipient(error)
        if (status === null) throw error
        return { kind: 'refused', status }
      }
    },
    check,
    failure: () => failure ?? null,
    close() {
      clearTimeout(again)
      transport.close()
    },
  }
}

export function outboxMailer(
  dir: string,
  from: string,
  { replyTo = null }: MailerOptions = {},
): Mailer {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      const { message: eml } = await transport.sendMail(message(mail, { from, replyTo }))
      await mkdir(dir, { recursive: true, mode: 0o700 })
      // The time first, so that names sort as the mails were sent.
      const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${mail.id ?? randomUUID()}`
      const unfinished = join(dir, `${name}.part`)
      await writeFile(unfinished, eml, { mode: 0o600, flush: true })
      await rename(unfinished, join(dir, `${name}.eml`))
      return { kind: 'sent' }
    },
    check: async () => {},
    failure: () => null,
    close: () => transport.close(),
  }
}

function message(
  { to, subject, text, html, id, offUrl, ...mail }: Mail,
  { from, ...sent }: { from: string; replyTo: string | null },
) {
  const replyTo = mail.replyTo ?? sent.replyTo
  const sender = /<([^<>]+)>$/.exec(from)?.[1] ?? from
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  return {
    from,
    to: { name: '', address: to },
    envelope: { from: sender, to: [to] },
    ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
    subject: subject.replace(/\p{Cc}+/gu, ' '),
    text,
    html,
    // For every part: plain ASCII would otherwise travel as it is, and read back as something else.
    encoding: 'quoted-printable',
    ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(offUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${offUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  }
}

/** The SMTP status with which the recipient was refused for good, or null for any other failure. */
function refusedRecipient(error: unknown): number | null {
  if (!(error instanceof Error) || !('responseCode' in error)) return null
  const { responseCode } = error
  const isForGood = typeof responseCode === 'number' && responseCode >= 500
  return codeOf(error) === 'EENVELOPE' && isForGood ? responseCode : null
}

/** A mail in the outbox, as a person reads it. */
export interface KeptMail {
  name: string
  to: string
  subject: string
  date: string
  text: string
}

const mailName = /^[\w-]+\.eml$/

async function namesIn(dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  return (await readdir(dir)).filter((name) => mailName.test(name))
}

/** Newest first. */
export async function listOutbox(dir: string, { limit = 100 } = {}): Promise<KeptMail[]> {
  const newest = (await namesIn(dir)).sort().reverse().slice(0, limit)
  return Promise.all(newest.map((name) => readKept(dir, name)))
}

/** Removes the kept mails to an address whose owner is gone, and those that answer to it. */
export async function forgetMailsTo(dir: string, email: string): Promise<void> {
  const address = email.toLowerCase()
  const lines = [`to: ${address}`, `reply-to: ${address}`]
  for (const name of await namesIn(dir)) {
    const [head = ''] = (await readFile(join(dir, name), 'latin1')).split('\r\n\r\n', 1)
    const isAbout = head.split('\r\n').some((line) => lines.includes(line.toLowerCase()))
    if (isAbout) await rm(join(dir, name), { force: true })
  }
}

export async function findInOutbox(dir: string, name: string): Promise<KeptMail | null> {
  return (await namesIn(dir)).includes(name) ? readKept(dir, name) : null
}

/** Reads what `message` wrote: headers, then a first part that is quoted-printable text. */
async function readKept(dir: string, name: string): Promise<KeptMail> {
  const eml = await readFile(join(dir, name), 'latin1')
  const [head = ''] = eml.split('\r\n\r\n', 1)
  const header = (field: string) => {
    const unfolded = head.replace(/\r\n[ \t]+/g, ' ')
    return new RegExp(`^${field}: (.*)$`, 'im').exec(unfolded)?.[1] ?? ''
  }
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1]
  const parts = boundary ? eml.split(`--${boundary}`) : [eml]
  const plain = parts.find((part) => /^content-type: text\/plain/im.test(part)) ?? ''
  const body = plain.slice(plain.indexOf('\r\n\r\n') + 4)
  return {
    name,
    to: header('To'),
    subject: decodeWords(header('Subject')),
    date: header('Date'),
    text: decodeQuotedPrintable(body).trim(),
  }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}

/** A subject beyond ASCII travels in "encoded words". */
function decodeWords(text: string): string {
  return text.replace(
    /=\?utf-8\?([QB])\?([^?]*)\?=(?:\s+(?==\?))?/gi,
    (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuotedPrintable(word.replaceAll('_', ' ')),
  )
}
