/** Markers for programs that edit film: where each turn begins, or each key point. */

import { printable } from './paper.ts'
import { type Rate, frameAt } from './frames.ts'
import type { Exported } from './writers/writer.ts'
import { readersNames } from './speaker-names.ts'

export interface Marker {
  /** In frames from the start; no two are the same. */
  frame: number
  /** At least one. */
  frames: number
  name: string
  note: string
  /** Of whom, by the number of the speaker, for its colour. */
  speaker: number | null
}

/** There is no other place in these files for what is to be said of a translation. */
export const titleIn = ({ title, translation }: Pick<Exported, 'title' | 'translation'>): string =>
  translation ? `${title}. ${translation.note}` : title

const NAME_LENGTH = 60

export function markersOf(
  { markers, said, names, speakers, keyPoints }: Exported,
  rate: Rate,
): Marker[] {
  const nameOf = speakers ? readersNames(said, names) : () => null
  const all =
    markers.at === 'turns'
      ? said.map(({ startMs, endMs, speaker, text }) => ({
          startMs,
          endMs,
          text: printable(text).trim(),
          name: nameOf(speaker),
          speaker,
        }))
      : keyPoints.flatMap(({ text, at }) =>
          at === null
            ? []
            : {
                startMs: at * 1000,
                endMs: 0,
                text: printable(text).trim(),
                name: null,
                speaker: null,
              },
        )
  let free = 0
  return all
    .toSorted((a, b) => a.startMs - b.startMs)
    .map(({ startMs, endMs, text, name, speaker }) => {
      // Programs keep one marker of those at the same frame.
      const frame = Math.max(free, frameAt(startMs, rate))
      free = frame + 1
      return {
        frame,
        frames: Math.max(1, frameAt(endMs, rate) - frame),
        name: name ?? shortened(text),
        note: text,
        speaker,
      }
    })
}

function shortened(text: string): string {
  if (text.length <= NAME_LENGTH) return text
  const cut = text.slice(0, NAME_LENGTH).replace(/\s+\S*$/u, '')
  return `${cut.toWellFormed()}…`
}
