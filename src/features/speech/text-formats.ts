/** Turns as text for people and for programs. Times are said as they stand in the recording. */
import { formatTime, formatTimecode, languageName } from '#shared/format.ts'

import type { Turn } from './contract.ts'
import { nameOf, readersNames, type SpeakerNames } from './speaker-names.ts'

/** `[hh:mm:ss]`, who speaks where voices are told apart, and what is said. */
export function toPlainText(turns: readonly Turn[], names?: SpeakerNames): string {
  const nameOf = readersNames(turns, names)
  return turns
    .map(({ startMs, speaker, text }) => {
      const name = nameOf(speaker)
      return name === null
        ? `${timecode(startMs)} ${oneLine(text)}\n`
        : `${timecode(startMs)} ${name}\n${oneLine(text)}\n`
    })
    .join('\n')
}

export interface Described {
  /** What the text is called, usually the recording's name. */
  title: string
  language: string
  durationMs: number
  engine: string
  names?: SpeakerNames
}

export function toMarkdown(
  turns: readonly Turn[],
  { title, language, durationMs, engine, names }: Described,
): string {
  const nameOf = readersNames(turns, names)
  const facts = [languageName(language), formatTime(durationMs / 1000), `engine ${engine}`]
  const said = turns.map(({ startMs, speaker, text }) => {
    const name = nameOf(speaker)
    return name === null
      ? `${timecode(startMs)} ${escapeMarkdown(text)}`
      : `**${escapeMarkdown(name)}** ${timecode(startMs)}\n\n${escapeMarkdown(text)}`
  })
  const head = [`# ${escapeMarkdown(title)}`, escapeMarkdown(facts.join(' · '))]
  return `${[...head, ...said].join('\n\n')}\n`
}

/** One object; times in seconds with at most three decimals, a speaker nobody could name is null. */
export function toJson(
  turns: readonly Turn[],
  { title, language, durationMs, engine, names, indent }: Described & { indent?: number },
): string {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))].filter((id) => id !== null)
  const transcript = {
    title,
    language,
    duration: seconds(durationMs),
    engine,
    speakers: speakers.toSorted((a, b) => a - b).map((speaker) => nameOf(speaker, names)),
    text: turns.map(({ text }) => text).join(' '),
    turns: turns.map(({ speaker, startMs, endMs, text, words }) => ({
      start: seconds(startMs),
      end: seconds(endMs),
      speaker: nameOf(speaker, names),
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

const timecode = (ms: number): string => `[${formatTimecode(ms / 1000)}]`
const seconds = (ms: number): number => Math.round(ms) / 1000
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Text that Markdown would take for a heading, a list, emphasis or a tag stays what was said. */
const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_[\]<>~|]/g, String.raw`\$&`)
    .replace(/^[#+-]/, String.raw`\$&`)
    .replace(/^(\d+)([.)])/, String.raw`$1\$2`)
