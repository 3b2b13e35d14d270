/** The microphone, and a recorder whose pieces go to the shelf as they come. */
import { setOrigin } from './origin.ts'
import { type KeptRecording, begin, forget, keep, recordingFile } from './shelf.ts'

export type Trouble = 'denied' | 'no-device' | 'not-supported' | 'failed'

export interface Recorder {
  recording: KeptRecording
  /** For drawing what is heard. */
  analyser: AnalyserNode
  pause: () => void
  resume: () => void
  /** Bytes so far. */
  size: () => number
  /** Milliseconds recorded, without the pauses. */
  elapsed: () => number
  stop: () => Promise<File>
  /** Stops and throws away. */
  discard: () => Promise<void>
}

const PIECE_MS = 5000
const types = ['audio/webm;codecs=opus', 'audio/mp4']

/** @throws Trouble as the message of an Error, when there is nothing to record with. */
export async function startRecorder({
  userId,
  onEnded,
}: {
  userId: string
  /** The microphone was taken away: unplugged, or its permission withdrawn. */
  onEnded: () => void
}): Promise<Recorder> {
  const type = types.find((one) => MediaRecorder.isTypeSupported(one))
  if (type === undefined || !navigator.mediaDevices) throw new Error('not-supported')
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const recording = { id: crypto.randomUUID(), userId, startedAt: new Date(), type }
  await begin(recording)

  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 1024
  context.createMediaStreamSource(stream).connect(analyser)

  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 64_000 })
  const pieces: Blob[] = []
  const keeping: Promise<unknown>[] = []
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size === 0) return
    pieces.push(data)
    // The recording goes on in memory when the disk is full.
    keeping.push(keep(recording.id, pieces.length, data).catch(() => undefined))
  })
  let elapsed = 0
  let since = performance.now()
  stream.getAudioTracks()[0]?.addEventListener('ended', onEnded)
  recorder.start(PIECE_MS)

  const release = async () => {
    for (const track of stream.getTracks()) track.stop()
    await context.close()
  }
  const end = async () => {
    if (recorder.state !== 'inactive') {
      const { promise, resolve } = Promise.withResolvers<void>()
      recorder.addEventListener('stop', () => resolve(), { once: true })
      recorder.stop()
      await promise
    }
    await Promise.all(keeping)
    await release()
  }
  return {
    recording,
    analyser,
    pause: () => {
      recorder.pause()
      elapsed += performance.now() - since
    },
    resume: () => {
      recorder.resume()
      since = performance.now()
    },
    size: () => pieces.reduce((sum, { size }) => sum + size, 0),
    elapsed: () => elapsed + (recorder.state === 'recording' ? performance.now() - since : 0),
    stop: async () => {
      await end()
      return setOrigin(recordingFile(pieces, recording), recording.id)
    },
    discard: async () => {
      await end()
      await forget(recording.id)
    },
  }
}

/** What went wrong with the microphone, in one of our words. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof DOMException) {
    if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'denied'
    if (error.name === 'NotFoundError') return 'no-device'
  }
  return error instanceof Error && error.message === 'not-supported' ? 'not-supported' : 'failed'
}
