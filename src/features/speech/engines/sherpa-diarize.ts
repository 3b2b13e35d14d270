/**
 * Who speaks when, by two neural models that are installed: one hears where a voice begins and ends,
 * the other what it sounds like. Both listen in a child process. Which voices are one person, so that
 * a speaker keeps the same number from start to end, is decided in a thread (speakers/joining.ts).
 */
import type { InstalledModel, SpeakerModels } from '#features/models/models.ts'
import { SAMPLE_RATE_HZ } from '#features/sound/decode.ts'
import { LONG_MINUTES } from '#shared/business.ts'

import { joinVoices } from '../speakers/diarize.ts'
import type { Diarizer } from './engine.ts'
import { keep } from './sherpa-process.ts'
import type { SherpaOptions } from './sherpa.ts'

const LONG_SAMPLES = LONG_MINUTES * 60 * SAMPLE_RATE_HZ

/** Without a segmentation, one voice speaks all the time: by that an embedding is tried alone. */
export function openDiarizer(
  {
    segmentation,
    embedding,
  }: Pick<SpeakerModels, 'embedding'> & { segmentation: InstalledModel | null },
  kept: Omit<SherpaOptions, 'cores'> = {},
): Diarizer {
  const models = segmentation ? [segmentation, embedding] : [embedding]
  const name = models.map(({ title }) => title).join(' and ')
  const what = `What tells speakers apart (${models.map(({ id }) => id).join(', ')})`
  const processes = { short: keep({ what, ...kept }), long: keep({ what, ...kept }) }
  return {
    name,
    async diarize(pcm, regions, { speakers = {}, signal }) {
      // A recording is one question. So a short one does not wait for the end of a long one.
      const process = processes[pcm.sampleCount > LONG_SAMPLES ? 'long' : 'short']
      const answer = await process.ask(
        {
          kind: 'diarize',
          segmentation: segmentation && (segmentation.files['model'] ?? ''),
          embedding: embedding.files['model'] ?? '',
          pcmPath: pcm.path,
          sampleCount: pcm.sampleCount,
        },
        signal,
      )
      if (answer.kind === 'failed') throw new Error(`${name} failed: ${answer.reason}`)
      if (answer.kind !== 'diarized') throw new Error(`${name} stopped before their end`)
      const { windows } = answer
      if (regions.length > 0 && windows.every(({ voices }) => voices.length === 0))
        throw new Error(`${name} heard nobody where voice activity did`)
      const { sameVoice } = embedding
      return joinVoices({ windows, sameVoice, speakers, signal })
    },
    async close() {
      await Promise.all([processes.short.close(), processes.long.close()])
    },
  }
}
