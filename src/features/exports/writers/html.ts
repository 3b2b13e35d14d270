/** One page that needs nothing else: no script, no font, no picture. It can be read and printed. */
import { isFromRight } from '#shared/direction.ts'
import { escapeHtml } from '#shared/html.ts'

import { type Paper, beginningOf, paperOf, printable } from '../paper.ts'
import type { Look, Write } from './writer.ts'

const STYLE = `
:root { color-scheme: light dark; --ink: #17211c; --quiet: #5a6b63; --rule: #d5dedb; --ground: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8efec; --quiet: #a5b5ae; --rule: #33403a; --ground: #121915 }
}
body { margin: 0; background: var(--ground); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem }
h2, h3 { font-size: 1.25rem; margin: 2.5rem 0 .75rem }
h3 { font-size: 1.125rem }
.facts { color: var(--quiet); font-size: .9375rem; margin: 0; padding-bottom: 1.5rem;
  border-bottom: 1px solid var(--rule) }
h1, h2, h3, p, li { overflow-wrap: anywhere }
.turn { margin: 1.5rem 0 0 }
.who { margin: 0; font-size: .9375rem; break-after: avoid }
.who strong { margin-inline-end: .75rem }
time { color: var(--quiet); font-variant-numeric: tabular-nums }
.said { margin: .125rem 0 0 }
@media print {
  :root { color-scheme: light; --ink: #000; --quiet: #444; --ground: #fff }
  body { font-size: 11pt } main { max-width: none; padding: 0 }
  .said { orphans: 3; widows: 3 }
}
`

export const write = ((exported) => draw(paperOf(exported))) satisfies Write
export const look: Look = (exported) => beginningOf(paperOf(exported), { isTimeFirst: false })

function draw({ title, facts, language, ownLanguage = language, sections, turns }: Paper): string {
  const hasSections = sections.length > 0
  const lang = ownLanguage === language ? '' : ` lang="${plain(ownLanguage)}"`
  const own = (name: string, text: string) => element(name, text, ownLanguage, lang)
  return [
    '<!doctype html>',
    `<html${language === 'und' ? '' : ` lang="${plain(language)}"`}>`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${plain(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    element('h1', title, language),
    `<p class="facts" lang="en">${plain(facts.join(' · '))}</p>`,
    ...sections.flatMap(({ heading, lines, isList }) => [
      ...(heading === null ? [] : [`<h2 lang="en">${plain(heading)}</h2>`]),
      ...(isList
        ? ['<ul>', ...lines.map((line) => own('li', line)), '</ul>']
        : lines.map((line) => own('p', line))),
    ]),
    ...(hasSections ? ['<h2 lang="en">Transcript</h2>'] : []),
    ...turns.flatMap((turn) => [
      ...turn.headings.map((text) => own(hasSections ? 'h3' : 'h2', text)),
      ...turnOf(turn, language),
    ]),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function turnOf({ at, name, text }: Paper['turns'][number], language: string): string[] {
  const who = [
    ...(name === null ? [] : [`<strong>${plain(name)}</strong>`]),
    ...(at === null ? [] : [`<time datetime="PT${periodOf(at)}">${at}</time>`]),
  ]
  return [
    '<div class="turn">',
    ...(who.length > 0 ? [`<p class="who">${who.join('')}</p>`] : []),
    element('p', text, language, ' class="said"'),
    '</div>',
  ]
}

/** `00:01:12` as `0H1M12S`. */
function periodOf(at: string): string {
  const [hours, minutes, seconds] = at.split(':').map(Number)
  return `${hours}H${minutes}M${seconds}S`
}

const element = (name: string, text: string, language: string, attributes = ''): string =>
  `<${name}${attributes}${isFromRight(text, language) ? ' dir="rtl"' : ''}>${plain(text)}</${name}>`

const plain = (text: string): string => escapeHtml(printable(text).trim())
