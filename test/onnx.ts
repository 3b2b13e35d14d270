/**
 * Neural networks in ONNX's file format, as few of its parts as the models of the tests need. The
 * format is that of protocol buffers: a field is its number and kind, then its value.
 */

export const FLOAT = 1
export const INT64 = 7

function varint(value: number | bigint): Buffer {
  const out: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128)
  out.push(Number(rest))
  return Buffer.from(out)
}

export const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields)
const number = (field: number, value: number): Buffer => message(varint(field << 3), varint(value))
/** A graph with the metadata that the engine wants. */
export function network(graph: Buffer, facts: Readonly<Record<string, string | number>>): Buffer {
  const opset = message(number(2, 13))
  const metadata = Object.entries(facts).map(([name, value]) =>
    bytes(14, message(bytes(1, text(name)), bytes(2, text(String(value))))),
  )
  return message(number(1, 8), bytes(7, graph), bytes(8, opset), ...metadata)
}

export const bytes = (field: number, value: Buffer): Buffer =>
  message(varint((field << 3) | 2), varint(value.length), value)
export const text = (value: string): Buffer => Buffer.from(value)

export function node(
  type: string,
  inputs: readonly string[],
  output: string,
  settings: Readonly<Record<string, number | readonly number[]>> = {},
): Buffer {
  const attributes = Object.entries(settings).map(([name, value]) => {
    const values = typeof value === 'number' ? [number(3, value)] : value.map((n) => number(8, n))
    const kind = number(20, typeof value === 'number' ? 2 : 7)
    return bytes(5, message(bytes(1, text(name)), ...values, kind))
  })
  const names = inputs.map((input) => bytes(1, text(input)))
  return bytes(1, message(...names, bytes(2, text(output)), bytes(4, text(type)), ...attributes))
}

export function floats(name: string, dims: readonly number[], values: Float32Array): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  return tensor(name, dims, FLOAT, raw)
}

export function integers(name: string, values: readonly number[]): Buffer {
  const raw = Buffer.alloc(values.length * 8)
  values.forEach((value, index) => raw.writeBigInt64LE(BigInt(value), index * 8))
  return tensor(name, [values.length], INT64, raw)
}

function tensor(name: string, dims: readonly number[], type: number, raw: Buffer): Buffer {
  const sizes = dims.map((size) => number(1, size))
  return bytes(5, message(...sizes, number(2, type), bytes(8, text(name)), bytes(9, raw)))
}

/** A name stands for a dimension that is known only when the network runs. */
export function shape(name: string, type: number, dims: readonly (string | number)[]): Buffer {
  const sizes = dims.map((size) =>
    bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, text(size))),
  )
  const tensorType = message(number(1, type), bytes(2, message(...sizes)))
  return message(bytes(1, text(name)), bytes(2, bytes(1, tensorType)))
}
