/** Results as texts, for the clipboard and for sharing. */
import type { Words } from '#features/text/contract.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Summarized, summaryAsText } from '#features/transcriptions/summary-text.ts'
import type { Formatted } from '#web/clipboard.ts'

import { type Line, asPlainText, linesOf } from '../plain-text.ts'
import type { TextChoice } from './text-choice.ts'

type Spoken = Pick<Words, 'turns' | 'speakers'>

/** The turns as they are copied. */
export function linesIn({ turns, speakers }: Spoken, { names, times }: TextChoice): Line[] {
  const said = turns
    .filter(({ text }) => text.trim() !== '')
    .map(({ start, end, speaker, text }) => ({
      startMs: start * 1000,
      endMs: end * 1000,
      speaker,
      text,
    }))
  const given = speakers.flatMap(({ speaker, name }) =>
    name === null ? [] : [[speaker, name] as const],
  )
  return linesOf(said, new Map(given), { times, speakers: names })
}

/** Everything that was said, with names and times as they were asked for. */
export function transcriptAsText(spoken: Spoken, choice: TextChoice): Formatted {
  const lines = linesIn(spoken, choice)
  return { plain: asPlainText(lines).trimEnd(), html: lines.map(asHtml).join('\n') }
}

const asHtml = ({ time, name, text }: Line): string => {
  const at = time === null ? '' : `${time} `
  const who = name === null ? '' : `<strong>${escaped(name)}</strong><br>`
  return `<p dir="auto">${at}${who}${escaped(text)}</p>`
}

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
