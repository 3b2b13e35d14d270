/**
 * The long texts of the public pages: Markdown files with facts about them in front. `{hour}` in a text
 * stands for the figure of that name, so that prices and terms are never written twice.
 */
import { marked } from 'marked'
import { parse } from 'yaml'
import type { z } from 'zod'

export interface Section {
  /** Its place in the address: /faq#roll-over. */
  id: string
  title: string
  html: string
}

export type Figures = Readonly<Record<string, string | number | undefined>>

function fill(text: string, figures: Figures): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = figures[name]
    if (value === undefined) throw new Error(`no figure is called ${name}`)
    return String(value)
  })
}

/** Figures come last: a line that begins with one must not become a list. */
const htmlOf = (markdown: string, figures: Figures): string =>
  fill(marked.parse(markdown, { async: false }), figures).replaceAll('<a ', '<a class="text-link" ')

/**
 * Reads the facts in front, and the sections below them. A section is found under the id that its
 * heading names, `## Is it free? {#free}`, or else under its words: #is-it-free.
 *
 * @throws when the facts in front are not those that the page needs, or a figure is unknown
 */
export function readProse<Front>(
  text: string,
  type: z.ZodType<Front>,
  figures: Figures,
): Front & { sections: Section[] } {
  const [, front = '', ...rest] = text.split(/^---$/m)
  const [, ...parts] = rest.join('---').split(/^## (.+?)(?: \{#(.+)\})?$/m)
  const sections: Section[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const title = fill(parts[at] ?? '', figures)
    const html = htmlOf(parts[at + 2] ?? '', figures)
    sections.push({ id: parts[at + 1] ?? idOf(title), title, html })
  }
  return { ...type.parse(parse(fill(front, figures))), sections }
}

const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
