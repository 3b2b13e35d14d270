/**
 * Draws docs/promises.md from the comments that open our files.
 *
 * node scripts/draw-promises.ts
 *
 * A comment makes a promise in one of two forms: a list after a paragraph that ends in "promises:", or
 * a paragraph that begins with "Promise:". A file that it names becomes a link, and so does the record
 * of a decision. Such a name must be right.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'

const root = new URL('..', import.meta.url).pathname

const head = `# Promises

What must never be false, by the file that keeps it. The comment that opens the file says it; do not write here, but there,
and run \`node scripts/draw-promises.ts\`.
`

/** The promises of one opening comment, each on one line. */
export function promisesIn(source: string): string[] {
  const comment = /^\/\*\*(.*?)\*\//su.exec(source)?.[1] ?? ''
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/u, ''))
  const paragraphs = lines.join('\n').split(/\n\s*\n/u)
  const asLine = (text: string) => text.trim().replaceAll(/\s*\n\s*/gu, ' ')
  const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return paragraphs.flatMap((paragraph, index) => {
    const text = asLine(paragraph)
    if (text.startsWith('Promise: ')) return asSentence(text.slice('Promise: '.length))
    if (!/\bpromises:$/u.test(asLine(paragraphs[index - 1] ?? ''))) return []
    return paragraph.split(/^- /mu).slice(1).map(asLine)
  })
}

const records = globSync('docs/decisions/[0-9]*.md', { cwd: root })

/** With links in the place of the names of files and of numbers of decisions. */
function linked(text: string, from: string): string {
  const room = /^src\/features\/[^/]+/u.exec(from)?.[0] ?? posix.dirname(from)
  const folders = [posix.dirname(from), room, 'src/features', 'src', '.']
  return text
    .replaceAll(/`?((?:[\w-]+\/)*[\w.-]+\.tsx?)`?/gu, (_, name: string) => {
      const there = folders.map((folder) => posix.join(folder, name))
      const found = there.find((path) => existsSync(posix.join(root, path)))
      if (!found) throw new Error(`${from} names ${name}, which is not there`)
      return `[${name}](../${found})`
    })
    .replaceAll(/\bdecision (\d{3})/gu, (_, number: string) => {
      const found = records.find((path) => posix.basename(path).startsWith(number))
      if (!found) throw new Error(`${from} names decision ${number}, which is not there`)
      return `decision [${number}](${posix.relative('docs', found)})`
    })
}

/** The part of the house that a file is in: a room, a folder of src/, or the tests. */
const partOf = (path: string) => /^(src\/features\/[^/]+|src\/[^/]+|[^/]+)/u.exec(path)?.[0] ?? path

export function drawn(): string {
  const files = globSync('{src,test}/**/*.{ts,tsx}', { cwd: root })
    .toSorted()
    .map((path) => ({ path, promises: promisesIn(readFileSync(posix.join(root, path), 'utf8')) }))
    .filter(({ promises }) => promises.length > 0)
  const parts = Map.groupBy(files, ({ path }) => partOf(path))
  const text = [...parts].flatMap(([part, inIt]) => [
    `## ${part}`,
    ...inIt.map(({ path, promises }) =>
      [
        `[${posix.relative(part, path)}](../${path})`,
        ...promises.map((promise) => `- ${linked(promise, path)}`),
      ].join('\n'),
    ),
  ])
  return `${[head.trim(), ...text].join('\n\n')}\n`
}

if (import.meta.main) writeFileSync(posix.join(root, 'docs/promises.md'), drawn())
