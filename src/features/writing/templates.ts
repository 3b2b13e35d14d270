/**
 * Documents without a language model. A document is made of sentences of the transcript, put under
 * the headings where a reader of such a document looks for them, with who said them and when.
 * `types` lists the sections of each kind of document and their sources. The headings come from
 * `phrases.json`, in the language that was spoken.
 */
import { formatTime } from '#shared/format.ts'
import { talkTime } from '#shared/talk-time.ts'

import { type Composed, type DocumentKindId, type DocumentOrder, kindOf } from './contract.ts'
import type { Material, Said } from './extractive.ts'
import { type Phrases, filled, phraseLanguages, phrasesOf, sayDoubt } from './phrases.ts'
import { countWords, plainLine, withinWords } from './plain.ts'

/** The material of a document. */
interface Source {
  order: DocumentOrder
  material: Material
  phrases: Phrases
  /** ISO 639-1 of the phrases. */
  language: string
  /** Sentences that can be read alone, in order; no questions. */
  statements: Said[]
  /** Sentences that a section has picked. No other section picks them again. */
  used: Set<Said>
  /** Whether there are several speakers to tell apart. */
  hasNames: boolean
}

/** Writes the Markdown of a section. One that is empty is left out with its heading. */
type Fill = (source: Source) => string
/** Picks the sentences of a section, in the order in which they were said. */
type Choice = (source: Source) => Said[]

type Heading = keyof Phrases | null | ((source: Source) => keyof Phrases)

interface DocumentType {
  /** Stands before the subject of the document. */
  title?: keyof Phrases
  /** The subject of the document: the topics, or the name of the recording. */
  subject: (source: Source) => string
  sections: readonly (readonly [heading: Heading, fill: Fill])[]
  /** Ends the document even where the sections had to be cut. */
  closing?: keyof Phrases
}

const types: Record<DocumentKindId, DocumentType> = {
  'meeting-minutes': {
    title: 'minutes',
    subject: bareName,
    sections: [
      [null, facts],
      ['whoSpoke', shares],
      ['nextSteps', steps],
      [inShort, summary],
      ['whatWasSaid', course(0.35)],
      ['openQuestions', list(lastQuestions(4))],
    ],
  },
  article: {
    subject: mainTopics,
    sections: [
      [null, lead],
      [null, facts],
      [null, byTopic],
      ['alsoSaid', paragraphs(best(4))],
      [inShort, keyPoints],
    ],
  },
  'structured-notes': {
    title: 'notes',
    subject: bareName,
    sections: [
      [null, facts],
      ['nextSteps', steps],
      ['whatWasSaid', course(0.65)],
      ['openQuestions', list(lastQuestions(5))],
    ],
  },
  'show-notes': {
    title: 'showNotes',
    subject: mainTopics,
    sections: [
      [null, lead],
      [null, facts],
      ['whatWasSaid', list(best(8, isPoint))],
      ['quotes', quotes(best(3, isQuotable))],
      ['whoSpoke', shares],
    ],
  },
  'key-insights': {
    title: 'insights',
    subject: mainTopics,
    sections: [
      [null, facts],
      [null, insights],
      ['numbers', list(best(4, isFact))],
    ],
  },
  'marketing-brief': {
    title: 'brief',
    subject: mainTopics,
    sections: [
      [inShort, lead],
      ['message', list(best(4, (one) => one.isComplete && !one.hasFigure))],
      ['numbers', list(best(4, isFact))],
      ['quotes', quotes(best(4, isQuotable))],
      ['subjects', ({ material }) => material.topics.join(', ')],
      ['openQuestions', list(lastQuestions(4))],
      ['toFillIn', ({ phrases }) => phrases.gaps],
    ],
  },
  'follow-up-email': {
    title: 'followUp',
    subject: mainTopics,
    sections: [
      [null, opening],
      // It stands under "these are the points", so it is never empty.
      [null, list(firstOf(best(4, isPoint), best(4, isWhole), best(4)))],
      ['nextSteps', steps],
      ['openQuestions', list(lastQuestions(3))],
    ],
    closing: 'closing',
  },
  'social-posts': { title: 'posts', subject: mainTopics, sections: [[null, posts]] },
}

/** With fewer sentences no document is made, because there is nothing to choose from. */
const FEWEST_STATEMENTS = 2
/** A sentence is found again by its first letters, because a post may have cut its end. */
const SHOWN_LETTERS = 30
/** With fewer words in a recording no document is made of it. */
export const FEWEST_WORDS = 20

