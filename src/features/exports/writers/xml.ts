/**
 * Markers as Premiere Pro reads them (File > Import): an empty sequence of Final Cut Pro 7's XML with
 * a marker for each. From there they are copied into the sequence that is edited.
 */
import { escapeHtml } from '#shared/html.ts'

import { printable } from '../paper.ts'
import { type Rate, frameAt, frameOf, rates, timecodeOf } from '../frames.ts'
import { markersOf, titleIn } from '../markers.ts'
import type { Write } from './writer.ts'

export const write = ((exported) => {
  const { durationMs, markers, filmStart } = exported
  const rate = rates[markers.frameRate]
  // Markers are counted from the beginning of the sequence, whatever its timecode.
  const startsAt = frameOf(filmStart ?? '00:00:00:00', rate) ?? 0
  const all = markersOf(exported, rate).map(({ frame, frames, name, note }) => [
    '<marker>',
    `<name>${plain(name)}</name>`,
    `<comment>${plain(note)}</comment>`,
    `<in>${frame}</in>`,
    `<out>${frame + frames}</out>`,
    '</marker>',
  ])
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE xmeml>',
    '<xmeml version="4">',
    '<sequence id="transcript">',
    `<name>${plain(titleIn(exported))}</name>`,
    `<duration>${frameAt(durationMs, rate)}</duration>`,
    ...speedOf(rate),
    '<timecode>',
    ...speedOf(rate),
    `<string>${timecodeOf(startsAt, rate)}</string>`,
    `<frame>${startsAt}</frame>`,
    `<displayformat>${rate.dropped > 0 ? 'DF' : 'NDF'}</displayformat>`,
    '</timecode>',
    '<media>',
    '<video><format><samplecharacteristics>',
    ...speedOf(rate),
    '<width>1920</width><height>1080</height><pixelaspectratio>square</pixelaspectratio>',
    '</samplecharacteristics></format><track></track></video>',
    '<audio><track></track></audio>',
    '</media>',
    ...all.flat(),
    '</sequence>',
    '</xmeml>',
    '',
  ].join('\n')
}) satisfies Write

const speedOf = ({ base, seconds }: Rate): string[] => [
  `<rate><timebase>${base}</timebase><ntsc>${seconds === 1 ? 'FALSE' : 'TRUE'}</ntsc></rate>`,
]

const plain = (text: string): string => escapeHtml(printable(text).trim())
