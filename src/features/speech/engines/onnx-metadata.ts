/**
 * What the maker of an ONNX file wrote beside the network, such as `is_multilingual = 1`. The file is a
 * message of protocol buffers: the network, which may be gigabytes, is passed over and not read.
 */
import { open } from 'node:fs/promises'

const NUMBER = 0
const EIGHT_BYTES = 1
const TEXT = 2
const FOUR_BYTES = 5
/** ModelProto.metadata_props in onnx.proto. */
const METADATA = 14
/** A key and its length take at most ten bytes each. */
const HEAD_BYTES = 20
const LONGEST_ENTRY = 64 * 1024
const MOST_FIELDS = 10_000

/** Empty for a file that is missing, or is no ONNX file. */
export async function onnxMetadata(path: string): Promise<ReadonlyMap<string, string>> {
  const facts = new Map<string, string>()
  try {
    await using file = await open(path)
    const read = async (from: number, length: number) => {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    let at = 0
    for (let fields = 0; fields < MOST_FIELDS; fields++) {
      const field = headOf(await read(at, HEAD_BYTES))
      if (!field) break
      const from = at + field.headBytes
      if (field.number === METADATA && field.length <= LONGEST_ENTRY) {
        const [key, value] = entryOf(await read(from, field.length))
        facts.set(key, value)
      }
      at = from + field.length
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return facts
}

interface Field {
  number: number
  /** Of the number and the length themselves, and of what follows them. */
  headBytes: number
  length: number
}

/** Null at the end of the file, and for what is no field. */
function headOf(bytes: Buffer): Field | null {
  const key = varint(bytes, 0)
  if (!key || key.value === 0) return null
  const number = Math.floor(key.value / 8)
  const second = varint(bytes, key.size)
  switch (key.value % 8) {
    case NUMBER:
      return second && { number, headBytes: key.size + second.size, length: 0 }
    case TEXT:
      return second && { number, headBytes: key.size + second.size, length: second.value }
    case EIGHT_BYTES:
      return { number, headBytes: key.size, length: 8 }
    case FOUR_BYTES:
      return { number, headBytes: key.size, length: 4 }
    default:
      return null
  }
}

/** Seven bits in each byte, the lowest first. */
function varint(bytes: Buffer, from: number): { value: number; size: number } | null {
  let value = 0
  for (let size = 1; size <= 10; size++) {
    const byte = bytes[from + size - 1]
    if (byte === undefined) return null
    value += (byte & 127) * 2 ** (7 * (size - 1))
    if (byte < 128) return { value, size }
  }
  return null
}

function entryOf(bytes: Buffer): [key: string, value: string] {
  const texts = ['', '']
  for (let at = 0; at < bytes.length;) {
    const field = headOf(bytes.subarray(at))
    if (!field) break
    const from = at + field.headBytes
    if (field.number === 1 || field.number === 2)
      texts[field.number - 1] = bytes.toString('utf8', from, from + field.length)
    at = from + field.length
  }
  return [texts[0] ?? '', texts[1] ?? '']
}
