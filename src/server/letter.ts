/** How every mail looks: plain, one column, one button, the address in full below it. */
import { BRAND, TAGLINE } from '#shared/business.ts'
import { escapeHtml } from '#shared/html.ts'

import type { Mail } from './mail.ts'

export interface Letter {
  subject: string
  heading: string
  /**
   * Paragraphs before the button, and after it. Our own words only: nothing a visitor typed, but for
   * names of recordings in a mail to their owner.
   */
  before: string[]
  button: { label: string; url: string }
  after: string[]
  /** Where a mail can be switched off: the label of the link, and its address. */
  off?: { label: string; url: string }
}

export function writeLetter(
  to: string,
  { subject, heading, before, button, after, off }: Letter,
): Mail {
  const text = [
    BRAND,
    heading,
    ...before,
    `${button.label}:\n${button.url}`,
    ...after,
    ...(off ? [`${off.label}:\n${off.url}`] : []),
    `-- \n${BRAND}. ${TAGLINE}`,
  ].join('\n\n')

  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`
  const url = escapeHtml(button.url)
  const html = mailPage(
    subject,
    `<div style="max-width:520px">
<p style="margin:0 0 24px;font:600 20px serif">${BRAND}</p>
<h1 style="margin:0 0 16px;font:600 24px/1.25 serif">${escapeHtml(heading)}</h1>
${before.map(paragraph).join('\n')}
<p style="margin:24px 0"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;background:#104832;color:#ffffff;text-decoration:none;border-radius:6px">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;word-break:break-all"><a href="${url}" style="color:#1c1b19">${url}</a></p>
${after.map(paragraph).join('\n')}${
      off
        ? `\n<p style="margin:0 0 16px"><a href="${escapeHtml(off.url)}" style="color:#1c1b19">${escapeHtml(off.label)}</a></p>`
        : ''
    }
</div>`,
  )
  return { to, subject, text: `${text}\n`, html, ...(off ? { offUrl: off.url } : {}) }
}

/**
 * The frame of every mail's HTML. It declares colours for light and dark. A mail program that finds
 * no such declaration inverts colours by itself, and writes dark words on a dark button.
 */
export function mailPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){body{background:#171614!important;color:#f1eee7!important}a{color:#f1eee7!important}a.button{background:#a6d9be!important;color:#0b2419!important}}</style></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#1c1b19;font:16px/1.5 sans-serif">
${body}
</body>
</html>
`
}
