/**
 * Documents without a language model: the sentences of the transcript that carry most, put where a
 * reader of such a document looks for them, with who said them and when. The words around them are
 * few, always the same, in the language that was spoken, and claim nothing that was not said.
 */
import { formatDate, formatTime } from '#shared/format.ts'

import { type Composed, type DocumentKindId, type DocumentOrder, kindOf } from './contract.ts'
import { sayDoubt } from './doubt.ts'
import type { Material, Said } from './extractive.ts'
import { countWords, plainLine, withinWords } from './plain.ts'
import { type TemplateWords, templateWords } from './template-words.ts'

type Draft = Pick<Composed, 'title' | 'content'>

/** What the templates draw from. */
interface Source {
  order: DocumentOrder
  material: Material
  words: TemplateWords
  /** Statements that can be read alone, in order. */
  statements: Said[]
  questions: Said[]
  steps: Said[]
  /** Whether naming the speakers tells anything. */
  hasNames: boolean
}

/** With less than this there is nothing to choose from. */
const FEWEST_STATEMENTS = 2
/** With less than this said there is nothing to make a document of. */
export const FEWEST_WORDS = 20

/** Null when too little was said that can be read alone. */
export function fillIn(
  order: DocumentOrder,
  material: Material,
): Pick<Composed, 'title' | 'content' | 'wordCount'> | null {
  const statements = material.said.filter(({ isQuestion, score }) => !isQuestion && score > 0)
  const said = statements.reduce((sum, { text }) => sum + countWords(text), 0)
  if (statements.length < FEWEST_STATEMENTS || said < FEWEST_WORDS) return null
  const speakers = new Set(order.turns.map(({ speaker }) => speaker))
  const source: Source = {
    order,
    material,
    words: templateWords(material.language),
    statements,
    questions: material.said.filter(({ isQuestion }) => isQuestion),
    steps: statements.filter(({ isStep, score }) => isStep && score > 0.15),
    hasNames: speakers.size > 1,
  }
  const { title, content } = templates[order.kind](source)
  const pictures = order.withImages ? imagesFor(source) : ''
  const { maxWords } = kindOf(order.kind)
  const text = withinWords(content, maxWords - countWords(pictures))
  const whole = pictures === '' ? text : `${text}\n\n${pictures}`
  return { title: plainLine(title, 120), content: whole, wordCount: countWords(whole) }
}

const templates: Record<DocumentKindId, (source: Source) => Draft> = {
  'meeting-minutes': minutes,
  article,
  'structured-notes': notes,
  'key-insights': insights,
  'marketing-brief': brief,
  'follow-up-email': mail,
  'social-posts': posts,
}

function minutes(source: Source): Draft {
  const { order, steps, questions, words } = source
  return {
    title: `${words.minutes}${words.colon}${bareName(order.name)}`,
    content: blocks(
      facts(source),
      section(words.whoSpoke, talkShares(source)),
      section(words.inShort, [shortly(source)]),
      ...course(source, { heading: words.whatWasSaid, share: 0.5 }),
      section(words.decisions, bullets(best(steps, 6), source)),
      section(words.openQuestions, bullets(lastOf(questions, 4), source)),
    ),
  }
}

function article(source: Source): Draft {
  const { material, statements, words } = source
  const { topics } = material
  const used = new Set(best(statements, 1).map(({ text }) => text))
  const [lead] = best(statements, 1)
  const about = topics.slice(0, 4).map((topic, index) => {
    const fitting = statements.filter((one) => one.topics.includes(index) && !used.has(one.text))
    const chosen = best(fitting, 4)
    if (chosen.length < 2) return ''
    for (const { text } of chosen) used.add(text)
    const [quote] = best(
      chosen.filter(({ text }) => countWords(text) <= 22),
      1,
    )
    const rest = chosen.filter((one) => one !== quote)
    return blocks(
      `## ${topic}`,
      ...rest.map((one) => `${one.text} ${whence(one, source)}`),
      quote ? cited(quote, source) : '',
    )
  })
  const more = best(
    statements.filter(({ text }) => !used.has(text)),
    about.some(Boolean) ? 4 : 8,
  )
  return {
    title: capital(`${subjectOf(source)}${words.colon}${continued(words.whatWasSaid, source)}`),
    content: blocks(
      lead ? `**${lead.text}**` : '',
      `${opening(source)} ${words.inTheirWords}`,
      ...about,
      section(
        about.some(Boolean) ? words.alsoSaid : words.whatWasSaid,
        more.map((one) => `${one.text} ${whence(one, source)}`),
      ),
      section(
        words.inShort,
        material.keyPoints.map(({ text }) => `- ${text}`),
      ),
    ),
  }
}