/** Null when too little was said that can be read alone. */
export function fillIn(
  order: DocumentOrder,
  material: Material,
): Pick<Composed, 'title' | 'content' | 'wordCount'> | null {
  // A piece of a sentence says nothing. Of a talk, and of words that are often misheard, a sentence
  // with a guess in it says something else than was said.
  const isClear = material.kind === 'summary' && material.doubt === null
  const statements = material.said.filter(
    ({ isQuestion, isFull, isComplete, score }) =>
      !isQuestion && score > 0 && (isClear ? isFull : isComplete),
  )
  const said = statements.reduce((sum, { text }) => sum + countWords(text), 0)
  if (statements.length < FEWEST_STATEMENTS || said < FEWEST_WORDS) return null
  const source: Source = {
    order,
    material,
    phrases: phrasesOf(material.language),
    language: phraseLanguages.includes(material.language) ? material.language : 'en',
    statements,
    used: new Set(),
    hasNames: new Set(order.turns.map(({ speaker }) => speaker)).size > 1,
  }
  const { phrases } = source
  const { title, subject, sections, closing } = types[order.kind]
  const content = sections.map(([heading, fill]) => {
    const named = typeof heading === 'function' ? heading(source) : heading
    return section(named && phrases[named], fill(source))
  })
  const end = blocks([
    closing ? phrases[closing] : '',
    order.withImages ? section(phrases.images, images({ ...source, used: new Set() })) : '',
  ])
  const wordsLeft = kindOf(order.kind).maxWords - countWords(end)
  const whole = blocks([withinWords(blocks(content), wordsLeft), end])
  // Headings and facts alone are no document.
  if (!material.said.some(({ text }) => whole.includes(text.slice(0, SHOWN_LETTERS)))) return null
  const name = (title ? phrases[title] + colon(source) : '') + subject(source)
  return { title: plainLine(name, 120), content: whole, wordCount: countWords(whole) }
}

const section = (heading: string | null, text: string): string =>
  heading === null || text === '' ? text : `## ${heading}\n\n${text}`

const blocks = (parts: readonly string[]): string => parts.filter(Boolean).join('\n\n')

function best(most: number, fits: (one: Said) => boolean = () => true): Choice {
  return ({ statements, used }) => {
    const free = statements.filter((one) => !used.has(one) && fits(one))
    const top = new Set(free.toSorted((a, b) => b.score - a.score).slice(0, most))
    for (const one of top) used.add(one)
    return free.filter((one) => top.has(one))
  }
}

/** The sentences of the first choice that finds any. */
function firstOf(...choices: readonly Choice[]): Choice {
  return (source) => {
    for (const choose of choices) {
      const found = choose(source)
      if (found.length > 0) return found
    }
    return []
  }
}

/** Picks the last questions, which are more likely still open than earlier ones. */
function lastQuestions(most: number): Choice {
  return ({ material }) => material.said.filter((one) => one.isOpen && one.isComplete).slice(-most)
}

function isClearStep({ isStep, isComplete, score }: Said): boolean {
  return isStep && isComplete && score > 0.15
}

function isWhole({ isComplete }: Said): boolean {
  return isComplete
}

function isPoint({ isStep, isComplete }: Said): boolean {
  return isComplete && !isStep
}

function isFact({ hasFigure, isComplete }: Said): boolean {
  return hasFigure && isComplete
}

function isShort({ text }: Said): boolean {
  return countWords(text) <= 24
}

/** Sentences for a quote apart from the text: they must be right, and stand alone. */
function isQuotable(one: Said): boolean {
  return isShort(one) && one.isComplete
}

function list(choose: Choice): Fill {
  return (source) =>
    choose(source)
      .map((one) => item(one, source))
      .join('\n')
}

function paragraphs(choose: Choice): Fill {
  return (source) => blocks(choose(source).map((one) => `${one.text} (${origin(one, source)})`))
}

function quotes(choose: Choice): Fill {
  return (source) =>
    blocks(choose(source).map((one) => `> “${withoutStop(one.text)}” — ${origin(one, source)}`))
}

/** Date, length and name of the recording, and its topics. */
function facts(source: Source): string {
  const { order, material, phrases } = source
  const { topics } = material
  return blocks([
    [dateIn(source), formatTime(order.durationMs / 1000), bareName(source)]
      .filter((fact) => fact !== null)
      .join(' · '),
    topics.length > 0 ? phrases.subjects + colon(source) + topics.join(', ') : '',
  ])
}

