/**
 * A recording, from the question for a microphone to its file. It never ends by itself. Its user is told
 * at once when the microphone is muted, taken away or put to sleep, when the recorder stops, when only
 * silence comes, and when there is no space. hearing.ts has the sound, taping.ts the recorder of it, and
 * keeping.ts the pieces that are kept.
 *
 * Promise: a recording in the browser ends only when somebody ends it, and says when it does not
 * hear (hearing.ts, decision 047).
 */
import { randomId } from '#web/random-id.ts'

import { filesOf } from './files.ts'
import { hearing, letGo } from './hearing.ts'
import { keeping } from './keeping.ts'
import { live } from './live.ts'
import { keepScreenOn } from './screen.ts'
import { type Piece, forget, pieces as piecesOf } from './shelf.ts'
import { type Event, type KeptRecording, type Lack, everyDeafness } from './state.ts'
import { heldRecordings, holdRecording, holdStopped, takeBack, whenBack } from './tabs.ts'
import { taping } from './taping.ts'
import { recordedNow, tell } from './tell.ts'

const LOOK_MS = 100
const types = ['audio/webm;codecs=opus', 'audio/mp4']

/** The thing that a page lacks for recording, as far as it is known before anybody is asked. */
export function lackOfPage(): Lack | null {
  // First: without https there is no microphone in any browser.
  if (!isSecureContext) return 'insecure'
  return 'mediaDevices' in navigator && typeof MediaRecorder === 'function' && typeNow()
    ? null
    : 'not-supported'
}

const typeNow = () => types.find((one) => MediaRecorder.isTypeSupported(one))

interface Controls {
  /** For drawing what is heard. */
  analyser: AnalyserNode
  pause: () => void
  resume: () => void
  sizeBytes: () => number
  /** Asks for the microphone once more, and records again where that had stopped. */
  goOn: () => Promise<void>
  stop: () => Promise<void>
  throwAway: () => Promise<void>
}
let controls: Controls | null = null
export const recorder = () => controls

/** Begins a recording, or goes on with one that lies on the shelf. */
export async function startRecording(
  from: { userId: string } | { recording: KeptRecording },
): Promise<void> {
  tell({ kind: 'asked' })
  const lack = lackOfPage()
  if (lack) return tell({ kind: 'refused', lack })
  let stream: MediaStream | null = null
  try {
    stream = await microphone()
    // Somebody has gone back meanwhile.
    if (live.session().kind !== 'asking') return letGo(stream)
    const isKept = 'recording' in from
    if (isKept && (await heldRecordings()).has(from.recording.id)) throw new Error(ELSEWHERE)
    // Gone on with, it is another than the one that was sent.
    const recording: KeptRecording = isKept
      ? { ...from.recording, sentAs: undefined }
      : {
          id: randomId(),
          userId: from.userId,
          startedAt: new Date(),
          type: typeNow() ?? '',
        }
    controls = record(recording, stream, isKept ? await piecesOf(recording) : [])
  } catch (error) {
    letGo(stream)
    tell({ kind: 'refused', lack: await lackIn(error) })
  }
}

/** Two tabs that go on with one recording would each write its next piece. */
const ELSEWHERE = 'elsewhere'

const microphone = () => navigator.mediaDevices.getUserMedia({ audio: true })

/** Not every browser says by its error that it has no microphone. */
export async function lackIn(thrown: unknown): Promise<Lack> {
  if (thrown instanceof DOMException) {
    if (thrown.name === 'NotAllowedError' || thrown.name === 'SecurityError') return 'denied'
    if (thrown.name === 'NotFoundError') return 'no-device'
  }
  if (thrown instanceof Error && thrown.message === ELSEWHERE) return 'elsewhere'
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => null)
  return devices?.some(({ kind }) => kind === 'audioinput') === false ? 'no-device' : 'failed'
}

