/**
 * Text becomes words with times: from the tokens of a model that says when it heard each, or, where
 * nobody says, by the length of the words and the pauses that voice activity found.
 */
import type { Region, Word } from './engine.ts'

/** A piece of a text that stands for a word, with its punctuation. */
interface WordSpan {
  text: string
  /** Offsets in the text. */
  from: number
  to: number
}

/** Written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter('und', { granularity: 'word' })

/** The words of a text, punctuation with the word before it. */
export function piecesOf(text: string): WordSpan[] {
  const pieces: WordSpan[] = []
  for (const { 0: run, index } of text.matchAll(/\S+/gu)) {
    if (!unspaced.test(run)) {
      pieces.push({ text: run, from: index, to: index + run.length })
      continue
    }
    let isFirst = true
    for (const { segment, index: at, isWordLike } of segmenter.segment(run)) {
      const last = pieces.at(-1)
      const to = index + at + segment.length
      if (!isWordLike && !isFirst && last) {
        last.text += segment
        last.to = to
      } else pieces.push({ text: segment, from: index + at, to })
      isFirst = false
    }
  }
  // A dash or a stop that stands alone belongs to the word before it.
  return pieces.reduce<WordSpan[]>((joined, piece) => {
    const last = joined.at(-1)
    if (last && !/[\p{L}\p{N}]/u.test(piece.text)) {
      last.text += last.to === piece.from ? piece.text : ` ${piece.text}`
      last.to = piece.to
    } else joined.push({ ...piece })
    return joined
  }, [])
}

/** The answer of a model for a chunk, in seconds from the chunk's start. */
export interface HeardTokens {
  /** The text that it wrote; words are taken from here alone. */
  text: string
  /** The text in pieces, as the model's vocabulary spells them: they tell the times only. */
  tokens: readonly string[]
  timestamps: readonly number[]
  /** Empty where the model knows no ends. */
  durations: readonly number[]
  /** Natural logarithms of the tokens' probabilities; empty where the model does not say. */
  logProbabilities: readonly number[]
}

/** Without an end of its own, a token is heard until the next one, and not for longer than this. */
const LONGEST_TOKEN_S = 0.3

export function wordsOfTokens(heard: HeardTokens, chunk: Region): Word[] {
  const { timestamps, durations, logProbabilities } = heard
  const text = withSpaces(heard)
  const tokensIn = tokensOf({ ...heard, text })

  return piecesOf(text).map((piece) => {
    const [first, last] = tokensIn(piece)
    const from = timestamps[first] ?? 0
    const lastFrom = timestamps[last] ?? from
    const next = timestamps[last + 1] ?? Infinity
    const length = durations[last] || Math.min(LONGEST_TOKEN_S, next - lastFrom)
    const startMs = within(chunk, chunk.startMs + from * 1000)
    const likely = logProbabilities.slice(first, last + 1)
    return {
      text: piece.text,
      startMs,
      endMs: Math.max(startMs, within(chunk, chunk.startMs + (lastFrom + length) * 1000)),
      // A word is as sure as the least sure of its tokens.
      confidence: likely.length > 0 ? Math.exp(Math.min(0, ...likely)) : null,
    }
  })
}

/**
 * How likely the model found each word of its text: all tokens together in which a letter or a digit
 * stands. Of a comma a model is seldom sure, and no reader minds. Null where it does not say.
 */
export function likelihoodsOf({
  text,
  tokens,
  logProbabilities,
}: Pick<HeardTokens, 'text' | 'tokens' | 'logProbabilities'>): (number | null)[] {
  const tokensIn = tokensOf({ text, tokens })
  return piecesOf(text).map((piece) => {
    const [first, last] = tokensIn(piece)
    const places = Array.from({ length: last - first + 1 }, (_, place) => first + place)
    const spoken = places.filter((place) => /[\p{L}\p{N}]|^<0x/u.test(tokens[place] ?? ''))
    const likely = (spoken.length > 0 ? spoken : places).map((place) => logProbabilities[place])
    return likely.some((each) => each === undefined)
      ? null
      : Math.exp(Math.min(0, sum(likely.map((each) => each ?? 0))))
  })
}

