/** Results as texts, for the clipboard and for sharing. */
import type { Words } from '#features/text/contract.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Summarized, summaryAsText } from '#features/transcriptions/summary-text.ts'
import { isToldApart, wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import { formatTime } from '#shared/format.ts'
import type { Formatted } from '#web/clipboard.ts'

import type { TextChoice } from './text-choice.ts'

type Spoken = Pick<Words, 'turns' | 'speakers'>
type Told = Pick<Transcription, 'transcriptionText' | 'speakerSegments'>

/** A turn as it is copied. Null stands for what was not asked for, or is not known. */
export interface Line {
  time: string | null
  name: string | null
  text: string
}

/** The turns as they are copied, or only the first of them. */
export function linesOf(spoken: Spoken, { names, times }: TextChoice, most?: number): Line[] {
  const isNamed = names && isToldApart(spoken)
  return spoken.turns
    .filter(({ text }) => text.trim() !== '')
    .slice(0, most)
    .map(({ start, speaker, text }) => ({
      time: times ? formatTime(start) : null,
      name: isNamed ? nameOf(speaker, spoken.speakers) : null,
      text: text.trim(),
    }))
}

/**
 * Everything that was said, with names and times as they were asked for. `words` are what the page
 * shows, with its corrections; without them the text is as the server gave it.
 */
export function transcriptAsText(
  told: Told,
  words: Spoken | undefined,
  choice: TextChoice,
): Formatted {
  const known = linesOf(words ?? { turns: [], speakers: [] }, choice)
  const lines = known.length > 0 ? known : linesOf(wordsFromSegments(told), choice)
  const all = lines.length > 0 ? lines : plainLines(told.transcriptionText ?? '')
  return { plain: all.map(asPlain).join('\n\n'), html: all.map(asHtml).join('\n') }
}

const plainLines = (text: string): Line[] =>
  text
    .trim()
    .split(/\n+/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => ({ time: null, name: null, text: paragraph }))

const headOf = ({ time, name }: Line, mark: (name: string) => string): string =>
  (time === null ? '' : `[${time}] `) + (name === null ? '' : `${mark(`${name}:`)} `)

const asPlain = (line: Line): string => headOf(line, (name) => name) + line.text

const asHtml = (line: Line): string =>
  `<p dir="auto">${headOf(line, (name) => `<strong>${escaped(name)}</strong>`)}${escaped(line.text)}</p>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Everything there is to share: the text, then the summary. */
export function resultsAsText(
  transcription: Summarized & Told & Pick<Transcription, 'originalName'>,
  words: Spoken | undefined,
  choice: TextChoice,
): string {
  return [
    transcription.originalName,
    transcriptAsText(transcription, words, choice).plain,
    summaryAsText(transcription),
  ]
    .filter(Boolean)
    .join('\n\n')
}
