/** The words by which a sentence is compared with what was said, from claim-words.yaml. */
import { readFileSync } from 'node:fs'

import { parse } from 'yaml'
import { z } from 'zod'

import { languageOf, oneOf } from './languages.ts'

const kinds = [
  'denials',
  'notDenials',
  'proposals',
  'opinions',
  'conditions',
  'decisions',
  'commits',
  'views',
  'contrasts',
  'first',
  'joint',
  'second',
  'causes',
  'reports',
  'requests',
  'joins',
  'links',
  'relatives',
] as const

/** One expression for each list. All are global: `has` and `places` read them. */
export type ClaimWords = Record<(typeof kinds)[number], RegExp> & {
  /** Stands at the beginning of an answer. */
  assents: RegExp
  /** Pairs of which one says what the other denies. */
  opposites: RegExp[][]
  /** Whether "I" is mostly left out. */
  dropsSubjects: boolean
}

const list = z
  .string()
  .default('')
  .transform((text) => text.split(/\s+/).filter(Boolean))

const Lists = z.partialRecord(z.enum([...kinds, 'assents', 'opposites']), list)
const Sheet = z.preprocess(
  // The lists stand beside the only entry that is none.
  (sheet) => {
    const { dropsSubjects = false, ...lists } = z.record(z.string(), z.unknown()).parse(sheet)
    return { dropsSubjects, lists }
  },
  z.strictObject({ dropsSubjects: z.boolean(), lists: Lists }),
)

const file = new URL('claim-words.yaml', import.meta.url)
const sheets = z.record(z.string(), Sheet).parse(parse(readFileSync(file, 'utf8')))

const known = new Map<string, ClaimWords | null>()

/** Null for a language that has none. */
export function claimWordsOf(code: string): ClaimWords | null {
  const there = known.get(code)
  if (there !== undefined) return there
  const sheet = sheets[code]
  const words = sheet ? fromSheet(sheet, languageOf(code).isWithinWords) : null
  known.set(code, words)
  return words
}

function fromSheet({ dropsSubjects, lists }: z.infer<typeof Sheet>, isWithinWords: boolean) {
  const begin = isWithinWords ? '' : '(?<![\\p{L}\\p{N}])'
  const end = isWithinWords ? '' : '(?![\\p{L}\\p{N}])'
  const any = (kind: keyof typeof lists) => begin + oneOf(lists[kind] ?? []) + end
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, new RegExp(any(kind), 'giu')]))
  return {
    ...(byKind as Record<(typeof kinds)[number], RegExp>),
    opposites: (lists.opposites ?? []).map((pair) =>
      pair.split('/').map((side) => new RegExp(`${begin}${oneOf([side])}${end}`, 'iu')),
    ),
    assents: new RegExp(`^[\\s\\p{P}]*${any('assents')}`, 'iu'),
    dropsSubjects,
  }
}

/** Where words of a list stand in a text. */
export const places = (list: RegExp, text: string): { from: number; to: number }[] =>
  Array.from(text.matchAll(list), (found) => ({
    from: found.index,
    to: found.index + found[0].length,
  }))

export const has = (list: RegExp, text: string): boolean => text.search(list) !== -1
