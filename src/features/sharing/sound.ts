/**
 * The sound of a video alone, for links that are to show no picture. It is taken out when it is first
 * asked for and kept beside the recording for a few minutes after it was last played, in a folder of
 * this process.
 */
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

import * as speech from '#features/speech/speech.ts'
import { type Storage, NotStored } from '#server/storage.ts'
import { Refusal } from '#shared/refusals.ts'

const KEPT_MS = 10 * 60_000
/** Each is at most as large as an upload. */
const MOST_KEPT = 20
const LONGEST_MS = 120_000

export interface Sound {
  type: string
  sizeBytes: number
  address: null
  read: (range: { start: number; end: number }) => Promise<Readable>
}

export interface SoundFiles {
  /** @throws Refusal `recording_gone`, `not_playable` */
  open(storageKey: string): Promise<Sound>
  close(): Promise<void>
}

interface Kept {
  taken: Promise<{ path: string; type: string }>
  timer: NodeJS.Timeout | undefined
}

export function soundFiles(
  storage: Pick<Storage, 'open' | 'require'>,
  workRoot: string,
): SoundFiles {
  const kept = new Map<string, Kept>()
  let folder: Promise<string> | undefined
  const ending = new AbortController()
  let last: Promise<unknown> = Promise.resolve()

  async function drop(key: string): Promise<void> {
    const entry = kept.get(key)
    if (!entry) return
    kept.delete(key)
    clearTimeout(entry.timer)
    const done = await entry.taken.catch(() => null)
    if (done) await rm(join(done.path, '..'), { recursive: true, force: true })
  }

  /** One after the other: strangers may open many links at once, and the machine has other work. */
  function takeInTurn(key: string): Kept['taken'] {
    const taken = last.then(() => take(key))
    last = taken.catch(() => null)
    return taken
  }

  async function take(key: string): Promise<{ path: string; type: string }> {
    ending.signal.throwIfAborted()
    await mkdir(workRoot, { recursive: true })
    folder ??= mkdtemp(join(workRoot, 'sounds-'))
    const own = await mkdtemp(join(await folder, 'one-'))
    const path = join(own, 'sound')
    const file = await storage.open(key)
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_MS)])
    try {
      const type = await speech.takeSound(file.path, path, { signal })
      if (type === null) throw new Refusal('not_playable')
      return { path, type }
    } catch (error) {
      await rm(own, { recursive: true, force: true })
      throw error
    } finally {
      await file.release()
    }
  }

  return {
    async open(key) {
      // It goes with the recording.
      await storage.require(key).catch(async (error: unknown) => {
        await drop(key)
        throw error instanceof NotStored ? new Refusal('recording_gone', { cause: error }) : error
      })
      const entry: Kept = kept.get(key) ?? { taken: takeInTurn(key), timer: undefined }
      kept.delete(key)
      kept.set(key, entry)
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => void drop(key), KEPT_MS).unref()
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) await drop(oldest)
      try {
        const { path, type } = await entry.taken
        const { size: sizeBytes } = await stat(path)
        return {
          type,
          sizeBytes,
          address: null,
          read: async (range) => createReadStream(path, range),
        }
      } catch (error) {
        await drop(key)
        throw error
      }
    },
    async close() {
      ending.abort(new Error('the server stops'))
      await Promise.all([...kept.keys()].map(drop))
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
