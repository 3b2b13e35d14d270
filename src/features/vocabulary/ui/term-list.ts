/** Lists of terms: from a file, and from a field in which somebody types. Pure. */
import { MOST_HEARD_AS, MOST_VOCABULARY_TERMS, LONGEST_TERM } from '#shared/business.ts'

import { termKey } from './fitting.ts'

/** One term a line; of a table the first column. */
export function termsInFile(text: string): string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => {
      const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1]
      return (quoted?.replaceAll('""', '"') ?? line.split(/[,;\t]/)[0] ?? '').trim()
    })
    .filter((term) => term !== '')
}

/** Other spellings, as a field lists them: with commas between. */
export const spellingsIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim().slice(0, LONGEST_TERM))
    .filter((each) => each !== '')
    .slice(0, MOST_HEARD_AS)

/** A list with others added, and how many of them were there already or found no place. */
export function withTerms(known: readonly string[], added: readonly string[]) {
  const keys = new Set(known.map(termKey))
  const terms = [...known]
  let there = 0
  let left = 0
  for (const term of added) {
    if (keys.has(termKey(term))) there += 1
    else if (term.length > LONGEST_TERM || terms.length >= MOST_VOCABULARY_TERMS) left += 1
    else {
      keys.add(termKey(term))
      terms.push(term)
    }
  }
  return { terms, added: terms.length - known.length, there, left }
}

/** "41 added, 3 were there already" */
export function addedInWords({ added, there, left }: Omit<ReturnType<typeof withTerms>, 'terms'>) {
  const parts = [`${added} added`]
  if (there > 0) parts.push(`${there} ${there === 1 ? 'was' : 'were'} there already`)
  if (left > 0) parts.push(`${left} left out: too long, or more than ${MOST_VOCABULARY_TERMS}`)
  return parts.join(', ')
}
