/**
 * The mails that were kept on this machine because no mail server is set up, for whoever tries the
 * product on it: plain HTML, to the machine's own visitors only.
 */
import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

import { BRAND } from '#shared/business.ts'

import { refuse } from './errors.ts'
import { type KeptMail, findInOutbox, listOutbox } from './mail.ts'

const css = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
ul { list-style: none; padding: 0 }
li { padding: .75rem 0; border-top: 1px solid #8886 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
small { opacity: .8 }
`
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const Name = z.object({ name: z.string() })

export function addDevMail(
  app: FastifyInstance,
  { outboxDir, isAllowed }: { outboxDir: string; isAllowed: (ip: string | undefined) => boolean },
): void {
  app.get('/dev/mail', async (request, reply) => {
    if (!isAllowed(request.raw.socket.remoteAddress)) return refuse(reply, 'not_found')
    return sendPage(reply, 'Mail kept on this machine', list(await listOutbox(outboxDir)))
  })

  app.get('/dev/mail/:name', async (request, reply) => {
    const { name } = Name.parse(request.params)
    const isFine = isAllowed(request.raw.socket.remoteAddress)
    const mail = isFine ? await findInOutbox(outboxDir, name) : null
    return mail ? sendPage(reply, mail.subject, letter(mail)) : refuse(reply, 'not_found')
  })
}

function list(mails: KeptMail[]): string {
  const intro =
    '<p>No mail server is set up (<code>SMTP_URL</code>), so mails are kept here instead of being sent.</p>'
  if (mails.length === 0) return `${intro}<p>There is no mail yet.</p>`
  const items = mails.map(
    ({ name, subject, to, date }) =>
      `<li><a href="/dev/mail/${escape(name)}">${escape(subject)}</a><br><small>to ${escape(to)}, ${escape(date)}</small></li>`,
  )
  return `${intro}<ul>${items.join('')}</ul>`
}

function letter({ to, date, text }: KeptMail): string {
  const linked = escape(text).replace(
    /https?:\/\/[^\s<>"']+/g,
    (address) => `<a href="${address}">${address}</a>`,
  )
  return `<p><small>to ${escape(to)}, ${escape(date)}</small></p><pre>${linked}</pre><p><a href="/dev/mail">All mail</a></p>`
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', policy)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escape(title)} · ${BRAND}</title><style>${css}</style></head><body><main><h1>${escape(title)}</h1>${body}</main></body></html>`,
    )
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
