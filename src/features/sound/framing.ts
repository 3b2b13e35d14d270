/** How a film is framed: its shape, what of it is in the middle, and what is drawn upon it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { PcmForm } from './decode.ts'

export interface Framing {
  width: number
  height: number
  /** The place of the film that is in the middle, as shares of its width and its height. */
  centre: { x: number; y: number }
  /** The colour where there is no film: `#0b1511`. */
  ground: string
  drawing: (sound: { durationMs: number; heights: readonly number[] }) => Promise<Drawing>
}

/** What is drawn upon a picture. */
export interface Drawing {
  /** Of libass. It draws with lines, and its letters are lines too. */
  script: string
  /** The font that its style names: libass draws nothing where it finds none, not even lines. */
  font: Uint8Array
}

/** The same, once the drawing is written. */
export interface Frame extends Omit<Framing, 'drawing'> {
  filter: string
}

const SCRIPT = 'drawing.ass'
const FONTS = 'fonts'

/** Writes a drawing into a work folder, for the filter that draws it there. */
export async function writeDrawing(folder: string, { script, font }: Drawing): Promise<string> {
  await mkdir(join(folder, FONTS))
  await writeFile(join(folder, FONTS, 'font.ttf'), font)
  await writeFile(join(folder, SCRIPT), script)
  return `ass=${SCRIPT}:fontsdir=${FONTS}`
}

/** Heights of a wave, each of so much sound. */
export const HEIGHT_MS = 20

export interface Meter {
  take(samples: Buffer): void
  /** From 0 to 1, the loudest sample of each stretch. */
  heights: number[]
}

/** Measures samples of 16 bits, which come in whole. */
export function meterOf({ rateHz, channelCount }: PcmForm): Meter {
  const each = Math.round((rateHz * HEIGHT_MS) / 1000) * channelCount
  const heights: number[] = []
  let taken = 0
  return {
    heights,
    take(samples) {
      for (let at = 0; at + 1 < samples.length; at += 2, taken += 1) {
        const place = Math.floor(taken / each)
        const height = Math.abs(samples.readInt16LE(at)) / 32_768
        heights[place] = Math.max(heights[place] ?? 0, height)
      }
    },
  }
}

/** ffmpeg's filters that cut a picture to its shape around its centre. */
export const framed = ({ width, height, centre }: Frame): string[] => {
  const place = (size: string, share: number) =>
    `max(0,min(i${size}-o${size},${share}*i${size}-o${size}/2))`
  return [
    // Pixels of some films are not square.
    "scale=w='iw*if(sar,sar,1)':h=ih",
    'setsar=1',
    `crop=w='min(iw,ih*${width}/${height})':h='min(ih,iw*${height}/${width})':x='${place('w', centre.x)}':y='${place('h', centre.y)}'`,
    `scale=${width}:${height}`,
  ]
}
