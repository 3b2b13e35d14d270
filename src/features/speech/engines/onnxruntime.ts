/**
 * onnxruntime, as far as moonshine.ts needs it: the library that sherpa-onnx-node brings along,
 * called by its C API. The npm package of onnxruntime is 113 MB to fetch, and would be a second one.
 *
 * The C API is a table of functions to which newer versions only add at the end, so each function
 * has its place for good (onnxruntime_c_api.h). A wrong call ends the process; this runs in the
 * process of sherpa-host.ts alone, where that costs one question.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

import type Koffi from 'koffi'
import type { LibraryHandle } from 'koffi'

/** A value of the library: a tensor, a session. */
type Pointer = unknown

export interface Session {
  /** In the order of the model, with the lengths of their dimensions; -1 where it varies. */
  inputs: readonly { name: string; shape: readonly number[] }[]
  /** Answers the outputs that are named, in that order. The caller frees them. */
  run(inputs: Readonly<Record<string, Tensor>>, outputs: readonly string[]): Tensor[]
}

export interface Tensor {
  readonly pointer: Pointer
  /** Its numbers, in the library's own memory: not to be touched after `free`. */
  numbers(): Float32Array
  write(values: ArrayBufferView): void
  free(): void
}

export interface Onnxruntime {
  load(path: string, options: { threads: number }): Session
  tensor(values: Float32Array | BigInt64Array | Uint8Array, shape: readonly number[]): Tensor
}

const API_VERSION = 16
const ERRORS_ONLY = 3
const FLOAT = 1
const INT64 = 7
const BOOL = 9

/** The functions by their places in the table, with what they take. */
const functions = {
  GetErrorMessage: [2, 'const char *', 'void *'],
  CreateEnv: [3, 'void *', 'int, const char *, _Out_ void **'],
  CreateSession: [7, 'void *', 'void *, const char *, void *, _Out_ void **'],
  Run: [
    9,
    'void *',
    'void *, void *, const char **, void **, size_t, const char **, size_t, _Inout_ void **',
  ],
  CreateSessionOptions: [10, 'void *', '_Out_ void **'],
  SetIntraOpNumThreads: [24, 'void *', 'void *, int'],
  SessionGetInputCount: [30, 'void *', 'void *, _Out_ size_t *'],
  SessionGetInputTypeInfo: [33, 'void *', 'void *, size_t, _Out_ void **'],
  SessionGetInputName: [36, 'void *', 'void *, size_t, void *, _Out_ void **'],
  CreateTensorAsOrtValue: [48, 'void *', 'void *, int64_t *, size_t, int, _Out_ void **'],
  GetTensorMutableData: [51, 'void *', 'void *, _Out_ void **'],
  CastTypeInfoToTensorInfo: [55, 'void *', 'void *, _Out_ void **'],
  GetDimensionsCount: [61, 'void *', 'void *, _Out_ size_t *'],
  GetDimensions: [62, 'void *', 'void *, int64_t *, size_t'],
  GetTensorShapeElementCount: [64, 'void *', 'void *, _Out_ size_t *'],
  GetTensorTypeAndShape: [65, 'void *', 'void *, _Out_ void **'],
  GetAllocatorWithDefaultOptions: [78, 'void *', '_Out_ void **'],
  ReleaseStatus: [93, 'void', 'void *'],
  ReleaseValue: [96, 'void', 'void *'],
  ReleaseTypeInfo: [98, 'void', 'void *'],
  ReleaseTensorTypeAndShapeInfo: [99, 'void', 'void *'],
  ReleaseSessionOptions: [100, 'void', 'void *'],
  AddSessionConfigEntry: [130, 'void *', 'void *, const char *, const char *'],
} as const
type Name = keyof typeof functions
const TABLE_LENGTH = 131

const require = createRequire(import.meta.url)
/** Held for good: koffi closes a library whose handle nobody holds, and its functions are gone. */
let library: LibraryHandle | null = null

