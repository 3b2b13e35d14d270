/**
 * Who speaks when by sherpa-onnx alone, with the pair of models that is installed, at a threshold of its
 * own clustering: what we are measured beside. In a process of its own, as its work holds up everything.
 *
 *     node bare-voices.ts FILE.pcm THRESHOLD SEGMENTATION EMBEDDING
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { SpeakerTurn } from '#features/speech/contract.ts'

interface Sherpa {
  OfflineSpeakerDiarization: new (config: object) => {
    process(samples: Float32Array): { start: number; end: number; speaker: number }[]
  }
}

const [path = '', threshold = '', segmentation = '', embedding = ''] = process.argv.slice(2)
const { OfflineSpeakerDiarization } = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa
const model = { numThreads: 1, provider: 'cpu', debug: 0 }
const diarization = new OfflineSpeakerDiarization({
  segmentation: { pyannote: { model: segmentation }, ...model },
  embedding: { model: embedding, ...model },
  clustering: { numClusters: -1, threshold: Number(threshold) },
})
const pcm = await readFile(path)
const samples = Float32Array.from(
  { length: pcm.length >> 1 },
  (_, at) => pcm.readInt16LE(2 * at) / 32_768,
)
const turns = diarization.process(samples).map(({ start, end, speaker }): SpeakerTurn => ({
  speaker,
  startMs: Math.round(1000 * start),
  endMs: Math.round(1000 * end),
}))
process.stdout.write(JSON.stringify(turns))