function record(kept: KeptRecording, first: MediaStream, earlier: readonly Piece[]): Controls {
  let endedAtMs = 0
  const recordedMs = () => {
    const session = live.session()
    return session.kind === 'running' ? recordedNow(session) : endedAtMs
  }
  const keeper = keeping(kept, earlier, say)
  const sound = hearing(say)
  const tape = taping({
    sound: sound.heard,
    type: kept.type,
    firstStretch: (earlier.at(-1)?.stretch ?? -1) + 1,
    say,
    onPiece: (piece, stretch) => keeper.add({ piece, stretch, recordedMs: recordedMs() }),
  })
  /** Tells what happened, and has the recorder do what follows from it. */
  function say(event: Event) {
    tell(event)
    const session = live.session()
    if (session.kind !== 'running') return
    keeper.know(session.recording)
    tape.follow(session)
  }
  const look = () => {
    const session = live.session()
    if (session.kind !== 'running') return
    const isRecording = session.sinceMs !== null
    const level = sound.listen({ isRecording, deaf: session.deaf?.why ?? null })
    if (!isRecording) return
    keeper.note(recordedMs(), level)
    tape.sayIfMissed()
  }

  const recordedBeforeMs = earlier.at(-1)?.recordedMs ?? 0
  const isGoneOnWith = earlier.length > 0
  const gap = { why: 'left', placeMs: recordedBeforeMs, lengthMs: 0 } as const
  tell({
    kind: 'began',
    recording: isGoneOnWith ? { ...kept, gaps: [...(kept.gaps ?? []), gap] } : kept,
    recordedMs: recordedBeforeMs,
  })
  sound.plug(first)
  tape.open()
  void keeper.save()
  sound.sayIfMuted()
  sound.wake()

  const looking = setInterval(look, LOOK_MS)
  const letScreenGo = keepScreenOn((keepsOn) => say({ kind: 'screen', keepsOn }))
  takeBack(kept.id)
  const letTabGo = holdRecording(kept.id, {
    onBegun: (id) => say({ kind: 'other began', id }),
    onEnded: (id) => say({ kind: 'other ended', id }),
  })
  const askToStay = (event: BeforeUnloadEvent) => event.preventDefault()
  window.addEventListener('beforeunload', askToStay)
  const onSeenOrNot = () => {
    sound.wake()
    // A phone may end a page that nobody sees, so what there is goes to the shelf now.
    if (document.visibilityState === 'hidden') tape.hurry()
  }
  document.addEventListener('visibilitychange', onSeenOrNot)

  const close = async () => {
    endedAtMs = recordedMs()
    tell({ kind: 'stopped' })
    const session = live.session()
    if (session.kind === 'closing') keeper.know(session.recording)
    controls = null
    clearInterval(looking)
    document.removeEventListener('visibilitychange', onSeenOrNot)
    letScreenGo()
    await tape.end()
    sound.end()
    await keeper.save()
    const letStoppedGo = await holdStopped(kept.id)
    letTabGo()
    whenLeft(letStoppedGo)
    const stopAsking = () => window.removeEventListener('beforeunload', askToStay)
    if (keeper.isKept()) stopAsking()
    // Files that were handed on would be lost as well.
    else whenLeft(() => void whenBack(kept.id).then(stopAsking))
  }
  return {
    analyser: sound.analyser,
    pause: () => say({ kind: 'paused' }),
    resume: () => say({ kind: 'resumed' }),
    sizeBytes: () => keeper.pieces.reduce((sum, { piece }) => sum + piece.size, 0),
    goOn: async () => {
      say({ kind: 'asked again' })
      sound.wake()
      try {
        const next = await microphone()
        const session = live.session()
        if (session.kind !== 'running') return letGo(next)
        const { deaf } = session
        sound.plug(next)
        if (deaf?.why === 'stopped') tape.open()
        say({ kind: 'hears', over: everyDeafness })
        sound.sayIfMuted()
      } catch (error) {
        say({ kind: 'not given', lack: await lackIn(error) })
      }
    },
    stop: async () => {
      await close()
      const seconds = endedAtMs / 1000
      const { pieces, levels } = keeper
      const files = await filesOf(keeper.row(), pieces, seconds)
      tell({ kind: 'done', files, seconds, levels, isKept: keeper.isKept() })
    },
    throwAway: async () => {
      try {
        await close()
        await forget(kept.id)
      } catch (error) {
        // Of what was never kept whole, the panel offers what lies there all the same.
        if (keeper.isKept()) throw error
      } finally {
        tell({ kind: 'left' })
      }
    },
  }
}

/** Once the stopped recording is sent, thrown away or gone on with, or waits on the shelf. */
function whenLeft(act: () => void): void {
  const look = () => {
    const { kind } = live.session()
    if (kind === 'closing' || kind === 'done') return
    over()
    act()
  }
  const over = live.subscribe(look)
  look()
}
