/**
 * The mails that were kept on this machine because no mail server is set up, for whoever tries the
 * product on it: plain HTML, to the machine's own visitors only.
 */
import { createHash } from 'node:crypto'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { BRAND } from '#shared/business.ts'
import { escapeHtml } from '#shared/html.ts'

import { refuse } from './errors.ts'
import { type KeptMail, findInOutbox, listOutbox } from './mail.ts'

/** The colours of the product (web/styles.css); its fonts are left out, nothing is loaded here. */
const css = `
:root { color-scheme: light dark; --paper: #f6fbf7; --rule: #d0dcd3; --ink: #121f1a; --ink-2: #4a5650; --link: #104832 }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1612; --rule: #2d3832; --ink: #e9f1eb; --ink-2: #afbab2; --link: #9be3b5 } }
body { max-width: 46rem; margin: 0 auto; padding: 2.5rem 1rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
header { font: 600 1.25rem Georgia, serif }
h1 { margin: 2rem 0 .75rem; font: 600 2rem/1.15 Georgia, serif }
p { margin: 0 0 1rem }
a { color: var(--link); text-underline-offset: 4px }
a:hover { text-decoration-thickness: 2px }
ul { margin: 1.5rem 0 0; padding: 0; list-style: none; border-bottom: 1px solid var(--rule) }
li { padding: .875rem 0; border-top: 1px solid var(--rule) }
li a { font-weight: 600 }
pre { margin: 1.5rem 0; padding: 1.5rem 0; border: solid var(--rule); border-width: 1px 0; white-space: pre-wrap; font: inherit }
small { color: var(--ink-2); font-size: .9375rem }
`
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const Name = z.object({ name: z.string() })

/** What proxies add. Behind one every visitor seems to sit at this machine. */
const forwarding = /^(forwarded|via|x-forwarded(-.+)?|x-real-ip|(.+-)?(client|connecting)-ip)$/

/** Whether a request was made on this machine, and passed on by nobody. */
export function isFromHere({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? ''
  const isLoopback = address === '::1' || /^(::ffff:)?127\./.test(address)
  return isLoopback && !Object.keys(headers).some((name) => forwarding.test(name))
}

export function addDevMail(app: FastifyInstance, { outboxDir }: { outboxDir: string }): void {
  app.get('/dev/mail', async (request, reply) => {
    if (!isFromHere(request)) return refuse(reply, 'not_found')
    return sendPage(reply, 'Mail kept on this machine', list(await listOutbox(outboxDir)))
  })

  app.get('/dev/mail/:name', async (request, reply) => {
    const { name } = Name.parse(request.params)
    const mail = isFromHere(request) ? await findInOutbox(outboxDir, name) : null
    return mail ? sendPage(reply, mail.subject, letter(mail)) : refuse(reply, 'not_found')
  })
}

function list(mails: KeptMail[]): string {
  const intro =
    '<p>No mail server is set up (<code>SMTP_URL</code>), so mails are kept here instead of being sent. The newest is on top.</p>'
  if (mails.length === 0) return `${intro}<p>There is no mail yet.</p>`
  const items = mails.map(
    ({ name, subject, to, date }) =>
      `<li><a href="/dev/mail/${escapeHtml(name)}">${escapeHtml(subject)}</a><br><small>to ${escapeHtml(to)}, ${escapeHtml(date)}</small></li>`,
  )
  return `${intro}<ul>${items.join('')}</ul>`
}

function letter({ to, date, text }: KeptMail): string {
  const linked = escapeHtml(text).replace(
    /https?:\/\/[^\s<>"']+/g,
    (address) => `<a href="${address}">${address}</a>`,
  )
  return `<p><small>to ${escapeHtml(to)}, ${escapeHtml(date)}</small></p><pre>${linked}</pre><p><a href="/dev/mail">All mail</a></p>`
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', policy)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${BRAND}</title><style>${css}</style></head><body><header>${BRAND}</header><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`,
    )
}
