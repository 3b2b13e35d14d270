/**
 * The language of a text, for engines that write several and do not say which. The script decides
 * where it can; else the small words that every sentence is held together by. Also what the
 * languages are called, for engines that say it in English.
 */
import * as stopword from 'stopword'

import { whisperLanguages } from '#features/models/models.ts'

const smallWords: Readonly<Record<string, readonly string[]>> = {
  bg: stopword.bul,
  cs: stopword.ces,
  da: stopword.dan,
  de: stopword.deu,
  el: stopword.ell,
  en: stopword.eng,
  es: stopword.spa,
  et: stopword.est,
  fi: stopword.fin,
  fr: stopword.fra,
  hr: stopword.hrv,
  hu: stopword.hun,
  it: stopword.ita,
  lt: stopword.lit,
  lv: stopword.lav,
  nl: stopword.nld,
  no: stopword.nob,
  pl: stopword.pol,
  pt: stopword.por,
  ro: stopword.ron,
  ru: stopword.rus,
  sk: stopword.slk,
  sl: stopword.slv,
  sv: stopword.swe,
  tr: stopword.tur,
  uk: stopword.ukr,
  vi: stopword.vie,
}

/** Scripts that one language is written in, as far as speech engines know it. */
const scripts: readonly (readonly [string, RegExp])[] = [
  // Before Chinese: Japanese is written with Chinese characters too, but never only with them.
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['ka', /\p{Script=Georgian}/gu],
  ['hy', /\p{Script=Armenian}/gu],
]
/** Share of the letters from which a script decides; foreign names are written in Latin anywhere. */
const SCRIPT_SHARE = 0.3
/** Less evidence than this is no evidence: a name, a cough, one word. */
const LEAST_SCORE = 2

const languagesOf = new Map<string, string[]>()
for (const [language, words] of Object.entries(smallWords))
  for (const word of new Set(words.map((each) => each.toLowerCase())))
    languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])

/**
 * ISO 639-1, or null where the text is too short or none of them.
 *
 * @param among the languages that are possible; null for all that are known here
 */
export function languageOfText(
  text: string,
  among: readonly string[] | null = null,
): string | null {
  if (among?.length === 1) return among[0] ?? null
  const isPossible = (language: string) => among === null || among.includes(language)
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  for (const [language, script] of scripts) {
    const share = (text.match(script)?.length ?? 0) / Math.max(1, letters)
    if (share >= SCRIPT_SHARE && isPossible(language)) return language
  }

  const scores = new Map<string, number>()
  for (const word of text.toLowerCase().match(/[\p{L}'’]+/gu) ?? []) {
    const languages = languagesOf.get(word)?.filter(isPossible) ?? []
    // A word of many languages says little about any of them.
    for (const language of languages)
      scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length)
  }
  const [best] = [...scores].toSorted((a, b) => b[1] - a[1])
  return best && best[1] >= LEAST_SCORE ? best[0] : null
}

const englishNames = new Intl.DisplayNames('en', { type: 'language' })
/** Names that are not those of `Intl`. */
const otherNames: readonly (readonly [string, string])[] = [
  ['norwegian', 'no'],
  ['nynorsk', 'nn'],
  ['myanmar', 'my'],
  ['haitian creole', 'ht'],
  ['sinhala', 'si'],
  ['castilian', 'es'],
  ['valencian', 'ca'],
  ['flemish', 'nl'],
  ['mandarin', 'zh'],
  ['javanese', 'jw'],
]
const codeByName = new Map([
  ...whisperLanguages.map((code) => [(englishNames.of(code) ?? code).toLowerCase(), code] as const),
  ...otherNames,
])

/** The code for `english`, `German`, `en`, `en-US` or `<|en|>`; null for what is none of it. */
export function languageCode(said: string | null | undefined): string | null {
  const plain = (said ?? '').replaceAll(/[<|>]/g, '').trim().toLowerCase()
  const byName = codeByName.get(plain)
  if (byName !== undefined) return byName
  return /^([a-z]{2,3})([-_][a-z0-9]+)*$/.test(plain) ? (plain.split(/[-_]/)[0] ?? null) : null
}
