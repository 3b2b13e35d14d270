/** Which terms of a vocabulary fit a file, and how many of them are chosen for it. Pure. */
import { MOST_TERMS } from '#shared/business.ts'
import { hitsOf } from '#shared/hits.ts'

import type { Vocabulary } from '../contract.ts'

const LATELY_MS = 14 * 24 * 60 * 60 * 1000

/** One term for one name, however it is capitalised. */
export const termKey = (term: string): string => term.normalize('NFC').toLowerCase()

/** Names of files have no accents, and signs or figures where a text has spaces. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, ' ')

/**
 * Those in the name of the file, and behind them those that were used in recordings of the last 14
 * days, the last used first. A recording takes 100 at most.
 */
export function fittingTerms(
  { terms, used }: Pick<Vocabulary, 'terms' | 'used'>,
  { fileName, now }: { fileName: string; now: number },
): string[] {
  const name = plain(fileName.replace(/\.[^.]*$/, ''))
  const isNamed = (term: string) =>
    hitsOf({ find: plain(term), matchCase: false, wholeWord: true })(name).length > 0
  const lately = used
    .filter(({ lastAt }) => now - Date.parse(lastAt) <= LATELY_MS)
    .toSorted((a, b) => b.lastAt.localeCompare(a.lastAt))
    .map(({ term }) => term)
  return [...new Set([...terms.filter(isNamed), ...lately])].slice(0, MOST_TERMS)
}

const words = 'None One Two Three Four Five Six Seven Eight Nine Ten'.split(' ')
const inWords = (count: number): string => words[count] ?? count.toLocaleString('en-US')

/** "Five of your 23 terms that fit this file."; where others are chosen, only how many. */
export function choiceInWords({
  terms,
  fitting,
  chosen,
}: Record<'terms' | 'fitting' | 'chosen', readonly string[]>): string {
  const keys = new Set(chosen.map(termKey))
  const own = terms.filter((term) => keys.has(termKey(term)))
  const isFit = own.length > 0 && own.every((term) => fitting.includes(term))
  if (terms.length === 1) {
    if (isFit) return 'Your one term, which fits this file.'
    return own.length === 1 ? 'Your one term is chosen.' : 'Your one term is not chosen.'
  }
  const some = `${inWords(own.length)} of your ${inWords(terms.length).toLowerCase()} terms`
  const isOne = own.length <= 1
  if (isFit) return `${some} that ${isOne ? 'fits' : 'fit'} this file.`
  return `${some} ${isOne ? 'is' : 'are'} chosen.`
}
