/**
 * A style sheet of their own for the pages without the app. The one that Tailwind writes has the
 * classes of every screen; what no public document names is left out of it here, so that what is
 * left comes in the first packets that a server may send before the browser has answered.
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
 * @throws when they do not share one sheet: then the smaller one would lack something
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

/** The classes of its elements, and what may be one that its scripts set. */
function wordsOf(html: string): string[] {
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text = '']) => text)
  const classes = found(/\sclass="([^"]*)"/g).flatMap((names) => unescapeHtml(names).split(/\s+/))
  const scripts = found(/<script[^>]*>(.*?)<\/script>/gs).flatMap((code) => code.split(/[\s"'`]+/))
  return [...classes, ...scripts]
}

/**
 * The style sheet without the rules whose every selector asks for a class that is not among `words`.
 * What is left stands as it stood: printed anew by a minifier, a declaration may become another.
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
    // The steps of an animation look like rules.
    if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name.endsWith('keyframes')) return
    const selectors = parser().astSync(rule.selector).nodes
    const left = selectors.filter(mayMatch)
    if (left.length === selectors.length) return
    if (left.length > 0) rule.selectors = left.map(String)
    else removeWithEmptied(rule)
  })
  return sheet.toString()
}

/** A block that loses its last rule goes too. */
function removeWithEmptied(node: ChildNode): void {
  const { parent } = node
  node.remove()
  if (parent?.type === 'atrule' && parent.nodes?.length === 0) removeWithEmptied(parent as AtRule)
}
