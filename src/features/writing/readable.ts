/**
 * Makes a spoken sentence fit to be read alone. It removes fillers at the beginning, sounds such as
 * "um", and a full stop that a pause put into the middle. The sentence and its names get capitals,
 * and it ends with a full stop. No word is added or changed.
 */
import type { Language } from './languages.ts'
import type { Sentence } from './sentences.ts'

export function readable(sentence: Sentence, language: Language): string {
  let text = withNames(sentence).replace(/\s+/g, ' ').trim()
  text = withoutSounds(text, sentence, language)
  text = withoutOpeners(text, language)
  text = withoutStumbles(text, language)
  text = text.replace(/(\p{L}+)[.] (\p{Lu})(?=\p{Ll})/gu, (whole, word: string, letter: string) =>
    language.leadsOn.has(word.toLowerCase()) && !language.abbreviations.test(`${word}.`)
      ? `${word} ${language.code === 'de' ? letter : letter.toLowerCase()}`
      : whole,
  )
  // A stop that stays in the middle ends a sentence, and the next one has a capital.
  text = text.replace(
    /(?<![\p{L}.])(\p{L}{3,}[.!?]) (\p{Ll})/gu,
    (whole, word: string, letter: string) =>
      language.abbreviations.test(word)
        ? whole
        : `${word} ${letter.toLocaleUpperCase(language.code || undefined)}`,
  )
  if (language.code === 'en')
    text = text.replace(/(?<![\p{L}'’])i(?=$|[\s,.!?]|['’](?:m|ll|ve|d)\b)/gu, 'I')
  text = text.replace(/[\s,;:–-]+$/, '')
  if (text === '') return ''
  if (!/[.!?…。！？؟]["'”’»)]*$/u.test(text)) text += language.isUnspaced ? '。' : '.'
  return text.charAt(0).toLocaleUpperCase(language.code || undefined) + text.slice(1)
}

function withNames({ text, tokens, start }: Sentence): string {
  let named = text
  for (const token of tokens.filter(({ isProper }) => isProper)) {
    const at = token.start - start
    named = named.slice(0, at) + named.charAt(at).toUpperCase() + named.slice(at + 1)
  }
  return named
}

function withoutSounds(text: string, { tokens }: Sentence, language: Language): string {
  if (language.sounds.size === 0) return text
  const sounds = [...language.sounds].join('|')
  const edge = language.isUnspaced ? '' : '(?![\\p{L}\\p{N}])'
  const before = language.isUnspaced ? '' : '(?<![\\p{L}\\p{N}])'
  const between = new RegExp(
    `(?<word>[\\p{L}'’]*)(?:[,،、，]?\\s*${before}(?:${sounds})${edge})+(?<mark>[,،、，]\\s*)(?=(?<next>[\\p{L}'’]*))`,
    'giu',
  )
  const isLeading = (word: string, next: string): boolean => {
    if (language.leadsOn.has(word)) return true
    const isBeforeClause = language.clauseStarts.has(next)
    return tokens.some(
      ({ lower, isVerb, isJoint }) =>
        lower === word && (isJoint || (isVerb && language.code === 'en' && !isBeforeClause)),
    )
  }
  return text
    .replace(between, (...found) => {
      const { word, mark, next } = found.at(-1) as Record<'word' | 'mark' | 'next', string>
      // "He got, uh, eleven" has its commas for the sound alone.
      return word + (isLeading(word.toLowerCase(), next.toLowerCase()) ? ' ' : mark)
    })
    .replace(new RegExp(`${before}(?:${sounds})${edge}\\s*`, 'giu'), '')
    .replace(/^[\s,.،、，。…-]+/, '')
    .replace(/ +([,.])/g, '$1')
}

/** Removes what is said twice ("we had a, we had a") and a last word that leads nowhere ("but"). */
function withoutStumbles(text: string, { code, leadsOn }: Language): string {
  const once = text.replace(
    /(?<![\p{L}'’])((?:[\p{L}'’]+ ){1,3}[\p{L}'’]+),? \1(?![\p{L}'’])/giu,
    '$1',
  )
  if (code !== 'en') return once
  return once
    .replace(/(?<![\p{L}'’])([\p{L}'’]+)(?:,? \1)+(?![\p{L}'’])/giu, (said, word: string) =>
      leadsOn.has(word.toLowerCase()) ? word : said,
    )
    .replace(
      /\b(i|we|you|they|the|an?|to|of|and|in|it|it's|i'm|that's)(?:,? \1)+(?![\p{L}'])/giu,
      '$1',
    )
    .replace(/(?:[\s,]+(?:and|or|but|because|so that))+[\s.,…-]*$/iu, '')
}

/** Removes opening words ("So, um, you know, the launch"), unless too few words would be left. */
function withoutOpeners(text: string, language: Language): string {
  let rest = text
  for (let round = 0; round < 6; round++) rest = rest.replace(language.opening, '')
  return rest.length >= 12 || rest.length > text.length / 2 ? rest : text
}
