/**
 * A page that stands beside the app and loads nothing: mail that was kept, the test checkout, a receipt.
 * It has the colours of the product (web/styles.css), and the faces that stand in for its fonts.
 */
import { createHash } from 'node:crypto'

import type { FastifyReply } from 'fastify'

import { BRAND } from '#shared/business.ts'
import { escapeHtml } from '#shared/html.ts'

const everywhere = `
:root { color-scheme: light dark; --paper: #f6fbf7; --rule: #d0dcd3; --line: #7d8c82; --ink: #121f1a; --ink-2: #4a5650; --primary: #104832; --on: #f6fcf7; --warn: #6b4e00; --warn-tint: #fbf3dc; --danger: #ad1f1c; --danger-tint: #fdeceb; --focus: #2b4fc2 }
@media (prefers-color-scheme: dark) { :root { --paper: #0e1612; --rule: #2d3832; --line: #78877d; --ink: #e9f1eb; --ink-2: #afbab2; --primary: #9be3b5; --on: #0c1c14; --warn: #f0c56b; --warn-tint: #34290f; --danger: #ff8a80; --danger-tint: #43201e; --focus: #9db6ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1rem }
header { font: 600 1.25rem Georgia, serif }
h1 { margin: 1.5rem 0 .75rem; font: 600 2rem/1.15 Georgia, serif }
p { margin: 0 0 1rem }
a { color: var(--primary); text-underline-offset: 4px }
a:hover { text-decoration-thickness: 2px }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
small { color: var(--ink-2); font-size: .9375rem }
`

export function sendPlainPage(
  reply: FastifyReply,
  {
    title,
    css = '',
    notice = '',
    body,
    formsTo = "'none'",
  }: {
    title: string
    /** The other parts of this page. */
    css?: string
    /** HTML above everything. */
    notice?: string
    /** HTML. */
    body: string
    /** Where its forms may be sent, in the words of a content security policy. */
    formsTo?: string
  },
): FastifyReply {
  const styles = everywhere + css
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(styles).digest('base64')}'`,
    "base-uri 'none'",
    `form-action ${formsTo}`,
    "frame-ancestors 'none'",
  ].join('; ')
  return reply
    .header('Content-Security-Policy', policy)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${BRAND}</title><style>${styles}</style></head><body>${notice}<main><header>${BRAND}</header>${body}</main></body></html>`,
    )
}
