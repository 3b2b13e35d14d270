/**
 * Reads the small part of Markdown that documents are written in. The page, the text, Word and PDF
 * files and Google Docs are all made from these blocks. Any other markup is shown as text.
 */
export interface Span {
  text: string
  isBold: boolean
}

export type Block =
  | { kind: 'heading'; level: 2 | 3; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'quote'; spans: Span[] }
  /** `number` where the list is a numbered one. Depth from 0. */
  | { kind: 'item'; number: number | null; depth: number; spans: Span[] }

const heading = /^\s{0,3}(#{1,6})\s+(.+?)\s*#*$/
const item = /^(\s*)(?:[-*•]|(\d{1,3})[.)])\s+(.+)$/
const quote = /^\s{0,3}>\s?(.*)$/

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let isOpen = false
  for (const line of markdown.split('\n')) {
    if (line.trim() === '') {
      isOpen = false
      continue
    }
    const block = blockOf(line)
    const last = blocks.at(-1)
    // The next line of the same paragraph or quote.
    if (isOpen && last && last.kind === block.kind && goesOn(block)) {
      last.spans = joined(last.spans, block.spans)
      continue
    }
    blocks.push(block)
    isOpen = true
  }
  return blocks
}

function blockOf(line: string): Block {
  const [, marks, title] = heading.exec(line) ?? []
  if (marks && title)
    return { kind: 'heading', level: marks.length < 3 ? 2 : 3, spans: spansOf(title) }
  const [, indent = '', number, point] = item.exec(line) ?? []
  if (point) {
    const depth = Math.min(2, Math.floor(indent.replaceAll('\t', '  ').length / 2))
    return { kind: 'item', number: number ? Number(number) : null, depth, spans: spansOf(point) }
  }
  const [, said] = quote.exec(line) ?? []
  if (said !== undefined) return { kind: 'quote', spans: spansOf(said) }
  return { kind: 'paragraph', spans: spansOf(line.trim()) }
}

const goesOn = ({ kind }: Block): boolean => kind === 'paragraph' || kind === 'quote'

const joined = (before: Span[], after: Span[]): Span[] => [
  ...before,
  { text: '\n', isBold: false },
  ...after,
]

/** `**bold**` and the rest; a mark without its partner stays what it is. */
function spansOf(text: string): Span[] {
  return text
    .split(/\*\*(\S(?:.*?\S)?)\*\*/g)
    .map((part, index) => ({ text: unescaped(part), isBold: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '')
}

const unescaped = (text: string): string => text.replace(/\\([*_#>`[\]\\-])/g, '$1')

export const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')

/** The plain text that is copied, previewed, and sent as .txt. */
export function toText(markdown: string): string {
  let text = ''
  let before: Block | undefined
  for (const block of blocksOf(markdown)) {
    const isList = block.kind === 'item' && before?.kind === 'item'
    text += before === undefined ? '' : isList ? '\n' : '\n\n'
    text += lineOf(block)
    before = block
  }
  return text
}

function lineOf(block: Block): string {
  const text = textOf(block.spans)
  if (block.kind !== 'item') return text
  const mark = block.number === null ? '-' : `${block.number}.`
  return `${'  '.repeat(block.depth)}${mark} ${text}`
}
