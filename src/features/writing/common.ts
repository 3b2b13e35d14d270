/**
 * How common a word is in its language, by the lists in `common/`. A language without a list has no
 * common words.
 */
import { existsSync, readFileSync } from 'node:fs'

import { singular, stemOf } from './tokens.ts'

/** Among the first 600 words of a language, the first 1,500, the first 2,000, or none of these. */
export type Commonness = 'everyday' | 'common' | 'known' | 'rare'

const known = new Map<string, ReadonlyMap<string, Commonness>>()

export function commonnessOf(lower: string, code: string): Commonness {
  const list = listOf(code)
  const stem = stemOf(lower, code)
  return list.get(lower) ?? list.get(code === 'en' ? singular(lower) : stem) ?? 'rare'
}

function listOf(code: string): ReadonlyMap<string, Commonness> {
  const read = known.get(code)
  if (read) return read
  const list = new Map<string, Commonness>()
  for (const [word, commonness] of wordsOf(code)) {
    // English has few forms of a noun. Elsewhere all forms of a common word are common.
    for (const form of code === 'en' ? [word] : [word, stemOf(word, code)])
      if (!list.has(form)) list.set(form, commonness)
  }
  known.set(code, list)
  return list
}

function wordsOf(code: string): [word: string, commonness: Commonness][] {
  const file = new URL(`common/${code}.txt`, import.meta.url)
  if (!/^[a-z]{2,3}$/.test(code) || !existsSync(file)) return []
  const [everyday = '', common = '', rest = ''] = readFileSync(file, 'utf8').split('\n')
  const parts = { everyday, common, known: rest } as const
  return Object.entries(parts).flatMap(([commonness, words]) =>
    words.split(' ').map((word): [string, Commonness] => [word, commonness as Commonness]),
  )
}
