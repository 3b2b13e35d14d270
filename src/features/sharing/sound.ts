/**
 * The sound of a video alone, for links that are to show no picture. It is taken out when it is first
 * asked for and kept beside the recording for a few minutes after it was last played, in a folder of
 * this process. One video is worked on at a time, because strangers may open many links at once and
 * the machine has other work. The accounts to which the links belong are served in rotation.
 */
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { takeSound } from '#features/sound/sound.ts'
import { type Storage, NotStored } from '#server/storage.ts'
import { refuseFullLine, semaphore } from '#server/semaphore.ts'
import { Refusal } from '#shared/refusals.ts'

const KEPT_MS = 10 * 60_000
/** How many are kept. Each is at most as large as an upload. */
const MOST_KEPT = 20
const LONGEST_MS = 120_000
/** How many videos may wait for their sound to be taken out: of one account, and in all. */
const LINE = { ofLane: 5, ofAll: 50 }

export type SoundFiles = ReturnType<typeof soundFiles>

interface Kept {
  taken: Promise<{ path: string; type: string }>
  timer?: NodeJS.Timeout
}

export function soundFiles(
  storage: Pick<Storage, 'open' | 'require'>,
  workRoot: string,
  write: typeof takeSound = takeSound,
) {
  /** In the order in which they were asked for, the latest last. */
  const kept = new Map<string, Kept>()
  const places = semaphore(1)
  const ending = new AbortController()
  let folder: Promise<string> | undefined

  async function drop(key: string): Promise<void> {
    const entry = kept.get(key)
    if (!entry) return
    kept.delete(key)
    clearTimeout(entry.timer)
    const done = await entry.taken.catch(() => null)
    if (done) await rm(join(done.path, '..'), { recursive: true, force: true })
  }

  async function take(key: string, owner: string): Promise<{ path: string; type: string }> {
    await using _ = await places.take(ending.signal, { owner })
    await mkdir(workRoot, { recursive: true })
    folder ??= mkdtemp(join(workRoot, 'sounds-'))
    // After a day without a reader it was taken for one that was left.
    await mkdir(await folder, { recursive: true })
    const own = await mkdtemp(join(await folder, 'one-'))
    const path = join(own, 'sound')
    const file = await storage.open(key)
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(LONGEST_MS)])
    try {
      const type = await write(file.path, path, { signal })
      if (type === null) throw new Refusal('not_playable')
      return { path, type }
    } catch (error) {
      await rm(own, { recursive: true, force: true })
      throw error
    } finally {
      await file.release()
    }
  }

  function begin(key: string, owner: string): Kept {
    refuseFullLine(places, owner, LINE)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= MOST_KEPT) void drop(oldest)
    const entry: Kept = { taken: take(key, owner) }
    entry.taken.catch(() => drop(key))
    return entry
  }

  /** Its file. It is taken out once more where it was dropped before it could be opened. */
  async function openFile(key: string, owner: string): Promise<{ file: FileHandle; type: string }> {
    for (;;) {
      const entry = kept.get(key) ?? begin(key, owner)
      kept.delete(key)
      kept.set(key, entry)
      clearTimeout(entry.timer)
      entry.timer = setTimeout(() => void drop(key), KEPT_MS).unref()
      const { path, type } = await entry.taken
      const file = await open(path).catch((error: unknown) => {
        if (kept.get(key) === entry) throw error
        return null
      })
      if (file) return { file, type }
    }
  }

  return {
    /** @throws Refusal `recording_gone`, `not_playable`, `too_much_at_once`, `server_busy` */
    async open(key: string, owner: string) {
      // It goes with the recording.
      await storage.require(key).catch(async (error: unknown) => {
        await drop(key)
        throw error instanceof NotStored ? new Refusal('recording_gone', { cause: error }) : error
      })
      const { file, type } = await openFile(key, owner)
      await using _ = file
      return {
        type,
        disposition: 'inline',
        sizeBytes: (await file.stat()).size,
        address: null,
        read: async (range: { start: number; end: number }) =>
          (await openFile(key, owner)).file.createReadStream(range),
      }
    },
    async close() {
      ending.abort(new Error('the server stops'))
      await Promise.all([...kept.keys()].map(drop))
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
