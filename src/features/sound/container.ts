/**
 * Finds out which of the supported kinds of file this is, from its first bytes and never from its
 * name. ffmpeg is then told which demuxer to use, so it does not try others: a playlist that is
 * named .mp3 is refused here, and nothing opens the addresses in it.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** Names of ffmpeg's demuxers. */
export type Container =
  | 'flac'
  | 'mp3'
  | 'aac'
  | 'ogg'
  | 'wav'
  | 'mov'
  | 'matroska'
  | 'avi'
  | 'mpeg'
  | 'mpegts'

export type Recognised =
  | { kind: 'container'; container: Container }
  | { kind: 'refused'; reason: 'empty_file' | 'not_media' | 'cut_off' | 'no_audio' }

const LOOKED_AT_BYTES = 128 * 1024

export async function containerOf(path: string): Promise<Recognised> {
  await using file = await open(path)
  const { size } = await file.stat()
  if (size === 0) return { kind: 'refused', reason: 'empty_file' }

  const start = await endOfId3(file)
  const head = await read(file, start, LOOKED_AT_BYTES)
  // A bare MPEG video stream holds no sound.
  if (start === 0 && head.length >= 4 && head.readUInt32BE(0) === 0x1b3)
    return { kind: 'refused', reason: 'no_audio' }

  const container = recognise(head, { hasTag: start > 0, isWhole: start + head.length >= size })
  if (container === null) return { kind: 'refused', reason: 'not_media' }
  if (container === 'mov') {
    if (await isCutOff(file, size)) return { kind: 'refused', reason: 'cut_off' }
    if (await isElsewhere(file, size)) return { kind: 'refused', reason: 'not_media' }
  }
  return { kind: 'container', container }
}

function recognise(
  head: Buffer,
  { hasTag, isWhole }: { hasTag: boolean; isWhole: boolean },
): Container | null {
  const text = (from: number, to: number) => head.toString('latin1', from, to)
  if (text(0, 4) === 'fLaC') return 'flac'
  if (!hasTag) {
    if (text(0, 4) === 'OggS') return 'ogg'
    if (['RIFF', 'RIFX', 'RF64', 'BW64'].includes(text(0, 4)) && text(8, 12) === 'WAVE')
      return 'wav'
    if (text(0, 4) === 'RIFF' && ['AVI ', 'AVIX'].includes(text(8, 12))) return 'avi'
    if (/^(ftyp|moov|mdat|free|skip|wide|pnot)$/.test(text(4, 8))) return 'mov'
    if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3) return 'matroska'
    if (head.length >= 4 && head.readUInt32BE(0) === 0x1ba) return 'mpeg'
    if (isTransportStream(head)) return 'mpegts'
  }
  if (hasFrames(head, isWhole, frameBytes)) return 'mp3'
  return hasFrames(head, isWhole, aacFrameBytes) ? 'aac' : null
}

/** Where the ID3v2 tags end that some programs put before MP3 and even FLAC. */
async function endOfId3(file: FileHandle): Promise<number> {
  let at = 0
  for (let tags = 0; tags < 8; tags++) {
    const head = await read(file, at, 10)
    if (head.length < 10 || head.toString('latin1', 0, 3) !== 'ID3') break
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6)
    const hasFooter = ((head[5] ?? 0) & 0x10) !== 0
    at += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127)
    if (hasFooter) at += 10
  }
  return at
}

/** Packets of 188, 192 (with a time code in front) or 204 bytes, each starting with 0x47. */
function isTransportStream(head: Buffer): boolean {
  return [188, 192, 204].some((size) => {
    for (let first = 0; first < size && first + 4 * size < head.length; first++) {
      if ([0, 1, 2, 3, 4].every((packet) => head[first + packet * size] === 0x47)) return true
    }
    return false
  })
}

