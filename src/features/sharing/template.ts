/**
 * Fills the pages that the build has written for links (ui/share-page.tsx). `[[name]]` stands for a
 * text, in the page or in an attribute; `<x-part name="turn">` holds a part that is written once for
 * each value it is given, and not at all for none.
 */
import { escapeHtml } from '#shared/html.ts'

export interface Values {
  [name: string]: string | number | boolean | null | Values | readonly Values[]
}

type TemplateNode = string | { slot: string } | { part: string; pieces: TemplateNode[] }

export type Template = (values: Values) => string

const mark = /\[\[([a-zA-Z0-9]+)\]\]|<x-part name="([a-zA-Z]+)">|<\/x-part>/g

export function templateOf(html: string): Template {
  const stack: TemplateNode[][] = [[]]
  let from = 0
  for (const found of html.matchAll(mark)) {
    const pieces = stack.at(-1)
    const [whole, slot, part] = found
    pieces?.push(html.slice(from, found.index))
    from = found.index + whole.length
    if (slot !== undefined) pieces?.push({ slot })
    else if (part === undefined) stack.pop()
    else {
      const inner: TemplateNode[] = []
      pieces?.push({ part, pieces: inner })
      stack.push(inner)
    }
  }
  const [all] = stack
  if (stack.length !== 1 || !all) throw new Error('a part of a template is not closed')
  all.push(html.slice(from))
  return (values) => filled(all, values)
}

function filled(pieces: readonly TemplateNode[], values: Values): string {
  let html = ''
  for (const piece of pieces)
    if (typeof piece === 'string') html += piece
    else if ('slot' in piece) html += textOf(values, piece.slot)
    else for (const inner of timesOf(values, piece.part)) html += filled(piece.pieces, inner)
  return html
}

function textOf(values: Values, slot: string): string {
  const value = values[slot]
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new Error(`a page has no text for ${slot}`)
  return typeof value === 'number' ? String(value) : escapeHtml(value)
}

/** `true` is once, with the values around it; so is every object, with its own before them. */
function timesOf(values: Values, part: string): readonly Values[] {
  const value = values[part]
  if (value === undefined) throw new Error(`a page is not told of ${part}`)
  if (value === null || value === false) return []
  if (value === true) return [values]
  if (typeof value !== 'object') throw new Error(`a page takes ${part} for a part of it`)
  const inner: readonly Values[] = Array.isArray(value) ? value : [value as Values]
  return inner.map((each) => ({ ...values, ...each }))
}