const within = ({ startMs, endMs }: Region, ms: number): number =>
  Math.max(startMs, Math.min(endMs, Math.round(ms)))

/**
 * The text with the spaces that sherpa-onnx 1.13.8 leaves out: of a byte-level vocabulary it keeps the
 * space before a word only where the word before it ends in ASCII.
 */
function withSpaces({ text, tokens }: HeardTokens): string {
  const { isByteLevel, lengths } = spellingOf(tokens, text)
  if (!isByteLevel) return text
  const begins = new Set<number>()
  let bytes = 0
  for (const [index, token] of tokens.entries()) {
    if (token.startsWith('▁') || token.startsWith(' ')) begins.add(bytes)
    bytes += lengths[index] ?? 0
  }
  let spaced = ''
  let at = 0
  for (const letter of text) {
    const last = spaced.at(-1) ?? ' '
    const isMissing = begins.has(at) && last.trim() !== '' && letter.trim() !== ''
    if (isMissing && !unspaced.test(last) && !unspaced.test(letter)) spaced += ' '
    spaced += letter
    at += sizeOf(letter)
  }
  return spaced
}

/** In bytes of UTF-8; spaces do not count. */
const sizeOf = (letter: string): number => (letter.trim() === '' ? 0 : Buffer.byteLength(letter))

/**
 * Finds the first and the last token of a piece of the text. Text and tokens are counted in bytes of
 * UTF-8 without spaces: a token may be a part of a letter, and spaces are written differently.
 */
function tokensOf({
  text,
  tokens,
}: Pick<HeardTokens, 'text' | 'tokens'>): (piece: WordSpan) => [first: number, last: number] {
  /** For each UTF-16 unit of the text how many bytes come before it. */
  const before: number[] = []
  let total = 0
  for (const letter of text) {
    for (let unit = 0; unit < letter.length; unit++) before.push(total)
    total += sizeOf(letter)
  }
  before.push(total)

  const { lengths } = spellingOf(tokens, text)
  // Where the lengths do not add up, the tokens are spread over the text in proportion.
  const scale = total / Math.max(1, sum(lengths))
  const ends: number[] = []
  for (const length of lengths) ends.push((ends.at(-1) ?? 0) + length * scale)

  const last = Math.max(0, tokens.length - 1)
  const holder = (byte: number): number => {
    const at = ends.findIndex((end) => end > byte + BYTE_ROUNDING)
    return at < 0 ? last : at
  }
  return ({ from, to }) => {
    const first = before[from] ?? 0
    return [holder(first), holder(Math.max(first, (before[to] ?? total) - 1))]
  }
}
const BYTE_ROUNDING = 1e-6

/**
 * How many bytes of the text each token stands for, without spaces. Most vocabularies spell tokens as they are read,
 * with `▁` for a space and `<0xE4>` for a byte. A byte-level vocabulary (icefall's "bbpe") writes one
 * letter for each byte instead, so that its tokens read like nothing at all.
 */
function spellingOf(
  tokens: readonly string[],
  text: string,
): { isByteLevel: boolean; lengths: number[] } {
  const bytes = Buffer.from(text.replaceAll(/\s/gu, ''))
  const spelt = tokens.map(bytesOf)
  const plain = spelt.map(({ length }) => length)
  if (Buffer.concat(spelt).equals(bytes)) return { isByteLevel: false, lengths: plain }
  const letters = tokens.map((token) => [...token.replaceAll(/[▁\s]/gu, '')].length)
  const isByteLevel = sum(letters) === bytes.length
  return { isByteLevel, lengths: isByteLevel ? letters : plain }
}

function bytesOf(token: string): Buffer {
  const byte = /^<0x([0-9A-Fa-f]{2})>$/.exec(token)?.[1]
  return byte === undefined
    ? Buffer.from(token.replaceAll(/[▁\s]/gu, ''))
    : Buffer.from([Number.parseInt(byte, 16)])
}

