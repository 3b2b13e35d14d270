/** Results as texts, for the clipboard and for sharing. */
import type { Words } from '#features/text/contract.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Summarized, summaryAsText } from '#features/transcriptions/summary-text.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import { formatTime } from '#shared/format.ts'
import type { Formatted } from '#web/clipboard.ts'

import type { TextChoice } from './text-choice.ts'

type Spoken = Pick<Words, 'turns' | 'speakers'>

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

/** Everything that was said, with names and times as they were asked for. */
export function transcriptAsText(spoken: Spoken, choice: TextChoice): Formatted {
  const lines = linesOf(spoken, choice)
  return { plain: lines.map(asPlain).join('\n\n'), html: lines.map(asHtml).join('\n') }
}

const headOf = ({ time, name }: Line, mark: (name: string) => string): string =>
  (time === null ? '' : `[${time}] `) + (name === null ? '' : `${mark(`${name}:`)} `)

const asPlain = (line: Line): string => headOf(line, (name) => name) + line.text

const asHtml = (line: Line): string =>
  `<p dir="auto">${headOf(line, (name) => `<strong>${escaped(name)}</strong>`)}${escaped(line.text)}</p>`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Everything there is to share: the text, then the summary. */
export function resultsAsText(
  transcription: Summarized & Pick<Transcription, 'originalName'>,
  spoken: Spoken,
  choice: TextChoice,
): string {
  return [
    transcription.originalName,
    transcriptAsText(spoken, choice).plain,
    summaryAsText(transcription),
  ]
    .filter(Boolean)
    .join('\n\n')
}