/** How much of the talking each speaker did. */
function shares(source: Source): string {
  const { order, phrases } = source
  const lengths = order.turns.map(({ speaker, startMs, endMs }) => ({
    voice: speaker,
    ms: endMs - startMs,
  }))
  return talkTime(lengths)
    .filter(({ voice }) => voice !== null)
    .map(
      ({ voice, share }) =>
        `- **${voice}**${colon(source)}${filled(phrases.share, { percent: String(share) })}`,
    )
    .join('\n')
}

/** Most sentences of a list of steps, where a language tells decisions from proposals badly. */
const MOST_STEPS = 6

/** What was decided, and who will do what, in the order in which it was said. */
function steps(source: Source): string {
  const { material, statements, used, hasNames } = source
  // What another section has told is not told again.
  const before = new Set([...used].map(({ text }) => text))
  const tasks = material.actionItems.filter(({ text }) => !before.has(text))
  const told = best(MOST_STEPS, isClearStep)(source)
  for (const one of statements)
    if (material.actionItems.some(({ text }) => text.includes(one.text))) used.add(one)
  const lines = [
    ...told
      .filter(({ text }) => !material.actionItems.some((task) => task.text.includes(text)))
      .map((one) => ({ startMs: one.startMs, line: item(one, source) })),
    ...tasks.map(({ text, who, due, startMs }) => {
      const time = formatTime(startMs / 1000)
      // Of a request and its promise, one is shown, and the other may say by when.
      const said = due === null || text.includes(due) ? text : `${text} (${due})`
      const named = who === null || !hasNames ? `${time}: ${said}` : `**${who}** (${time}): ${said}`
      return { startMs, line: `- ${named}` }
    }),
  ]
  return lines
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ line }) => line)
    .join('\n')
}

/** The heading of the summary. */
function inShort({ material: { kind, doubt } }: Source): 'inShort' | 'keySentences' {
  return kind === 'sentences' && !doubt ? 'keySentences' : 'inShort'
}

/** The summary, or why there is none. */
function summary({ material: { text, doubt, language }, statements, used }: Source): string {
  for (const one of statements) if (text.includes(one.text)) used.add(one)
  return doubt ? sayDoubt(doubt, language) : text
}

function keyPoints({ material, used }: Source): string {
  const isTold = (point: string) => [...used].some(({ text }) => point.includes(text))
  const points = material.keyPoints.filter(({ text }) => !isTold(text))
  return points.map(({ text }) => `- ${text}`).join('\n')
}

/** The one sentence that says most. */
function lead(source: Source): string {
  return best(
    1,
    isWhole,
  )(source)
    .map(({ text }) => `**${text}**`)
    .join('')
}

/** A section for each of the first topics, with a quote at its end. */
function byTopic(source: Source): string {
  const { statements, used, material } = source
  const sections = material.topics.slice(0, 4).map((topic, index) => {
    const fits = (one: Said) => one.topics.includes(index)
    if (statements.filter((one) => fits(one) && !used.has(one)).length < 2) return ''
    const quote = quotes(best(1, (one) => fits(one) && isQuotable(one)))(source)
    return section(topic, blocks([paragraphs(best(3, fits))(source), quote]))
  })
  return blocks(sections)
}

/** Numbered points, each with the next words of the same speaker. */
function insights(source: Source): string {
  const { statements } = source
  const most = Math.min(8, Math.max(3, Math.round(statements.length / 6)))
  const points = best(
    most,
    isWhole,
  )(source).map((one, index) => {
    const next = statements[statements.indexOf(one) + 1]
    const goesOn =
      next?.turn === one.turn && next.isComplete && next.score > 0.2 && !source.used.has(next)
    if (goesOn) source.used.add(next)
    return `${index + 1}. **${one.text}** ${goesOn ? `${next.text} ` : ''}(${origin(one, source)})`
  })
  return points.join('\n')
}

const POST_LETTERS = 280

function posts(source: Source): string {
  const { material, phrases } = source
  const chosen = [...best(5, isQuotable)(source), ...best(1, isWhole)(source)]
  return blocks(
    chosen.map((one, index) => {
      const [topic] = one.topics.map((place) => material.topics[place])
      const speaker = source.hasNames ? nameOf(one, source) : null
      const end = `${speaker ? ` — ${speaker}` : ''}${topic ? ` ${hashtag(topic)}` : ''}`
      const quote = plainLine(withoutStop(one.text), POST_LETTERS - end.length - 2)
      return section(`${phrases.post} ${index + 1}`, `“${quote}”${end}`)
    }),
  )
}

/**
 * Suggests images: one for each of the first topics, with the words that it would illustrate; where
 * there are no topics, for what is said best.
 */
