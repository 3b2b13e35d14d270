/**
 * Looks over the pages of an Ogg file before it is decoded (RFC 3533, RFC 6716 §3.1, RFC 7845). Two
 * kinds of file cost much to decode and are cheap to recognise here. One is a chain of very many
 * streams: ffmpeg starts again for each, and keeps the tags of all before it. The other is days of
 * Opus at a few kilobits a second: the first bytes of an Opus packet say how long it sounds.
 */
import { createReadStream } from 'node:fs'

export interface OggSurvey {
  /** Streams that follow one another; 1 in an ordinary file. */
  links: number
  /** How long all packets of Opus sound together; 0 when there are none. */
  opusMs: number
}

const BLOCK_BYTES = 256 * 1024
const HEAD_BYTES = 27

export async function surveyOgg(path: string, signal: AbortSignal): Promise<OggSurvey> {
  const survey = { links: 0, opusMs: 0 }
  /** The serial number of the Opus stream in this link; null where there is none. */
  let opus: number | null = null
  let isAmongHeads = false
  let rest: Buffer = Buffer.alloc(0)

  for await (const block of createReadStream(path, { highWaterMark: BLOCK_BYTES, signal })) {
    const bytes: Buffer = Buffer.concat([rest, block as Buffer])
    let at = 0
    for (;;) {
      at = bytes.indexOf('OggS', at)
      const page = at === -1 ? null : readPage(bytes, at)
      if (page === null) break
      if (page.isFirst) {
        if (!isAmongHeads) {
          survey.links += 1
          opus = null
        }
        if (page.isOpus) opus ??= page.serial
      } else if (page.serial === opus) survey.opusMs += page.opusMs
      isAmongHeads = page.isFirst
      at += page.length
    }
    rest = bytes.subarray(at === -1 ? Math.max(0, bytes.length - 3) : at)
  }
  return survey
}

/** Milliseconds of a frame by the configuration number: SILK, hybrid, CELT. */
const frameMs = [
  '10 20 40 60 10 20 40 60 10 20 40 60',
  '10 20 10 20',
  '2.5 5 10 20 2.5 5 10 20 2.5 5 10 20 2.5 5 10 20',
].flatMap((family) => family.split(' ').map(Number))
const LONGEST_PACKET_MS = 120

/** Null when the page does not end in these bytes. */
function readPage(bytes: Buffer, at: number) {
  if (at + HEAD_BYTES > bytes.length) return null
  const flags = bytes.readUInt8(at + 5)
  const start = at + HEAD_BYTES + bytes.readUInt8(at + 26)
  const sizes = bytes.subarray(at + HEAD_BYTES, start)
  const end = sizes.reduce((sum, size) => sum + size, start)
  if (end > bytes.length) return null

  let opusMs = 0
  let data = start
  let isStart = (flags & 1) === 0
  for (const size of sizes) {
    if (isStart && size > 0) {
      const first = bytes.readUInt8(data)
      const counted = size > 1 ? bytes.readUInt8(data + 1) & 63 : 0
      const frames = [1, 2, 2, counted][first & 3] ?? 0
      opusMs += Math.min(LONGEST_PACKET_MS, frames * (frameMs[first >> 3] ?? 0))
    }
    isStart = size < 255
    data += size
  }
  return {
    isFirst: (flags & 2) !== 0,
    serial: bytes.readUInt32LE(at + 14),
    isOpus: bytes.toString('latin1', start, start + 8) === 'OpusHead',
    opusMs,
    length: end - at,
  }
}
