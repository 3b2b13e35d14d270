/** Records a sound by the recorder of the browser, or by another one where that has stopped. */
import { withResolvers } from '#web/with-resolvers.ts'

import { BITS_PER_SECOND, type Event, type Running } from './state.ts'

const PIECE_MS = 5000
/** After this long without a piece, the recorder has stopped without saying so. */
const MISSED_MS = PIECE_MS * 2 + 2000
/** A recorder that does not end is not waited for: all but its last seconds is there. */
const LONGEST_STOP_MS = 3000

export function taping({
  sound,
  type,
  firstStretch,
  say,
  onPiece,
}: {
  sound: MediaStream
  type: string
  firstStretch: number
  say: (event: Event) => void
  onPiece: (piece: Blob, stretch: number) => void
}) {
  let recorder: MediaRecorder | null = null
  let nextStretch = firstStretch
  let lastPieceAt = performance.now()
  return {
    /** Each recorder begins a stretch of its own. */
    open() {
      // One that gives nothing may not have ended.
      const old = recorder
      recorder = null
      if (old && old.state !== 'inactive') old.stop()
      const stretch = nextStretch
      const mine = new MediaRecorder(sound, { mimeType: type, audioBitsPerSecond: BITS_PER_SECOND })
      nextStretch += 1
      // Fetched now: the connection may be gone when the stretches are joined.
      if (stretch > 0) import('./join.ts').catch(() => undefined)
      mine.addEventListener('dataavailable', ({ data }) => {
        lastPieceAt = performance.now()
        if (data.size > 0) onPiece(data, stretch)
      })
      const onStopped = () => {
        if (recorder === mine) say({ kind: 'deaf', why: 'stopped' })
      }
      mine.addEventListener('error', onStopped)
      mine.addEventListener('stop', onStopped)
      lastPieceAt = performance.now()
      mine.start(PIECE_MS)
      recorder = mine
    },
    follow({ sinceMs }: Running) {
      if (recorder?.state === 'recording' && sinceMs === null) recorder.pause()
      if (recorder?.state === 'paused' && sinceMs !== null) {
        lastPieceAt = performance.now()
        recorder.resume()
      }
    },
    sayIfMissed() {
      const missedMs = performance.now() - lastPieceAt
      if (missedMs > MISSED_MS) say({ kind: 'deaf', why: 'stopped', forMs: missedMs })
    },
    /** Gives what there is of the next piece. */
    hurry() {
      if (recorder?.state === 'recording') recorder.requestData()
    },
    async end() {
      if (!recorder || recorder.state === 'inactive') return
      const ended = withResolvers<void>()
      recorder.addEventListener('stop', () => ended.resolve(), { once: true })
      setTimeout(ended.resolve, LONGEST_STOP_MS)
      recorder.stop()
      await ended.promise
    },
  }
}