function notes(source: Source): Draft {
  const { order, material, steps, questions, words } = source
  return {
    title: `${words.notes}${words.colon}${bareName(order.name)}`,
    content: blocks(
      facts(source),
      material.topics.length > 0
        ? `${words.subjects}${words.colon}${material.topics.join(', ')}`
        : '',
      ...course(source, { heading: null, share: 0.65 }),
      section(words.toDo, bullets(best(steps, 5), source)),
      section(words.questions, bullets(questions.slice(0, 5), source)),
    ),
  }
}

function insights(source: Source): Draft {
  const { statements, words } = source
  const chosen = best(statements, Math.min(8, Math.max(3, Math.round(statements.length / 6))))
  const picked = new Set(chosen)
  return {
    title: `${words.insights}${words.colon}${subjectOf(source)}`,
    content: blocks(
      opening(source),
      chosen
        .map((one, index) => {
          const context = neighbour(one, statements, picked)
          const line = `${index + 1}. **${one.text}** ${whence(one, source)}`
          return context ? `${line} ${words.goesOn} “${withoutStop(context.text)}”.` : line
        })
        .join('\n'),
      section(
        words.numbers,
        bullets(
          best(
            statements.filter((one) => one.hasFigure && !picked.has(one)),
            4,
          ),
          source,
        ),
      ),
    ),
  }
}

function brief(source: Source): Draft {
  const { statements, material, questions, words } = source
  const [lead] = [...statements].sort((a, b) => b.score - a.score)
  const others = statements.filter((one) => one !== lead)
  const figures = best(
    statements.filter((one) => one.hasFigure && one !== lead),
    4,
  )
  const message = best(
    others.filter((one) => !figures.includes(one)),
    4,
  )
  const quotes = best(
    others.filter(
      (one) => !message.includes(one) && !figures.includes(one) && countWords(one.text) <= 24,
    ),
    4,
  )
  return {
    title: `${words.brief}${words.colon}${subjectOf(source)}`,
    content: blocks(
      section(words.inOneSentence, lead ? [lead.text] : []),
      section(words.message, bullets(message, source)),
      section(words.proof, bullets(figures, source)),
      section(
        words.quotes,
        quotes.length > 0 ? [quotes.map((one) => cited(one, source)).join('\n\n')] : [],
      ),
      section(words.theirWords, material.topics.length > 0 ? [material.topics.join(', ')] : []),
      section(words.whatTheyAsk, bullets(questions.slice(0, 4), source)),
      section(
        words.notInRecording,
        words.missing.map((what) => `- ${what}`),
      ),
    ),
  }
}

function mail(source: Source): Draft {
  const { order, statements, questions, words } = source
  const steps = best(source.steps, 4)
  const points = best(
    statements.filter((one) => !steps.includes(one)),
    4,
  )
  return {
    title: `${words.followUp}${words.colon}${subjectOf(source)}`,
    content: blocks(
      words.greeting,
      words.thanks(dateIn(order.recordedAt, source)),
      bullets(points, source).join('\n'),
      steps.length > 0 ? `**${words.nextSteps}**\n\n${bullets(steps, source).join('\n')}` : '',
      questions.length > 0
        ? `**${words.stillOpen}**\n\n${bullets(lastOf(questions, 3), source).join('\n')}`
        : '',
      words.correctMe,
      words.regards,
    ),
  }
}

const POST_LETTERS = 280

