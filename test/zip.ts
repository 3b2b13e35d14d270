/** Reads a ZIP file by its directory at the end, as programs that open one do. */
import { crc32, inflateRawSync } from 'node:zlib'

/** Names and contents. Throws when a checksum is wrong, so that a cut-off file is found. */
export const filesIn = (zip: Buffer): Map<string, string> =>
  new Map(Array.from(bytesIn(zip), ([name, content]) => [name, content.toString('utf8')]))

/** The same, as bytes. */
export function bytesIn(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw new Error('there is no directory at the end of this ZIP file')
  let at = zip.readUInt32LE(end + 16)
  for (let n = zip.readUInt16LE(end + 10); n > 0; n--) {
    const method = zip.readUInt16LE(at + 10)
    const sum = zip.readUInt32LE(at + 16)
    const size = zip.readUInt32LE(at + 20)
    const nameLength = zip.readUInt16LE(at + 28)
    const rest = zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const stored = zip.subarray(start, start + size)
    const content = method === 0 ? stored : inflateRawSync(stored)
    if (crc32(content) !== sum) throw new Error(`${name} is damaged`)
    files.set(name, content)
    at += 46 + nameLength + rest
  }
  return files
}