const bitratesKbps = {
  // MPEG-1 layers I, II, III, then MPEG-2 and 2.5 layer I, layers II and III (ISO 11172-3, 13818-3).
  v1l1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  v1l2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  v1l3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  v2l1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  v2l23: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRatesHz = [44_100, 48_000, 32_000]

/** Length of the MPEG audio frame at `at`, or 0 when there is none. */
function frameBytes(head: Buffer, at: number): number {
  if (at + 4 > head.length) return 0
  const [sync = 0, kind = 0, rates = 0] = head.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return 0
  const version = (kind >> 3) & 3
  const layer = 4 - ((kind >> 1) & 3)
  const rate = sampleRatesHz[(rates >> 2) & 3]
  if (version === 1 || layer === 4 || rate === undefined) return 0
  const isOne = version === 3
  const table = isOne
    ? [bitratesKbps.v1l1, bitratesKbps.v1l2, bitratesKbps.v1l3][layer - 1]
    : layer === 1
      ? bitratesKbps.v2l1
      : bitratesKbps.v2l23
  const bitrate = (table?.[rates >> 4] ?? 0) * 1000
  if (bitrate === 0) return 0
  const sampleRate = isOne ? rate : version === 2 ? rate / 2 : rate / 4
  const padding = (rates >> 1) & 1
  if (layer === 1) return (Math.floor((12 * bitrate) / sampleRate) + padding) * 4
  const slots = layer === 3 && !isOne ? 72 : 144
  return Math.floor((slots * bitrate) / sampleRate) + padding
}

/** Length of the frame of raw AAC (ADTS) at `at`, or 0 when there is none. */
function aacFrameBytes(head: Buffer, at: number): number {
  if (at + 7 > head.length || (head.readUInt16BE(at) & 0xfff6) !== 0xfff0) return 0
  const isKnownRate = ((head.readUInt8(at + 2) >> 2) & 15) < 13
  const length = (head.readUIntBE(at + 3, 3) >> 5) & 0x1fff
  return isKnownRate && length > 7 ? length : 0
}

/**
 * Whether four frames follow each other somewhere in these bytes. One sync word proves nothing: any
 * data holds some. The chain may start anywhere, because some files begin with rubbish or a cut
 * frame.
 */
function hasFrames(head: Buffer, isWhole: boolean, bytesOf: typeof frameBytes): boolean {
  const CHAIN = 4
  for (let first = head.indexOf(0xff); first !== -1; first = head.indexOf(0xff, first + 1)) {
    let at = first
    for (let frames = 0; ; frames++) {
      if (frames === CHAIN) return true
      const length = bytesOf(head, at)
      if (length === 0) {
        // A very short recording has fewer frames; then they must fill it up to its end or last
        // tag.
        const isEnd = at === head.length || head.toString('latin1', at, at + 3) === 'TAG'
        if (isWhole && isEnd && frames > 0 && first === 0) return true
        break
      }
      at += length
    }
  }
  return false
}

const WALKED_AT_ONCE = 1024 * 1024

/**
 * Whether players find a place in an MP3 by its share of the bytes: every frame has the same bit rate,
 * and nothing lies before or between them.
 */
export async function isSteadyMp3(path: string): Promise<boolean> {
  await using file = await open(path)
  let at = await endOfId3(file)
  let rate: number | null = null
  let isFirst = true
  for (;;) {
    const bytes = await read(file, at, WALKED_AT_ONCE)
    let from = 0
    for (let length = 1; length > 0; from += length) {
      length = frameBytes(bytes, from)
      // An index takes the place of a first frame, and may have another rate.
      const hasIndex = isFirst && /Xing|Info|VBRI/.test(bytes.toString('latin1', from, from + 200))
      isFirst = false
      if (length === 0 || hasIndex) continue
      const own = bytes.readUInt8(from + 2) >> 2
      rate ??= own
      if (own !== rate) return false
    }
    const isEnd = bytes.length < WALKED_AT_ONCE && bytes.length - from < 4
    if (isEnd || /^(TAG|APETAGEX|LYRICSBEGIN)/.test(bytes.toString('latin1', from, from + 11)))
      return true
    if (from === 0) return false
    at += from
  }
}

/**
 * Whether the end of an MP4 or MOV is missing. Its index (`moov`) is often written last, and
 * without it nothing can be read. Where the index comes first and the media after it is too short,
 * the file is an incomplete copy. It is refused, so that nobody pays for half of a recording in
 * place of all. A fragmented file (`moof`) is made to be readable after a crash, and is read as far
 * as it goes.
 */
async function isCutOff(file: FileHandle, size: number): Promise<boolean> {
  let hasIndex = false
  let isShort = false
  for await (const { type, end } of boxes({ file, left: MOST_BOXES }, { start: 0, end: size })) {
    const isWhole = end <= size
    if (type === 'moof') return !hasIndex
    if (type === 'moov' && isWhole) hasIndex = true
    if (type === 'mdat' && !isWhole) isShort = true
  }
  return !hasIndex || isShort
}

/**
 * Whether the sound of a QuickTime movie lies in another file, which its index names. ffmpeg does
 * not follow such names by default, and would take bytes of this file for the samples.
 */
async function isElsewhere(file: FileHandle, size: number): Promise<boolean> {
  const walk = { file, left: MOST_BOXES }
  const index = await child(walk, { start: 0, end: size }, 'moov')
  if (!index) return false
  for await (const track of boxes(walk, index)) {
    const media = track.type === 'trak' ? await child(walk, track, 'mdia') : null
    const handler = media && (await child(walk, media, 'hdlr'))
    if (!handler || (await read(file, handler.start + 8, 4)).toString('latin1') !== 'soun') continue
    const places = await child(walk, media, 'minf', 'dinf', 'dref')
    for await (const { start, end } of boxes(
      walk,
      places && { ...places, start: places.start + 8 },
    )) {
      const [, , , flags = 0] = await read(file, start, 4)
      const isInThisFile = (flags & 1) === 1 || end - start <= 4
      if (!isInThisFile) return true
    }
  }
  return false
}

interface Box {
  type: string
  /** Where its content begins, after its header. */
  start: number
  end: number
}

/** A hostile file may hold millions of boxes, so only the first `MOST_BOXES` are looked at. */
interface Walk {
  file: FileHandle
  left: number
}
const MOST_BOXES = 20_000

/** The boxes that follow each other in a part of an MP4 or MOV; the last may be incomplete. */
async function* boxes(walk: Walk, within: Pick<Box, 'start' | 'end'> | null): AsyncIterable<Box> {
  if (within === null) return
  let at = within.start
  for (; walk.left > 0 && at + 8 <= within.end; walk.left--) {
    const head = await read(walk.file, at, 16)
    if (head.length < 8) return
    let length = head.readUInt32BE(0)
    const isLong = length === 1 && head.length === 16
    if (isLong) length = Number(head.readBigUInt64BE(8))
    if (length === 0) length = within.end - at
    if (length < 8) return
    yield { type: head.toString('latin1', 4, 8), start: at + (isLong ? 16 : 8), end: at + length }
    at += length
  }
}

async function child(
  walk: Walk,
  within: Pick<Box, 'start' | 'end'>,
  ...path: string[]
): Promise<Box | null> {
  const [type, ...rest] = path
  for await (const box of boxes(walk, within)) {
    if (box.type === type) return rest.length === 0 ? box : child(walk, box, ...rest)
  }
  return null
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}
