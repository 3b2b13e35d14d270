/**
 * Takes the names of speakers out of texts about a recording. Such a text bends names and shortens
 * them, so this gives up where one might be left: then the text is not shown.
 */
import { speakerLabel } from '#features/speech/contract.ts'
import type { Names } from '#features/text/named-speakers.ts'
import { patternOf } from '#shared/hits.ts'

/** Words within names that name nobody alone. */
const between = new Set(
  'da de del della den der di dos du el la le of ten ter the van von y zu dr mr mrs ms prof sir st jr sr phd md'.split(
    ' ',
  ),
)
/** With fewer letters in common, a word is not taken for a name with another ending. */
const STEM = 4

const letters = /\p{L}[\p{L}\p{M}\p{N}]*/gu
/** Scripts without spaces, in which a word has no edges to look for. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const partsOf = (name: string): string[] =>
  (name.match(letters) ?? []).filter(
    (part) => (part.length > 1 || unspaced.test(part)) && !between.has(part.toLowerCase()),
  )

/**
 * Writes "Speaker A" in the place of each name in these texts; null where a name could still be told
 * from one: a word stands for two speakers, or is an everyday word too, or is in other letters.
 */
export function hiderOf(texts: readonly string[], names: Names): ((text: string) => string) | null {
  const named = [...names].filter(([, name]) => name !== speakerLabelLike(name))
  const owners = new Map<string, Set<number>>()
  for (const [speaker, name] of named)
    for (const part of partsOf(name.normalize('NFC'))) {
      const key = plain(part)
      owners.set(key, new Set([...(owners.get(key) ?? []), speaker]))
    }
  const whole = named.toSorted(([, a], [, b]) => b.length - a.length)
  const marked = (text: string) => {
    let left = text.normalize('NFC')
    // Labels stand apart from the text meanwhile, so that none is taken for a name.
    for (const [speaker, name] of whole)
      left = left.replace(asWord(name.normalize('NFC')), markOf(speaker))
    for (const [speaker, name] of whole)
      for (const part of partsOf(name.normalize('NFC')))
        if (owners.get(plain(part))?.size === 1) left = left.replace(asWord(part), markOf(speaker))
    return left
  }
  const hidden = texts.map(marked)
  if (hidden.some((text) => mightName(text, [...owners.keys()]))) return null
  if (named.some(([, name]) => isInOtherLetters(name, hidden.join(' ')))) return null
  return (text) =>
    marked(text)
      // "Ada Lovett", where both words were found as names of one speaker.
      .replace(/(\uE000\d+\uE001)(?:\s+\1)+/g, '$1')
      .replace(/\uE000(\d+)\uE001/g, (_, speaker: string) => speakerLabel(Number(speaker)))
}

/** A title without names: "Recording" where a name might be left in it. */
export const titleWithoutNames = (title: string, names: Names): string =>
  hiderOf([title], names)?.(title) ?? 'Recording'

const markOf = (speaker: number): string => `\uE000${speaker}\uE001`

/** A speaker who was named "Speaker B" by hand has no name to hide. */
const speakerLabelLike = (name: string): string | null =>
  /^(speaker [a-z]{1,2}|unknown speaker)$/i.test(name.trim()) ? name : null

function asWord(name: string): RegExp {
  const text = patternOf(name.trim())
  return unspaced.test(name)
    ? new RegExp(text, 'gu')
    : new RegExp(String.raw`(?<![\p{L}\p{N}])${text}(?![\p{L}\p{M}\p{N}])`, 'gu')
}

/** Small letters without accents: a name is told from its letters, however its accents are written. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function mightName(text: string, parts: readonly string[]): boolean {
  const written = plain(text)
  if (parts.some((part) => unspaced.test(part) && written.includes(part))) return true
  return (written.match(letters) ?? []).some((word) =>
    parts.some((part) =>
      part.length < STEM || word.length < STEM
        ? word === part || (word.startsWith(part) && word.length <= part.length + 2)
        : commonStart(word, part) >= Math.max(STEM, part.length - 1),
    ),
  )
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

const scripts = ['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Devanagari', 'Han', 'Hangul']
const tests = scripts.map((script) => new RegExp(`\\p{Script=${script}}`, 'gu'))

/**
 * Whether name and text are in different scripts, such as Latin and Cyrillic: the name may be there,
 * spelt another way.
 */
function isInOtherLetters(name: string, text: string): boolean {
  const ofName = scriptOf(name)
  const ofText = scriptOf(text)
  return ofName !== null && ofText !== null && ofName !== ofText
}

function scriptOf(text: string): number | null {
  const counts = tests.map((script) => text.match(script)?.length ?? 0)
  const most = Math.max(...counts)
  return most === 0 ? null : counts.indexOf(most)
}