function posts(source: Source): Draft {
  const { statements, material, words } = source
  const { topics } = material
  const fitting = statements.filter(({ text }) => text.length <= POST_LETTERS - 60)
  const chosen = best(fitting.length >= 3 ? fitting : statements, 5)
  const first =
    topics.length > 1
      ? [`${words.talkedAbout(listOf(topics.slice(0, 3), source))} ${tags(topics.slice(0, 2))}`]
      : []
  const texts = [
    ...first,
    ...chosen.map((one) => {
      const tag = tags(one.topics.slice(0, 1).flatMap((index) => topics[index] ?? []))
      const by = source.hasNames ? ` — ${nameOf(one, source)}` : ''
      const end = `${by}${tag === '' ? '' : ` ${tag}`}`
      return `“${plainLine(withoutStop(one.text), POST_LETTERS - end.length - 3)}”${end}`
    }),
  ]
  return {
    title: `${words.posts}${words.colon}${subjectOf(source)}`,
    content: blocks(
      ...texts.map((text, index) => `## ${words.post} ${index + 1}\n\n${text.trim()}`),
    ),
  }
}

function imagesFor(source: Source): string {
  const { material, statements, words } = source
  const ideas = material.topics.slice(0, 3).flatMap((topic, index) => {
    const [place] = best(
      statements.filter((one) => one.topics.includes(index)),
      1,
    )
    return place ? [`- ${words.picture(topic, shortened(place.text), at(place))}`] : []
  })
  return section(words.images, ideas)
}

/** The recording from its beginning to its end, in parts of equal length. */
function course(
  source: Source,
  { heading, share }: { heading: string | null; share: number },
): string[] {
  const { order, statements, material, words } = source
  const { maxWords, minWords } = kindOf(order.kind)
  const most = Math.max(minWords, maxWords * share)
  const chosen = withWords(statements, most)
  const count = Math.min(6, Math.max(1, Math.round(chosen.length / 5)))
  const end = Math.max(1, ...order.turns.map(({ endMs }) => endMs))
  const parts = Array.from({ length: count }, (_, index) =>
    chosen.filter(
      ({ startMs }) =>
        startMs >= (end * index) / count &&
        (startMs < (end * (index + 1)) / count || index === count - 1),
    ),
  )
  if (count === 1) return [section(heading ?? words.inOrder, bullets(chosen, source))]
  const level = heading === null ? '##' : '###'
  const named = parts.flatMap((part, index) => {
    if (part.length === 0) return []
    const from = formatTime((end * index) / count / 1000)
    const about = commonTopics(part, material.topics)
    const title = about.length > 0 ? `${from} ${listOf(about, source)}` : words.from(from)
    return [`${level} ${title}\n\n${bullets(part, source).join('\n')}`]
  })
  return heading === null ? named : [`## ${heading}`, ...named]
}

