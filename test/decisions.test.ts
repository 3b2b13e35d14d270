/** Whether the records of decisions and their list agree with each other and with the code. */
import { existsSync, globSync, readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

const folder = new URL('../docs/decisions/', import.meta.url).pathname
const root = new URL('..', import.meta.url).pathname

const read = (name: string) => readFileSync(`${folder}${name}`, 'utf8')
const records = globSync('[0-9]*.md', { cwd: folder })
  .toSorted()
  .map((file) => ({ file, number: file.slice(0, 3), text: read(file) }))
const list = read('README.md')
const rowsOf = (cells: number) =>
  [...list.matchAll(/^\|(.+)\|$/gm)]
    .map(([, row = '']) => row.split('|').map((cell) => cell.trim()))
    .filter((row) => row.length === cells && /^\[?\d{3}/.test(row[0] ?? ''))

/** The numbers in the lines under the title of a record that begin so. */
const statusOf = (text: string, words: string) =>
  [...text.matchAll(new RegExp(`^${words} \\[(\\d{3})\\]`, 'gm'))].map(([, number]) => number)
const pairs = (words: string) =>
  records.flatMap(({ number, text }) => statusOf(text, words).map((other) => [number, other]))
const turned = (some: (string | undefined)[][]) => some.map(([a, b]) => [b, a]).toSorted()

test('each record of a decision is in the list, with its number, its title and its state today', () => {
  const rows = rowsOf(3).filter(([first = '']) => first.startsWith('['))
  const titles = records.map(({ file, number, text }) => [
    `[${number}](${file})`,
    /^# \d{3}[.:]? (.+)$/m.exec(text)?.[1],
  ])
  expect(rows.map(([link, title]) => [link, title])).toEqual(titles)
  for (const [link, , today] of rows) expect(today, link).not.toBe('')
})

test('a decision that supersedes or adds to another is named by that one, and in the list', () => {
  const superseded = pairs('Superseded(?: in part)? by')
  expect(superseded.length).toBeGreaterThan(10)
  expect(turned(pairs('Supersedes'))).toEqual(superseded.toSorted())
  expect(turned(pairs('Adds to'))).toEqual(pairs('Added to by').toSorted())
  const untold = superseded.filter(([old = '', newer = '']) => {
    const row = rowsOf(3).find(([link = '']) => link.startsWith(`[${old}]`))
    return !row?.[2]?.includes(newer)
  })
  expect(untold, 'not said in docs/decisions/README.md').toEqual([])
})

test('a record that says that it supersedes another says so under its title', () => {
  const said = records.flatMap(({ number, text }) =>
    [...text.matchAll(/\bsupersede[sd][^.]*?\b(\d{3})\b/g)].map(([, other]) => [number, other]),
  )
  const known = [...pairs('Supersedes'), ...pairs('Superseded(?: in part)? by')]
  expect(known).toEqual(expect.arrayContaining(said))
})

test('a file that a decision names is there, or the list says where it has gone', () => {
  const files = globSync('{*,{.ci,bench,deploy,docs,e2e,migrations,public,scripts,src,test}/**}', {
    cwd: root,
  }).map((path) => `/${path}`)
  const isThere = (name: string) => files.some((path) => path.endsWith(`/${name}`))
  const missing = records.flatMap(({ number, text }) =>
    [...text.matchAll(/`([\w./-]+\.(?:tsx?|m?js|json|ya?ml|sh|css|md))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !name.startsWith('/') && !isThere(name))
      .map((name) => `${number} ${name}`),
  )
  const moved = rowsOf(3).filter(([first = '']) => /^\d/.test(first))
  const told = moved.flatMap(([numbers = '', name = '']) =>
    numbers.split(', ').map((number) => `${number} ${name.replaceAll('`', '')}`),
  )
  expect(told.toSorted()).toEqual([...new Set(missing)].toSorted())
  for (const [, , today = ''] of moved)
    if (!today.startsWith('gone with '))
      expect(isThere(today.replaceAll('`', '')), today).toBe(true)

  const links = records.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) => ({ file, link })),
  )
  expect(links.filter(({ link }) => !existsSync(`${folder}${link}`))).toEqual([])
})
