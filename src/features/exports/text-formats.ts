/** Writes turns as Markdown, CSV, JSON and text for analysis. Times count from the start of the recording. */
import { timingOf, type Turn } from '#features/speech/contract.ts'
import { withoutFormula } from '#shared/csv.ts'
import { formatDate, formatTime, formatTimecode, languageName } from '#shared/format.ts'
import { recordedDay } from '#shared/recorded.ts'

import { type TextOptions, headingIn, headingsOf, oneLine, timecode } from './plain-text.ts'
import { nameOf, readersNames, type SpeakerNames } from './speaker-names.ts'

/**
 * As programs for qualitative analysis read it, so that a paragraph is played from its time: NVivo
 * ("paragraphs that start with valid timestamps", brackets allowed), MAXQDA (the time, the name and
 * what is said in one paragraph, nothing between time and name, a blank line after it) and ATLAS.ti.
 * Times are in order, to a tenth of a second; everybody has a name, an only voice too.
 */
export function toTimedParagraphs(
  turns: readonly Turn[],
  names?: SpeakerNames,
  { speakers = true }: Pick<TextOptions, 'speakers'> = {},
): string {
  return turns
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ startMs, speaker, text }) => {
      const tenths = Math.floor(Math.max(0, startMs) / 100)
      const name = speakers ? nameOf(speaker, names) : null
      const at = `[${formatTimecode(Math.floor(tenths / 10))}.${tenths % 10}]`
      return `${at}${name === null ? '' : `${name}: `}${oneLine(text)}\n`
    })
    .join('\n')
}

export interface Described {
  /** The title of the text, usually the recording's name. */
  title: string
  language: string
  durationMs: number
  /** Null where the text was written by hand. */
  engine: string | null
  /** Somebody has changed words of it since. */
  isCorrected?: boolean
  names?: SpeakerNames
}

export function toMarkdown(
  turns: readonly Turn[],
  {
    title,
    language,
    durationMs,
    engine,
    isCorrected = false,
    names,
    times = true,
    speakers = true,
    headings = [],
    note = null,
    before = [],
  }: Described &
    TextOptions & {
      /** A remark about the text, shown among the facts below the title. */
      note?: string | null
      /** Sections ahead of the transcript, each with its own heading. */
      before?: readonly {
        heading: string | null
        lines: readonly string[]
        isList: boolean
        /** Of a list of tasks, which of them are done. */
        isDone?: readonly boolean[]
      }[]
    },
): string {
  const nameOf = speakers ? readersNames(turns, names) : () => null
  const chaptersAt = headingsOf(turns, headings)
  const level = before.length > 0 ? '###' : '##'
  const said = turns.flatMap(({ startMs, speaker, text }, index) => {
    const chapters = chaptersAt(index).map(
      (one) => `${level} ${escapeMarkdown(headingIn(one, { times }))}`,
    )
    const name = nameOf(speaker)
    const at = times ? timecode(startMs) : null
    if (name === null) return [...chapters, [at, escapeMarkdown(text)].filter(Boolean).join(' ')]
    const head = [`**${escapeMarkdown(name)}**`, at].filter(Boolean).join(' ')
    return [...chapters, head, escapeMarkdown(text)]
  })
  const sections = before.map(({ heading, lines, isList, isDone }) =>
    [
      ...(heading === null ? [] : [`## ${escapeMarkdown(heading)}`]),
      isList
        ? lines
            .map((line, index) => `- ${boxOf(isDone?.[index])}${escapeMarkdown(line)}`)
            .join('\n')
        : lines.map(escapeMarkdown).join('\n\n'),
    ].join('\n\n'),
  )
  const facts = [...factsOf({ language, durationMs, engine, isCorrected }), note ?? []]
    .flat()
    .join(' · ')
  const head = [`# ${escapeMarkdown(title)}`, escapeMarkdown(facts)]
  const own = sections.length > 0 ? ['## Transcript'] : []
  return `${[...head, ...sections, ...own, ...said].join('\n\n')}\n`
}

