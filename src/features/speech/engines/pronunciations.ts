/**
 * How English words sound, in the sounds of the recogniser's model: from its dictionary, and for the
 * words that are not there from their letters. That is good enough to find a word where it is known to
 * have been said, and not to recognise it.
 */
import { readFile } from 'node:fs/promises'

export interface Pronunciations {
  has(word: string): boolean
  /** One or several ways to say a word; none for one without letters of the alphabet. */
  of(word: string): string[]
}

/** Words that begin alike stand together in the file, so only a part of it is searched. */
const INDEXED = 2

/** Lines of `word SOUND SOUND …`, further ways to say it as `word(2) …`. */
export async function openDictionary(path: string): Promise<Pronunciations> {
  // As text of one byte a letter: it is ASCII, and three megabytes of it are kept.
  const text = `${await readFile(path, 'latin1')}\n`
  const places = new Map<string, { from: number; to: number }>()
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at) + 1
    const key = text.slice(at, at + INDEXED)
    places.set(key, { from: places.get(key)?.from ?? at, to: end })
    at = end
  }
  const find = (word: string): string[] => {
    const place = places.get(`${word} `.slice(0, INDEXED))
    if (!place || !/^[a-z'.-]+$/.test(word)) return []
    const line = new RegExp(`^${word.replaceAll('.', '\\.')}(?:\\(\\d+\\))? +(.*)$`, 'gm')
    return Array.from(text.slice(place.from, place.to).matchAll(line), ([, sounds = '']) => sounds)
  }
  return {
    has: (word) => find(word).length > 0,
    of(word) {
      const found = find(word)
      const spelt = found.length > 0 ? '' : bySpelling(word)
      return spelt === '' ? found : [spelt]
    },
  }
}

/**
 * The sounds of letters; of those that fit the first counts. With all words of five letters and more read in
 * this way a minute of talk was aligned as well as with the dictionary.
 */
const spelling: readonly (readonly [letters: RegExp, sounds: string])[] = [
  ['igh', 'AY'],
  ['tion|sion', 'SH AH N'],
  ['sch|sh', 'SH'],
  ['t?ch', 'CH'],
  ['^kn', 'N'],
  ['^y', 'Y'],
  // Silent at the end of a word.
  ['(?<=[a-z]{2})e$', ''],
  ['y$', 'IY'],
  ['a$', 'AH'],
  ['o$', 'OW'],
  ['i$', 'IY'],
  ['ph', 'F'],
  ['th', 'TH'],
  ['ck', 'K'],
  ['qu', 'K W'],
  ['ng', 'NG'],
  ['ee|ea|ey|ie', 'IY'],
  ['oo|ue|ew', 'UW'],
  ['ou', 'AW'],
  ['ow|oa', 'OW'],
  ['ai|ay|ei', 'EY'],
  ['au|aw', 'AO'],
  ['oi|oy', 'OY'],
  ['er|ir|ur', 'ER'],
  ['or', 'AO R'],
  ['c(?=[eiy])', 'S'],
  ['g(?=[eiy])', 'JH'],
  // Long before one consonant and a vowel.
  ['a(?=[^aeiouy][aeiou])', 'EY'],
  ['o(?=[^aeiouy][aeiou])', 'OW'],
  ['u(?=[^aeiouy][aeiou])', 'UW'],
  // prettier-ignore
  ...Object.entries({
    a: 'AE', b: 'B', c: 'K', d: 'D', e: 'EH', f: 'F', g: 'G', h: 'HH', i: 'IH', j: 'JH', k: 'K',
    l: 'L', m: 'M', n: 'N', o: 'AA', p: 'P', q: 'K', r: 'R', s: 'S', t: 'T', u: 'AH', v: 'V',
    w: 'W', x: 'K S', y: 'IH', z: 'Z',
  }),
].map(([letters = '', sounds = '']) => [new RegExp(letters, 'y'), sounds])

function bySpelling(word: string): string {
  // Two of one consonant sound like one.
  const letters = word.replaceAll(/[^a-z]/g, '').replaceAll(/([bdfgklmnprstz])\1/g, '$1')
  const sounds: string[] = []
  for (let at = 0; at < letters.length;) {
    const found = spelling.find(([pattern]) => {
      pattern.lastIndex = at
      return pattern.test(letters)
    })
    sounds.push(found?.[1] ?? '')
    at = found ? found[0].lastIndex : at + 1
  }
  return sounds.filter((sound) => sound !== '').join(' ')
}
