/**
 * A transcription as plain text. Downloads, exports, copies, shared texts and shared pages have one
 * text, which is made here, in the server and in the browser.
 */
import type { Turn } from '#features/speech/contract.ts'
import { formatTime, formatTimecode } from '#shared/format.ts'
import { turnFrom } from '#shared/turn-from.ts'

import { readersNames, type SpeakerNames } from './speaker-names.ts'

export interface Heading {
  title: string
  startMs: number
}

/** The parts that are shown beside the words. Each is shown unless it is switched off. */
export interface TextOptions {
  times?: boolean
  speakers?: boolean
  /** Chapters, each ahead of the turn with which it begins. */
  headings?: readonly Heading[]
}

/** The chapters that stand ahead of a turn, as on the page of the result; after all turns, of the last. */
export function headingsOf<At extends { startMs: number }>(
  turns: readonly Pick<Turn, 'startMs' | 'endMs'>[],
  headings: readonly At[],
): (turn: number) => readonly At[] {
  const at = chapterPlaces(turns)
  const places = headings.map(({ startMs }) => at(startMs))
  return (turn) => headings.filter((_, index) => places[index] === turn)
}

/** Where a chapter that begins at a moment stands: the number of its turn; -1 where there are none. */
export function chapterPlaces(
  turns: readonly Pick<Turn, 'startMs' | 'endMs'>[],
): (startMs: number) => number {
  const inSeconds = turns.map(({ startMs, endMs }) => ({
    start: startMs / 1000,
    end: endMs / 1000,
  }))
  return (startMs) => Math.min(turnFrom(inSeconds, startMs / 1000), turns.length - 1)
}

export const headingIn = ({ title, startMs }: Heading, { times }: { times: boolean }): string =>
  times ? `${oneLine(title)} (${formatTime(startMs / 1000)})` : oneLine(title)

export type PlainTurn = Pick<Turn, 'speaker' | 'startMs' | 'endMs' | 'text'>

/** A turn as it is written. Null stands for what was not asked for, or is not known. */
export interface Line {
  /** Chapters that begin with it. */
  headings: string[]
  /** `[hh:mm:ss]` */
  time: string | null
  name: string | null
  text: string
}

export function linesOf(
  turns: readonly PlainTurn[],
  names?: SpeakerNames,
  { times = true, speakers = true, headings = [] }: TextOptions = {},
): Line[] {
  const nameOf = speakers ? readersNames(turns, names) : () => null
  const chaptersAt = headingsOf(turns, headings)
  return turns.map(({ startMs, speaker, text }, at) => ({
    headings: chaptersAt(at).map((one) => headingIn(one, { times })),
    time: times ? timecode(startMs) : null,
    name: nameOf(speaker),
    text: oneLine(text),
  }))
}

/** When and who, where voices are told apart, in a line of their own, and what is said. */
export const asPlainText = (lines: readonly Line[]): string => lines.map(written).join('\n')

function written({ headings, time, name, text }: Line): string {
  const head = [time, name].filter((part) => part !== null).join(' ')
  const end = head === '' ? '' : name === null ? ' ' : '\n'
  return `${headings.map((one) => `--- ${one} ---\n\n`).join('')}${head}${end}${text}\n`
}

export const toPlainText = (
  turns: readonly PlainTurn[],
  names?: SpeakerNames,
  shown?: TextOptions,
): string => asPlainText(linesOf(turns, names, shown))

export const timecode = (ms: number): string => `[${formatTimecode(ms / 1000)}]`
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
