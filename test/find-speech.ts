/** Finds speech in a whole recording at once. Jobs listen while the recording is still decoded. */
import type { Loudness } from '#features/sound/loudness.ts'
import type { PcmFile, Region } from '#features/speech/engines/engine.ts'
import type { HeardPiece } from '#features/speech/listen/chunks.ts'
import type { Detector, VadWork } from '#features/speech/listen/vad-messages.ts'
import { listen } from '#features/speech/listen/vad.ts'

export async function findSpeech(
  pcm: PcmFile,
  {
    signal,
    detector = 'best',
    onHeard,
  }: {
    signal: AbortSignal
    detector?: VadWork['detector']
    onHeard?: (heard: HeardPiece) => void
  },
): Promise<{
  regions: Region[]
  loudness: Loudness
  isNarrowBand: boolean
  detector: Detector
}> {
  const pieces: HeardPiece[] = []
  const listening = listen(pcm.path, {
    signal,
    detector,
    onHeard: (heard) => {
      pieces.push(heard)
      onHeard?.(heard)
    },
  })
  listening.grown({ sampleCount: pcm.sampleCount, isAll: true })
  const by = await listening.ended
  return {
    regions: pieces.flatMap(({ regions }) => regions),
    loudness: Uint8Array.from(pieces.flatMap(({ loudness }) => [...loudness])),
    isNarrowBand: pieces.at(-1)?.isNarrowBand ?? false,
    detector: by,
  }
}
