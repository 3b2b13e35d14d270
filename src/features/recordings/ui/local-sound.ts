/** How loud a file of this device is, and how many channels it has, before anything of it is sent. */
import { queryOptions } from '@tanstack/react-query'

import { originOf } from './recording/origin.ts'

/** Decoding keeps all samples of a file in memory, which a phone has for so many minutes. */
const MOST_SECONDS = 5 * 60
const MOST_BYTES = 32 * 1024 * 1024
/** The least that browsers decode to. */
const SAMPLE_RATE = 8_000
const LEVELS = 100

export interface LocalSound {
  /** 0 to 255, as the server measures them. */
  levels: number[]
  channels: number
}

/**
 * What this browser hears of a file. Null where this browser cannot decode it,
 * and for long files: the server measures them when they have arrived.
 */
export const localSoundQuery = (file: File | null, seconds: number | null | undefined) =>
  queryOptions({
    queryKey: ['local sound', file?.name, file?.size, file?.lastModified, seconds],
    queryFn: async (): Promise<LocalSound | null> => {
      if (!file) return null
      // A recorder has heard what it wrote.
      const heard = originOf(file)?.levels
      if (heard) return { levels: heard.map((level) => inBytes(level)), channels: 1 }
      const isShort = typeof seconds === 'number' && seconds <= MOST_SECONDS
      return isShort && file.size <= MOST_BYTES ? decoded(file).catch(() => null) : null
    },
  })

async function decoded(file: File): Promise<LocalSound> {
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE)
  const sound = await context.decodeAudioData(await file.arrayBuffer())
  const count = Math.min(LEVELS, sound.length)
  const levels = Array.from({ length: count }, () => 0)
  for (let channel = 0; channel < sound.numberOfChannels; channel += 1) {
    const samples = sound.getChannelData(channel)
    for (let place = 0; place < samples.length; place += 1) {
      const level = Math.floor((place * count) / samples.length)
      levels[level] = Math.max(levels[level] ?? 0, Math.abs(samples[place] ?? 0))
    }
  }
  return { levels: levels.map((level) => inBytes(level)), channels: sound.numberOfChannels }
}

/** What is softer than one part in 256 is silence, on the server too. */
const inBytes = (level: number): number => Math.min(255, Math.floor(level * 256))