function images(source: Source): string {
  const { topics } = source.material
  const words = (one: Said) => `“${plainLine(withoutStop(one.text), 80)}” (${origin(one, source)})`
  if (topics.length === 0)
    return best(
      3,
      () => true,
    )(source)
      .map((one) => `- ${words(one)}`)
      .join('\n')
  return topics
    .slice(0, 3)
    .flatMap((topic, index) =>
      best(1, (one) => one.topics.includes(index))(source).map(
        (one) => `- **${topic}**: ${words(one)}`,
      ),
    )
    .join('\n')
}

/**
 * Tells the recording from beginning to end, in parts of equal length. It may use this share of the
 * document's words.
 */
function course(share: number): Fill {
  return (source) => {
    const { minWords, maxWords } = kindOf(source.order.kind)
    const free = source.statements.filter((one) => !source.used.has(one))
    const chosen = withWords(free, Math.max(minWords, maxWords * share))
    for (const one of chosen) source.used.add(one)
    const count = Math.min(6, Math.max(1, Math.round(chosen.length / 5)))
    const end = Math.max(1, ...source.order.turns.map(({ endMs }) => endMs))
    const partOf = ({ startMs }: Said) => Math.min(count - 1, Math.floor((count * startMs) / end))
    const parts = Array.from({ length: count }, (_, index) => {
      const part = chosen.filter((one) => partOf(one) === index)
      const items = part.map((one) => item(one, source)).join('\n')
      if (count === 1 || part.length === 0) return items
      const from = formatTime((end * index) / count / 1000)
      return `### ${from} ${listOf(commonTopics(part, source), source)}`.trim() + `\n\n${items}`
    })
    return blocks(parts)
  }
}

/** The two topics that most of these sentences are about. */
function commonTopics(part: readonly Said[], { material }: Source): string[] {
  const counts = material.topics.map((topic, index) => ({
    topic,
    count: part.filter(({ topics }) => topics.includes(index)).length,
  }))
  const found = counts.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count)
  return found.slice(0, 2).map(({ topic }) => topic)
}

/** The best sentences that together have about `most` words, in the order they were said. */
function withWords(all: readonly Said[], most: number): Said[] {
  let words = 0
  const kept = new Set<Said>()
  for (const one of all.toSorted((a, b) => b.score - a.score)) {
    // The name and the time beside a sentence count as three words.
    words += countWords(one.text) + 3
    if (words > most && kept.size > 0) break
    kept.add(one)
  }
  return all.filter((one) => kept.has(one))
}

function mainTopics(source: Source): string {
  const { topics } = source.material
  return topics.length > 0 ? listOf(topics.slice(0, 2), source) : bareName(source)
}

function bareName({ order }: Source): string {
  return order.name.replace(/\.[a-z0-9]{2,5}$/i, '')
}

const nameOf = ({ turn }: Said, { order }: Source): string | null =>
  order.turns[turn]?.speaker ?? null

const at = ({ startMs }: Said): string => formatTime(startMs / 1000)

/** "Ben, 0:56", or the time alone where there is one speaker. */
const origin = (one: Said, source: Source): string =>
  [source.hasNames ? nameOf(one, source) : null, at(one)].filter(Boolean).join(', ')

function item(one: Said, source: Source): string {
  const name = source.hasNames ? nameOf(one, source) : null
  return name === null ? `- ${at(one)}: ${one.text}` : `- **${name}** (${at(one)}): ${one.text}`
}

const colons: Partial<Record<string, string>> = { fr: ' : ', zh: '：', ja: '：' }
const colon = ({ language }: Source): string => colons[language] ?? ': '

function opening(source: Source): string {
  const date = dateIn(source)
  const { opening: dated, openingUndated } = source.phrases
  return date === null ? openingUndated : filled(dated, { date })
}

/** The day of the recording; null where nobody knows it. */
function dateIn({ order: { recordedOn }, language }: Source): string | null {
  if (recordedOn === undefined) return null
  const kind = { dateStyle: 'medium', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(`${language}-u-nu-latn`, kind).format(new Date(recordedOn))
}

const listOf = (all: readonly string[], { language }: Source): string =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(all)

/** "Invoice archive" becomes "#InvoiceArchive". */
const hashtag = (topic: string): string =>
  `#${topic.replace(/[^\p{L}\p{N}\p{M}]+(.?)/gu, (_, next: string) => next.toUpperCase())}`

const withoutStop = (text: string): string => text.replace(/[.。]$/, '')