/** A box to tick, which many programs draw; nothing before what is no task. */
const boxOf = (isDone: boolean | undefined): string =>
  isDone === undefined ? '' : `[${isDone ? 'x' : ' '}] `

/** The day of the recording, language, length and engine, as far as they are known. */
export function factsOf({
  recordedAt = null,
  language,
  durationMs,
  engine,
  isCorrected = false,
}: Pick<Described, 'language' | 'durationMs' | 'engine' | 'isCorrected'> & {
  recordedAt?: string | null
}): string[] {
  const day = recordedDay(recordedAt)
  const corrected = isCorrected ? ', then corrected' : ''
  return [
    ...(day === undefined ? [] : [`Recorded ${formatDate(`${day}T00:00:00Z`, 'UTC')}`]),
    languageName(language),
    formatTime(durationMs / 1000),
    ...(engine === null ? [] : [`written by ${engineInWords(engine)}${corrected}`]),
  ]
}

/** Names of engines are ours; these are words that a reader knows. */
function engineInWords(engine: string): string {
  switch (engine) {
    case 'pocketsphinx':
      return 'the embedded engine'
    case 'sherpa':
      return 'a speech model'
    case 'openai':
      return 'a speech server'
    default:
      return engine
  }
}

/** A line for each turn, for spreadsheets: start and end in seconds, who speaks, what is said. */
export function toCsv(
  turns: readonly Turn[],
  names?: SpeakerNames,
  { speakers = true, textColumn = 'text' }: TextOptions & { textColumn?: string } = {},
): string {
  const rows = turns.map(({ startMs, endMs, speaker, text }) => [
    String(seconds(startMs)),
    String(seconds(endMs)),
    ...(speakers ? [cell(nameOf(speaker, names) ?? '')] : []),
    cell(text),
  ])
  const header = ['start', 'end', ...(speakers ? ['speaker'] : []), textColumn]
  // Without this byte order mark, Excel does not read the file as UTF-8.
  return `\ufeff${[header, ...rows].map((row) => `${row.join(',')}\r\n`).join('')}`
}

const cell = (text: string): string => `"${withoutFormula(oneLine(text)).replaceAll('"', '""')}"`

/** One object. Times are in seconds with at most three decimals; an unknown speaker is null. */
export function toJson(
  turns: readonly Turn[],
  {
    title,
    language,
    durationMs,
    engine,
    names,
    indent,
    speakers: isNamed = true,
    headings = [],
    more = {},
  }: Described &
    Pick<TextOptions, 'speakers' | 'headings'> & {
      indent?: number
      /** Further fields, ahead of the turns. */
      more?: Record<string, unknown>
    },
): string {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].filter((id) => id !== null)
  const transcript = {
    title,
    language,
    duration: seconds(durationMs),
    engine,
    ...(isNamed
      ? { speakers: speakers.toSorted((a, b) => a - b).map((each) => nameOf(each, names)) }
      : {}),
    ...more,
    ...(headings.length > 0
      ? {
          chapters: headings.map(({ title: name, startMs }) => ({
            title: name,
            start: seconds(startMs),
          })),
        }
      : {}),
    // A text written by hand was not heard by an engine, which would say how words got their times.
    ...(engine === null ? {} : { timing: timingOf(turns) }),
    text: turns.map(({ text }) => text).join(' '),
    turns: turns.map(({ speaker, startMs, endMs, text, words }) => ({
      start: seconds(startMs),
      end: seconds(endMs),
      ...(isNamed ? { speaker: nameOf(speaker, names) } : {}),
      text,
      words: words.map((word) => ({
        text: word.text,
        start: seconds(word.startMs),
        end: seconds(word.endMs),
        confidence: word.confidence === null ? null : Math.round(word.confidence * 1000) / 1000,
      })),
    })),
  }
  return `${JSON.stringify(transcript, null, indent)}\n`
}

const seconds = (ms: number): number => Math.round(ms) / 1000

/** Escapes what Markdown would take for a heading, a list, emphasis or a tag. */
const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>~|]|&(?=#?\w+;)/g, String.raw`\$&`)
    .replace(/^[#+-]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
