/**
 * A page that stands beside the app, without its scripts: mail that was kept, the test checkout, a
 * receipt. The build has written what is around it (web/plain-page.tsx).
 */
import type { FastifyInstance, FastifyReply } from 'fastify'

import { escapeHtml } from '#shared/html.ts'

import type { Template } from './pages.ts'

declare module 'fastify' {
  interface FastifyInstance {
    plainPage: Template
  }
}

/** As long as the browser side is not built. */
const BARE: Template = {
  html: '<!doctype html><html lang="en"><title>[[title]]</title>[[body]]',
  policy: "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

export function addPlainPages(app: FastifyInstance, built: Template | undefined): void {
  app.decorate('plainPage', built ?? BARE)
}

export function sendPlainPage(
  reply: FastifyReply,
  {
    title,
    body,
    formsTo = "'none'",
  }: {
    title: string
    /** HTML. */
    body: string
    /** Where its forms may be sent, in the words of a content security policy. */
    formsTo?: string
  },
): FastifyReply {
  const { html, policy } = reply.server.plainPage
  const fill = (_: string, slot: string) => (slot === 'title' ? escapeHtml(title) : body)
  return reply
    .header('Content-Security-Policy', policy.replace(/(?<=form-action )[^;]+/, formsTo))
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html.replace(/\[\[(title|body)\]\]/g, fill))
}
