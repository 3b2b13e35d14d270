/**
 * Markers as DaVinci Resolve reads them ("Timelines > Import > Timeline Markers from EDL"): a list of
 * CMX 3600 with an event of one frame for each, and colour, name and length in a line below it. Its
 * timelines begin at one hour, and so do these times unless the film is said to begin elsewhere.
 */
import { printable } from '../paper.ts'
import { frameOf, rates, timecodeOf } from '../frames.ts'
import { markersOf, titleIn } from '../markers.ts'
import type { Write } from './writer.ts'

const COLOURS = ['Blue', 'Purple', 'Sand', 'Green', 'Pink', 'Cyan', 'Yellow', 'Red'] as const

export const write = ((exported) => {
  const rate = rates[exported.markers.frameRate]
  const startsAt = frameOf(exported.filmStart ?? '01:00:00:00', rate) ?? 0
  const events = markersOf(exported, rate).map(({ frame, frames, name, note, speaker }, index) => {
    const from = timecodeOf(startsAt + frame, rate)
    const to = timecodeOf(startsAt + frame + 1, rate)
    const number = String(index + 1).padStart(3, '0')
    const colour = COLOURS[(speaker ?? 0) % COLOURS.length]
    return [
      `${number}  001      V     C        ${from} ${to} ${from} ${to}`,
      `${noteOf(note)} |C:ResolveColor${colour} |M:${plain(name)} |D:${frames}`,
      '',
    ].join('\r\n')
  })
  const head = [
    `TITLE: ${plain(titleIn(exported))}`,
    `FCM: ${rate.dropped > 0 ? 'DROP FRAME' : 'NON-DROP FRAME'}`,
    '',
  ]
  return [...head, ...events, ''].join('\r\n')
}) satisfies Write

/** A bar begins the next field. */
const plain = (text: string): string => printable(text).replaceAll('|', '/').trim()

/** A line that begins like this is no note to a reader of EDLs, but the next event or its head. */
const ownWords = /^(?=\d|[*#]|>>>|(?:TITLE|FCM|SPLIT|AUD|M2|FROM|TO|EFFECTS|BLEND)\b)/i
const noteOf = (text: string): string => plain(text).replace(ownWords, '– ')