/** A sentence is moved to a pause when one is this near, and not further than this part of it. */
const NEAR_MS = 2000
const NEAR_SHARE = 0.4

/**
 * Words of a text that was spoken somewhere in `span`, with estimated times: no word lies where
 * nobody spoke, and sentences end at pauses where there are any near.
 */
export function placeWords(text: string, span: Region, regions?: readonly Region[]): Word[] {
  const pieces = piecesOf(text)
  const spoken = clip(regions ?? [span], span)
  const timeline = timelineOf(spoken.length > 0 ? spoken : [span])
  const weights = pieces.map(({ text: word }) => word.length + 1)
  const sentences = sentencesOf(pieces, weights)
  const perWeight = timeline.lengthMs / sum(weights)

  const words: Word[] = []
  let fromMs = 0
  let idealMs = 0
  for (const [index, sentence] of sentences.entries()) {
    idealMs += sentence.weight * perWeight
    const next = sentences[index + 1]
    const toMs = next
      ? timeline.nearestPause(idealMs, {
          notBefore: fromMs,
          withinMs: Math.min(
            NEAR_MS,
            NEAR_SHARE * perWeight * Math.min(sentence.weight, next.weight),
          ),
        })
      : timeline.lengthMs
    let at = fromMs
    for (let word = sentence.from; word < sentence.to; word++) {
      const lengthMs = ((weights[word] ?? 0) / sentence.weight) * (toMs - fromMs)
      const { startMs, endMs } = timeline.place(at, at + lengthMs)
      words.push({
        text: pieces[word]?.text ?? '',
        startMs,
        endMs,
        confidence: null,
        isEstimated: true,
      })
      at += lengthMs
    }
    fromMs = toMs
  }
  return words
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

interface Sentence {
  from: number
  to: number
  weight: number
}

function sentencesOf(pieces: readonly WordSpan[], weights: readonly number[]): Sentence[] {
  const sentences: Sentence[] = []
  let from = 0
  for (const [index, { text }] of pieces.entries()) {
    const isEnd = /[.!?…。？！]["'”’)]*$/.test(text) || index === pieces.length - 1
    if (!isEnd) continue
    sentences.push({ from, to: index + 1, weight: sum(weights.slice(from, index + 1)) })
    from = index + 1
  }
  return sentences
}

/** The parts of stretches that lie in a span. */
export function clip(stretches: readonly Region[], span: Region): Region[] {
  return stretches.flatMap(({ startMs, endMs }) => {
    const from = Math.max(startMs, span.startMs)
    const to = Math.min(endMs, span.endMs)
    return to > from ? [{ startMs: from, endMs: to }] : []
  })
}

/** Stretches as if they followed each other without the pauses between them. */
function timelineOf(stretches: readonly Region[]) {
  const parts: (Region & { atMs: number })[] = []
  let lengthMs = 0
  for (const stretch of stretches) {
    parts.push({ ...stretch, atMs: lengthMs })
    lengthMs += stretch.endMs - stretch.startMs
  }
  const partAt = (ms: number) => parts.findLast(({ atMs }) => atMs <= ms) ?? parts[0]

  return {
    lengthMs,
    nearestPause(
      idealMs: number,
      { notBefore, withinMs }: { notBefore: number; withinMs: number },
    ): number {
      const pauses = parts.slice(1).map(({ atMs }) => atMs)
      const near = pauses
        .filter((atMs) => atMs > notBefore && Math.abs(atMs - idealMs) <= withinMs)
        .toSorted((a, b) => Math.abs(a - idealMs) - Math.abs(b - idealMs))
      return near[0] ?? Math.max(notBefore, idealMs)
    },
    /** Where a word lies: on the side of a pause that most of it is on. */
    place(fromMs: number, toMs: number): Region {
      const part = partAt((fromMs + toMs) / 2)
      if (!part) return { startMs: 0, endMs: 0 }
      const startMs = within(part, part.startMs + fromMs - part.atMs)
      return { startMs, endMs: Math.max(startMs, within(part, part.startMs + toMs - part.atMs)) }
    },
  }
}
