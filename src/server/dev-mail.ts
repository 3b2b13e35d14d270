/**
 * Shows the mails that were kept on this machine because no mail server is set up. It is for people who
 * try the product there: plain HTML, and only for browsers on the machine itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { escapeHtml } from '#shared/html.ts'

import { refuse } from './errors.ts'
import { type KeptMail, findInOutbox, listOutbox } from './mail.ts'
import { sendPlainPage } from './plain-page.ts'

const css = `
ul { margin: 1.5rem 0 0; padding: 0; list-style: none; border-bottom: 1px solid var(--rule) }
li { padding: .875rem 0; border-top: 1px solid var(--rule) }
li a { font-weight: 600 }
pre { margin: 1.5rem 0; padding: 1.5rem 0; border: solid var(--rule); border-width: 1px 0; white-space: pre-wrap; font: inherit }
`

const Name = z.object({ name: z.string() })

/** The headers that proxies add. Behind one every visitor seems to sit at this machine. */
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
  return sendPlainPage(reply, { title, css, body: `<h1>${escapeHtml(title)}</h1>${body}` })
}