function commonTopics(part: readonly Said[], topics: readonly string[]): string[] {
  const counts = topics.map((topic, index) => ({
    topic,
    count: part.filter((one) => one.topics.includes(index)).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, 2)
    .map(({ topic }) => topic)
}

/** The best sentences that together have about so many words, in order. */
function withWords(all: readonly Said[], most: number): Said[] {
  const kept = new Set<Said>()
  let words = 0
  for (const one of [...all].sort((a, b) => b.score - a.score)) {
    words += countWords(one.text) + 3
    if (words > most && kept.size > 0) break
    kept.add(one)
  }
  return all.filter((one) => kept.has(one))
}

const best = (all: readonly Said[], most: number): Said[] => {
  const top = new Set([...all].sort((a, b) => b.score - a.score).slice(0, most))
  return all.filter((one) => top.has(one))
}

/** What was asked last is more likely still open. */
const lastOf = (all: readonly Said[], most: number): Said[] => all.slice(-most)

/** What the same speaker said right after it, where that is not in the list already. */
function neighbour(one: Said, all: readonly Said[], picked: ReadonlySet<Said>): Said | undefined {
  const next = all[all.indexOf(one) + 1]
  return next && next.turn === one.turn && !picked.has(next) && next.score > 0.2 ? next : undefined
}

function nameOf({ turn }: Said, { order, words }: Source): string {
  return order.turns[turn]?.speaker ?? words.unknownSpeaker
}

const at = ({ startMs }: Said): string => formatTime(startMs / 1000)

const whence = (one: Said, source: Source): string =>
  source.hasNames ? `(${nameOf(one, source)}, ${at(one)})` : `(${at(one)})`

const cited = (one: Said, source: Source): string =>
  `> “${withoutStop(one.text)}” — ${source.hasNames ? `${nameOf(one, source)}, ` : ''}${at(one)}`

const bullets = (all: readonly Said[], source: Source): string[] =>
  all.map((one) =>
    source.hasNames
      ? `- **${nameOf(one, source)}** (${at(one)}): ${one.text}`
      : `- ${at(one)}: ${one.text}`,
  )

function talkShares({ order: { turns }, words }: Source): string[] {
  const times = new Map<string, number>()
  for (const { speaker, startMs, endMs } of turns) {
    const name = speaker ?? words.unknownSpeaker
    times.set(name, (times.get(name) ?? 0) + endMs - startMs)
  }
  const all = [...times.values()].reduce((sum, time) => sum + time, 0)
  return [...times].map(
    ([name, time]) =>
      `- **${name}**${words.colon}${words.share(Math.round((100 * time) / Math.max(1, all)))}`,
  )
}

const facts = (source: Source): string => {
  const { order } = source
  return `${dateIn(order.recordedAt, source)} · ${formatTime(order.durationMs / 1000)} · ${bareName(order.name)}`
}

/** Date, length, how many spoke, and of what. */
function opening(source: Source): string {
  const { order, material, words } = source
  const people = new Set(order.turns.map(({ speaker }) => speaker)).size
  const date = dateIn(order.recordedAt, source)
  const time = formatTime(order.durationMs / 1000)
  const topics = material.topics.slice(0, 4)
  if (words !== templateWords('en')) {
    const about = topics.length > 0 ? ` · ${words.subjects}${words.colon}${topics.join(', ')}` : ''
    return `${date} · ${time} · ${words.speakers}${words.colon}${people}${about}`
  }
  const who = source.hasNames ? `${few[people] ?? people} people` : 'One person'
  const about = topics.length > 0 ? ` about ${listOf(topics, source)}` : ''
  return `${who} spoke for ${time}${about} on ${date}.`
}

const few = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten']

/** The summary, or why there is none. */
const shortly = ({ material: { text, doubt, language } }: Source): string =>
  doubt ? sayDoubt(doubt, language) : text

/** What it is about, for a title. */
const subjectOf = (source: Source): string => {
  const { topics } = source.material
  return topics.length > 0 ? listOf(topics.slice(0, 2), source) : bareName(source.order.name)
}

/** A heading after a colon: German keeps the large letter of a clause, others do not. */
const continued = (heading: string, { material: { language } }: Source): string =>
  language === 'de' ? heading : heading.charAt(0).toLowerCase() + heading.slice(1)

const dateIn = (date: Date, { words, material: { language } }: Source): string =>
  words === templateWords('en')
    ? formatDate(date, 'UTC')
    : new Intl.DateTimeFormat(`${language}-u-nu-latn`, {
        dateStyle: 'medium',
        timeZone: 'UTC',
      }).format(date)

function section(heading: string, lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length === 0) return ''
  const isList = filled.every((line) => line.startsWith('- '))
  return `## ${heading}\n\n${filled.join(isList ? '\n' : '\n\n')}`
}

const blocks = (...parts: string[]): string =>
  parts.filter((part) => part.trim() !== '').join('\n\n')

const listOf = (all: readonly string[], { words, material: { language } }: Source): string => {
  // British English writes no comma before the "and".
  const locale = words === templateWords('en') ? 'en-GB' : language
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(all)
}

const tags = (topics: readonly string[]): string =>
  topics
    .map((topic) => topic.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim())
    .filter(Boolean)
    .map((topic) => `#${topic.split(' ').map(capital).join('')}`)
    .join(' ')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const withoutStop = (text: string): string => text.replace(/[.。]$/, '')
const shortened = (text: string): string => plainLine(withoutStop(text), 80)
const bareName = (name: string): string => name.replace(/\.[a-z0-9]{2,5}$/i, '')
