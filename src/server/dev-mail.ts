/**
 * Shows the mails that were kept on this machine because no mail server is set up. It is for people who
 * try the product there, and only for browsers on the machine itself.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'

import { escapeHtml } from '#shared/html.ts'

import { refuse } from './errors.ts'
import { type KeptMail, findInOutbox, listOutbox } from './mail.ts'
import { sendPlainPage } from './plain-page.ts'

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
    '<p class="mt-2 text-ui text-ink-2">No mail server is set up (<code class="font-mono text-fine">SMTP_URL</code>), so mails are kept here instead of being sent. The newest is on top.</p>'
  if (mails.length === 0) return `${intro}<p class="mt-6 text-ui">There is no mail yet.</p>`
  const items = mails.map(
    ({ name, subject, to, date }) =>
      `<li class="border-b border-rule py-3"><a href="/dev/mail/${escapeHtml(name)}" class="text-ui font-semibold hover:underline">${escapeHtml(subject)}</a><p class="text-small text-ink-2">to ${escapeHtml(to)}, ${escapeHtml(date)}</p></li>`,
  )
  return `${intro}<ul class="mt-6 border-t border-rule">${items.join('')}</ul>`
}

function letter({ to, date, text }: KeptMail): string {
  const linked = escapeHtml(text).replace(
    /https?:\/\/[^\s<>"']+/g,
    (address) => `<a href="${address}" class="text-link">${address}</a>`,
  )
  return `<p class="mt-2 text-small text-ink-2">to ${escapeHtml(to)}, ${escapeHtml(date)}</p><pre class="my-6 border-y border-rule py-6 font-sans text-ui whitespace-pre-wrap">${linked}</pre><p class="text-small"><a href="/dev/mail" class="text-link">All mail</a></p>`
}

function sendPage(reply: FastifyReply, title: string, body: string): FastifyReply {
  const head = `<h1 class="font-display text-app font-semibold">${escapeHtml(title)}</h1>`
  return sendPlainPage(reply, { title, body: head + body })
}
