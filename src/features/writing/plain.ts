/**
 * Makes the text of a model harmless, before it is shown, written to a file or sent to Google Docs.
 * It removes addresses, pictures, links, HTML, and characters that hide or reorder others.
 *
 * Promise: the text of a model is only text, and nothing that a page, a file or a reader would follow.
 */

/** Control characters, and those that reorder, join or hide the letters around them. */
const hidden =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]/g
const target = String.raw`\([^()]*(?:\([^()]*\)[^()]*)*\)`
const pictures = new RegExp(String.raw`!\[([^[\]]*)\]${target}`, 'g')
const links = new RegExp(String.raw`\[([^[\]]*)\]${target}`, 'g')
const tags = /<\/?[a-z!][^>]*(?:>|$)/gim
const scripts = /<(script|style|iframe|object|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi
const addresses =
  /(?:(?:https?|ftp|file|ws|wss):\/\/|\bwww\.|(?:javascript|data|vbscript):(?=\S))\S*/gi

/** No document is longer; the rest is cut off. */
const MOST_LETTERS = 60_000
const ROUNDS = 8

function harmless(text: string): string {
  let rest = text.slice(0, MOST_LETTERS).toWellFormed().normalize('NFC')
  rest = rest.replaceAll('\r\n', '\n').replace(hidden, '')
  // The text before and after a removed part may form a new tag or address, so it is done again.
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = rest
    rest = rest
      .replace(scripts, '')
      .replace(pictures, '$1')
      .replace(links, '$1')
      .replace(tags, '')
      .replace(addresses, '')
    if (rest === before) return rest
  }
  // Only an attack needs more rounds. Now every sign that a tag or address needs becomes a space.
  return rest.replace(/[<>[\]]|:(?=\S)/g, ' ')
}

/** One line of a model's text without the characters that hide or reorder letters. */
export const inOneLine = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(hidden, '').replace(/\s+/g, ' ').trim()

/** Whether a line has markup, links or addresses that a text does not have. */
export function hasMarkupBeyond(line: string, text: string): boolean {
  const known = inOneLine(text)
    .split(' ')
    .filter((word) => harmless(word) !== word)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), line)
  return harmless(rest) !== rest
}

/** One line of text without markup, cut between words to at most `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = harmless(text)
    .replace(/^\s*(?:[-*•]|#{1,6}|\d{1,2}[.)])\s+/, '')
    .replace(/(\*\*|__|`+)/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return cut(line, most)
}

/** Paragraphs of plain text, parted by one empty line. */
export function plainText(text: string, most: number): string {
  const paragraphs = harmless(text)
    .split(/\n{2,}/)
    .map((paragraph) => plainLine(paragraph, most))
    .filter(Boolean)
  return cut(paragraphs.join('\n\n'), most)
}

/** Keeps headings, lists, quotes and bold of Markdown. Everything else becomes text. */
export function plainMarkdown(text: string): string {
  const lines = harmless(text)
    .replace(/^\s*```[a-z]*\s*$/gim, '')
    .split('\n')
    .map((line) => line.replace(/[\t ]+/g, (gap, at: number) => (at === 0 ? gap : ' ')).trimEnd())
    .filter((line) => !/^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/.test(line))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const short = text.slice(0, most)
  const end = Math.max(short.lastIndexOf('. '), short.lastIndexOf('。'))
  if (end > most / 2) return short.slice(0, end + 1)
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), most / 2)).trimEnd()}…`.toWellFormed()
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Counts words as a reader does, also in scripts without spaces. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1
  return count
}

/**
 * The first blocks of a text that have at most `most` words; a heading is never the last. Where most
 * of the text is one long paragraph, that is cut between its sentences, or between words.
 */
export function withinWords(markdown: string, most: number): string {
  const kept: string[] = []
  let words = 0
  for (const line of markdown.split('\n')) {
    const count = countWords(line)
    if (words + count > most) {
      if (words < most / 2) kept.push(firstWords(line, most - words))
      break
    }
    words += count
    kept.push(line)
  }
  while (kept.length > 0 && /^\s*$|^#{1,6} /.test(kept.at(-1) ?? '')) kept.pop()
  return kept.join('\n')
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** The first sentences that have at most `most` words; of a longer one, its first words. */
function firstWords(line: string, most: number): string {
  let end = 0
  let words = 0
  for (const { segment, index } of sentences.segment(line)) {
    words += countWords(segment)
    if (words > most) break
    end = index + segment.length
  }
  if (end > 0) return line.slice(0, end).trimEnd()
  words = 0
  for (const { segment, index, isWordLike } of segmenter.segment(line)) {
    if (isWordLike) words += 1
    if (words > most) return `${line.slice(0, index).trimEnd()}…`
    end = index + segment.length
  }
  return line.slice(0, end)
}
