/** How many tracks of sound a film of this device has, before anything of it is sent. */
import { queryOptions } from '@tanstack/react-query'

/** The list of tracks of an MP4 grows with its length: that of ten hours has 15 MB. */
const MOST_LIST_BYTES = 32 * 1024 * 1024
/** A Matroska file has its list in front. */
const FRONT_BYTES = 256 * 1024
const MOST_BOXES = 1000
const TRACKS = '\x16\x54\xae\x6b'
/** So many arguments a function takes everywhere. */
const LETTERS = 16_384

export const soundTracksQuery = (file: File | null) =>
  queryOptions({
    queryKey: ['sound tracks', file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? soundTracksIn(file).catch(() => null) : null),
  })

/** Null where the file has no list of tracks. */
export async function soundTracksIn(file: Blob): Promise<number | null> {
  const front = await textOf(file, 0, FRONT_BYTES)
  if (front.startsWith('\x1a\x45\xdf\xa3')) return inMatroska(front)
  if (/^(ftyp|moov|mdat|free|skip|wide)$/.test(front.slice(4, 8))) return inMp4(file)
  return null
}

async function inMp4(file: Blob): Promise<number | null> {
  for (let at = 0, boxes = 0; at + 8 <= file.size && boxes < MOST_BOXES; boxes += 1) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer())
    const type = await textOf(file, at + 4, 4)
    const short = head.getUint32(0)
    const isLong = short === 1 && head.byteLength === 16
    const bytes = isLong ? Number(head.getBigUint64(8)) : short === 0 ? file.size - at : short
    if (bytes < 8) return null
    if (type === 'moov') {
      const list = await textOf(file, at, Math.min(bytes, MOST_LIST_BYTES))
      return list.match(/hdlr[^]{8}soun/g)?.length ?? 0
    }
    at += bytes
  }
  return null
}

/** Each entry of its list says of which kind it is. */
function inMatroska(front: string): number | null {
  let at = front.indexOf(TRACKS)
  // The contents in front name it too.
  while (at !== -1 && front.startsWith('\x53\xab', at - 3)) at = front.indexOf(TRACKS, at + 4)
  if (at === -1) return null
  const size = front.charCodeAt(at + 4)
  const width = Math.clz32(size) - 23
  let bytes = size & (0xff >> width)
  for (let next = 1; next < width; next += 1) bytes = bytes * 256 + front.charCodeAt(at + 4 + next)
  const list = front.slice(at + 4 + width, at + 4 + width + bytes)
  return list.split('\x83\x81\x02').length - 1
}

/** One letter for each byte, which no decoder of text gives for all. */
async function textOf(file: Blob, at: number, bytes: number): Promise<string> {
  const read = new Uint8Array(await file.slice(at, at + bytes).arrayBuffer())
  let text = ''
  for (let from = 0; from < read.length; from += LETTERS)
    text += String.fromCharCode(...read.subarray(from, from + LETTERS))
  return text
}