export function openOnnxruntime(): Onnxruntime {
  // An optional package, like sherpa-onnx-node.
  const koffi = require('koffi') as typeof Koffi
  library ??= koffi.load(libraryPath())
  const base: Pointer = library.func('void *OrtGetApiBase()')()
  const [getApi] = koffi.decode(base, koffi.array('void *', 1)) as Pointer[]
  const api: Pointer = koffi.call(getApi, koffi.proto('void *GetApi(uint32_t)'), API_VERSION)
  if (!api) throw new Error('This onnxruntime is older than the version that is needed.')
  const table = koffi.decode(api, koffi.array('void *', TABLE_LENGTH)) as Pointer[]

  const prototypes = Object.entries(functions).map(([name, [place, answer, takes]]) => {
    const prototype = koffi.proto(`${answer} ${name}(${takes})`)
    return [name, (...given: unknown[]) => koffi.call(table[place], prototype, ...given) as unknown]
  })
  const calls = Object.fromEntries(prototypes) as Record<Name, (...given: unknown[]) => unknown>
  /** @throws Error with what the library says */
  const call = (name: Name, ...given: unknown[]): void => {
    const status = calls[name](...given)
    if (!status) return
    const message = String(calls.GetErrorMessage(status))
    calls.ReleaseStatus(status)
    throw new Error(message)
  }
  /** The value that a function puts into its last argument. */
  const made = (name: Name, ...given: unknown[]): Pointer => {
    const out: Pointer[] = [null]
    call(name, ...given, out)
    return out[0]
  }

  const env = made('CreateEnv', ERRORS_ONLY, 'quoth')
  const allocator = made('GetAllocatorWithDefaultOptions')

  const tensorOf = (pointer: Pointer): Tensor => ({
    pointer,
    numbers() {
      const info = made('GetTensorTypeAndShape', pointer)
      try {
        const count = Number(made('GetTensorShapeElementCount', info))
        const length = count * Float32Array.BYTES_PER_ELEMENT
        return new Float32Array(koffi.view(made('GetTensorMutableData', pointer), length))
      } finally {
        calls.ReleaseTensorTypeAndShapeInfo(info)
      }
    },
    write(values) {
      if (values.byteLength === 0) return
      const held = koffi.view(made('GetTensorMutableData', pointer), values.byteLength)
      new Uint8Array(held).set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength))
    },
    free: () => void calls.ReleaseValue(pointer),
  })

  const inputOf = (session: Pointer, place: number) => {
    const name = String(
      koffi.decode(made('SessionGetInputName', session, place, allocator), 'char', -1),
    )
    const type = made('SessionGetInputTypeInfo', session, place)
    try {
      const info = made('CastTypeInfoToTensorInfo', type)
      const shape = new BigInt64Array(Number(made('GetDimensionsCount', info)))
      call('GetDimensions', info, shape, shape.length)
      return { name, shape: [...shape].map(Number) }
    } finally {
      calls.ReleaseTypeInfo(type)
    }
  }

  const opened = (path: string, threads: number): Pointer => {
    const options = made('CreateSessionOptions')
    try {
      call('SetIntraOpNumThreads', options, threads)
      // Threads that wait for each other in circles take twice the processor time for nothing.
      call('AddSessionConfigEntry', options, 'session.intra_op.allow_spinning', '0')
      return made('CreateSession', env, path, options)
    } finally {
      calls.ReleaseSessionOptions(options)
    }
  }

  return {
    load(path, { threads }) {
      const session = opened(path, threads)
      const count = Number(made('SessionGetInputCount', session))
      return {
        inputs: Array.from({ length: count }, (_, place) => inputOf(session, place)),
        run(inputs, outputs) {
          const given = Object.values(inputs).map(({ pointer }) => pointer)
          const answered: Pointer[] = outputs.map(() => null)
          const names = Object.keys(inputs)
          call('Run', session, null, names, given, given.length, outputs, outputs.length, answered)
          return answered.map(tensorOf)
        },
      }
    },
    tensor(values, shape) {
      const type =
        values instanceof Float32Array ? FLOAT : values instanceof BigInt64Array ? INT64 : BOOL
      const lengths = BigInt64Array.from(shape.map(BigInt))
      const tensor = tensorOf(
        made('CreateTensorAsOrtValue', allocator, lengths, lengths.length, type),
      )
      try {
        tensor.write(values)
        return tensor
      } catch (error) {
        tensor.free()
        throw error
      }
    },
  }
}

/** The library lies beside sherpa-onnx-node's own, in the package for this system. */
function libraryPath(): string {
  const addon = `sherpa-onnx-${process.platform}-${process.arch}/sherpa-onnx.node`
  const folder = dirname(require.resolve(addon))
  const name = readdirSync(folder).find((each) =>
    /^(lib)?onnxruntime(\.[\d.]+)?\.(so|dylib|dll)$/.test(each),
  )
  if (name === undefined) throw new Error(`There is no onnxruntime in ${folder}.`)
  return join(folder, name)
}
