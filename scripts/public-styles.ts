/**
 * Makes a smaller style sheet for the pages without the app. Tailwind writes one with the classes
 * of every screen. Here the rules that no public page needs are removed, so that the rest arrives
 * in the first packets, which a server may send before the browser has answered.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import postcss, { type AtRule, type ChildNode } from 'postcss'
import parser from 'postcss-selector-parser'

import { unescapeHtml } from '../src/shared/html.ts'

const LINK = /<link rel="stylesheet" href="\/(assets\/[^"]+\.css)"\/>/

/**
 * Links the documents `names` of the folder `dir` to a smaller style sheet, and says its name.
 * @throws when they do not share one sheet, because the smaller one would then be incomplete
 */
export async function stylePublicPages(dir: string, names: string[]): Promise<string> {
  const pages = await Promise.all(
    names.map(async (name) => {
      const file = join(dir, name)
      return { file, html: await readFile(file, 'utf8') }
    }),
  )
  const sheets = new Set(
    pages.map(({ file, html }) => {
      const sheet = LINK.exec(html)?.[1]
      if (!sheet) throw new Error(`${file} links to no style sheet`)
      return sheet
    }),
  )
  const [sheet] = sheets
  if (!sheet || sheets.size > 1)
    throw new Error(`the public pages have ${sheets.size} style sheets: ${[...sheets].join(', ')}`)

  const words = new Set(pages.flatMap(({ html }) => wordsOf(html)))
  const code = onlyFor(words, await readFile(join(dir, sheet), 'utf8'))
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8)
  const name = `assets/public-${hash}.css`
  await writeFile(join(dir, name), code)
  for (const { file, html } of pages)
    await writeFile(file, html.replace(LINK, `<link rel="stylesheet" href="/${name}"/>`))
  return name
}

/** The classes of a page's elements, and the words in its scripts that may be classes. */
function wordsOf(html: string): string[] {
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => text)
  const classes = found(/\sclass="([^"]*)"/g).flatMap((names) => unescapeHtml(names).split(/\s+/))
  const scripts = found(/<script[^>]*>(.*?)<\/script>/gs).flatMap((code) => code.split(/[\s"'`]+/))
  return [...classes, ...scripts]
}

/**
 * Removes each rule whose every selector needs a class that is not among `words`. The rest is not
 * changed: a minifier that prints it again might change a declaration.
 */
export function onlyFor(words: ReadonlySet<string>, css: string): string {
  const mayMatch = (part: parser.Node): boolean => {
    if (part.type === 'class') return words.has(part.value)
    if (part.type === 'selector') return part.nodes.every(mayMatch)
    if (part.type === 'pseudo' && (part.value === ':is' || part.value === ':where'))
      return part.nodes.some(mayMatch)
    return true
  }
  const sheet = postcss.parse(css)
  sheet.walkRules((rule) => {
    // The steps of an animation look like rules, but have no classes.
    if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')) return
    const selectors = parser().astSync(rule.selector).nodes
    const left = selectors.filter(mayMatch)
    if (left.length === selectors.length) return
    if (left.length > 0) rule.selectors = left.map(String)
    else removeWithEmptied(rule)
  })
  return sheet.toString()
}

/** Removes a rule, and every block around it that is empty then. */
function removeWithEmptied(node: ChildNode): void {
  const { parent } = node
  node.remove()
  if (parent?.type === 'atrule' && parent.nodes?.length === 0) removeWithEmptied(parent as AtRule)
}
