/**
 * The microphone, and what records it. A recording never ends by itself and never says what is not so:
 *
 * - the microphone is plugged into a sound of our own, and that is recorded. So another microphone can
 *   take its place in the same file, and what is muted is silence there and no hole;
 * - each piece goes to the shelf as it comes; one that could not be put there is tried again with the
 *   next, and all are in memory until the recording has become a file;
 * - muted, taken away, put to sleep, stopped, only zeros, no space: each is told when it happens.
 */
import { randomId } from '#web/random-id.ts'

import { filesOf } from './files.ts'
import { live } from './live.ts'
import { keepScreenOn } from './screen.ts'
import { type Piece, begin, forget, keep, pieces as piecesOf } from './shelf.ts'
import { type Event, type KeptRecording, type Lack, everyDeafness, recordedBy } from './state.ts'
import { heldRecordings, holdRecording, holdStopped, takeBack, whenBack } from './tabs.ts'
import { setClock, soundMs, tell } from './tell.ts'

const PIECE_MS = 5000
/** After this long without a piece, the recorder has stopped without saying so. */
const MISSED_MS = PIECE_MS * 2 + 2000
const LOOK_MS = 100
const LEVELS_A_SECOND = 2
/** Softer than any microphone is: what comes are zeros. */
const SILENCE = 1e-5
const QUIET_MS = 5000
/** A recorder that does not end is not waited for: all but its last seconds is there. */
const LONGEST_STOP_MS = 3000
const types = ['audio/webm;codecs=opus', 'audio/mp4']

/** What the page lacks for recording, before anybody is asked. */
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
    const recording: KeptRecording = isKept
      ? from.recording
      : {
          id: randomId(),
          userId: from.userId,
          startedAt: new Date(),
          type: typeNow() ?? '',
        }
    controls = record(recording, stream, isKept ? await piecesOf(recording) : [])
  } catch (error) {
    letGo(stream)
    tell({ kind: 'refused', lack: lackIn(error) })
  }
}

/** Two tabs that go on with one recording would each write its next piece. */
const ELSEWHERE = 'elsewhere'

const microphone = () => navigator.mediaDevices.getUserMedia({ audio: true })

function lackIn(error: unknown): Lack {
  if (error instanceof DOMException) {
    if (error.name === 'NotAllowedError' || error.name === 'SecurityError') return 'denied'
    if (error.name === 'NotFoundError') return 'no-device'
  }
  if (error instanceof Error && error.message === ELSEWHERE) return 'elsewhere'
  return 'failed'
}

function record(kept: KeptRecording, first: MediaStream, earlier: readonly Piece[]): Controls {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // Longer than the time between two looks, so that no sound falls between them.
  analyser.fftSize = 8192
  const heard = context.createMediaStreamDestination()
  heard.channelCount = 1
  analyser.connect(heard)
  // Of a sound into which nothing comes, Chromium records nothing at all.
  const silence = new ConstantSourceNode(context, { offset: 0 })
  silence.connect(heard)
  silence.start()
  setClock(() => context.currentTime * 1000)

  let endedAtMs = 0
  const recordedMs = () => {
    const session = live.session()
    return session.kind === 'running' ? recordedBy(session, soundMs()) : endedAtMs
  }

  // What is kept.

  const pieces = [...earlier]
  const levels = earlier.flatMap((piece) => piece.levels)
  let levelsKept = levels.length
  let row = kept
  let keptRow: KeptRecording | null = null
  const unkept: Piece[] = []
  /** All of it, as far as the last try went. */
  let isKept = false
  let keeping = Promise.resolve()
  const keepAll = async () => {
    try {
      if (row !== keptRow) await begin(row)
      keptRow = row
      for (let piece = unkept[0]; piece; piece = unkept[0]) {
        await keep(piece)
        unkept.shift()
      }
      isKept = true
      say({ kind: 'saved' })
    } catch (error) {
      isKept = false
      const isFull = error instanceof DOMException && error.name === 'QuotaExceededError'
      say({ kind: 'unsaved', isFull })
    }
  }
  const save = () => {
    keeping = keeping.then(keepAll)
  }

  // What is recorded.

  let recorder: MediaRecorder | null = null
  let nextStretch = (earlier.at(-1)?.stretch ?? -1) + 1
  let lastPieceAt = performance.now()
  const openRecorder = () => {
    // One that gives nothing may not have ended.
    const old = recorder
    recorder = null
    if (old && old.state !== 'inactive') old.stop()
    const stretch = nextStretch
    const mine = new MediaRecorder(heard.stream, {
      mimeType: kept.type,
      audioBitsPerSecond: 64_000,
    })
    nextStretch += 1
    // Fetched now: the connection may be gone when the stretches are joined.
    if (stretch > 0) import('./join.ts').catch(() => undefined)
    mine.addEventListener('dataavailable', ({ data }) => {
      lastPieceAt = performance.now()
      if (data.size === 0) return
      const number = (pieces.at(-1)?.number ?? 0) + 1
      const more = levels.slice(levelsKept)
      levelsKept = levels.length
      const piece = { number, stretch, piece: data, recordedMs: recordedMs(), levels: more }
      pieces.push({ id: kept.id, ...piece })
      unkept.push({ id: kept.id, ...piece })
      save()
    })
    const onStopped = () => {
      if (recorder === mine) say({ kind: 'deaf', why: 'stopped' })
    }
    mine.addEventListener('error', onStopped)
    mine.addEventListener('stop', onStopped)
    lastPieceAt = performance.now()
    mine.start(PIECE_MS)
    recorder = mine
  }
  /** Tells what happened, and has the recorder do what follows from it. */
  function say(event: Event) {
    const before = row
    tell(event)
    const session = live.session()
    if (session.kind !== 'running') return
    row = session.recording
    if (row !== before) save()
    if (recorder?.state === 'recording' && session.sinceMs === null) recorder.pause()
    if (recorder?.state === 'paused' && session.sinceMs !== null) {
      lastPieceAt = performance.now()
      recorder.resume()
    }
  }

  // What is heard.

  let stream = first
  let quietMs = 0
  let source: MediaStreamAudioSourceNode | null = null
  const unplug = () => {
    source?.disconnect()
    letGo(stream)
  }
  const plug = (next: MediaStream) => {
    if (next !== stream) unplug()
    stream = next
    quietMs = 0
    source = context.createMediaStreamSource(next)
    source.connect(analyser)
    const track = trackOf(next)
    const on = (name: string, event: Event) =>
      track?.addEventListener(name, () => {
        if (stream === next) say(event)
      })
    on('mute', { kind: 'deaf', why: 'muted' })
    on('unmute', { kind: 'hears', over: ['muted'] })
    on('ended', { kind: 'deaf', why: 'gone' })
  }
  const sayIfMuted = () => {
    if (trackOf(stream)?.muted) say({ kind: 'deaf', why: 'muted' })
  }
  const wake = () => {
    if (context.state !== 'running') void context.resume().catch(() => undefined)
  }
  context.addEventListener('statechange', () => {
    if (context.state === 'running') {
      say({ kind: 'hears', over: ['asleep'] })
      return sayIfMuted()
    }
    say({ kind: 'deaf', why: 'asleep' })
    wake()
  })
  const samples = new Float32Array(analyser.fftSize)
  let lookedAtMs = soundMs()
  const look = () => {
    const session = live.session()
    if (session.kind !== 'running') return
    analyser.getFloatTimeDomainData(samples)
    const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
    const isRecording = session.sinceMs !== null
    quietMs = isRecording && loudest < SILENCE ? quietMs + soundMs() - lookedAtMs : 0
    lookedAtMs = soundMs()
    if (loudest >= SILENCE && session.deaf) say({ kind: 'hears', over: ['quiet'] })
    if (quietMs >= QUIET_MS) say({ kind: 'deaf', why: 'quiet', forMs: quietMs })
    if (!isRecording) return
    const place = Math.floor((recordedMs() / 1000) * LEVELS_A_SECOND)
    while (levels.length <= place) levels.push(0)
    levels[place] = Math.max(levels[place] ?? 0, Math.min(1, loudest))
    const missedMs = performance.now() - lastPieceAt
    if (missedMs > MISSED_MS) say({ kind: 'deaf', why: 'stopped', forMs: missedMs })
  }

  const recordedBeforeMs = earlier.at(-1)?.recordedMs ?? 0
  const isGoneOnWith = earlier.length > 0
  const gap = { why: 'left', placeMs: recordedBeforeMs, lengthMs: 0 } as const
  tell({
    kind: 'began',
    recording: isGoneOnWith ? { ...kept, gaps: [...(kept.gaps ?? []), gap] } : kept,
    recordedMs: recordedBeforeMs,
  })
  plug(first)
  openRecorder()
  save()
  sayIfMuted()
  wake()

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
    wake()
    // A phone may end a page that nobody sees, so what there is goes to the shelf now.
    if (document.visibilityState === 'hidden' && recorder?.state === 'recording')
      recorder.requestData()
  }
  document.addEventListener('visibilitychange', onSeenOrNot)

  const close = async () => {
    endedAtMs = recordedMs()
    tell({ kind: 'stopped' })
    const session = live.session()
    if (session.kind === 'closing') row = session.recording
    controls = null
    clearInterval(looking)
    document.removeEventListener('visibilitychange', onSeenOrNot)
    letScreenGo()
    if (recorder && recorder.state !== 'inactive') {
      const ended = Promise.withResolvers<void>()
      recorder.addEventListener('stop', () => ended.resolve(), { once: true })
      setTimeout(ended.resolve, LONGEST_STOP_MS)
      recorder.stop()
      await ended.promise
    }
    unplug()
    await context.close()
    save()
    await keeping
    const letStoppedGo = await holdStopped(kept.id)
    letTabGo()
    whenLeft(letStoppedGo)
    const stopAsking = () => window.removeEventListener('beforeunload', askToStay)
    if (isKept) stopAsking()
    // Files that were handed on would be lost as well.
    else whenLeft(() => void whenBack(kept.id).then(stopAsking))
  }
  return {
    analyser,
    pause: () => say({ kind: 'paused' }),
    resume: () => say({ kind: 'resumed' }),
    sizeBytes: () => pieces.reduce((sum, { piece }) => sum + piece.size, 0),
    goOn: async () => {
      say({ kind: 'asked again' })
      wake()
      try {
        const next = await microphone()
        const session = live.session()
        if (session.kind !== 'running') return letGo(next)
        const { deaf } = session
        plug(next)
        if (deaf?.why === 'stopped') openRecorder()
        say({ kind: 'hears', over: everyDeafness })
        sayIfMuted()
      } catch (error) {
        say({ kind: 'not given', lack: lackIn(error) })
      }
    },
    stop: async () => {
      await close()
      const seconds = endedAtMs / 1000
      const files = await filesOf(row, pieces, seconds)
      tell({ kind: 'done', files, seconds, levels, isKept })
    },
    throwAway: async () => {
      try {
        await close()
        await forget(kept.id)
      } catch (error) {
        // Of what was never kept whole, the panel offers what lies there all the same.
        if (isKept) throw error
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

const trackOf = (stream: MediaStream) => stream.getAudioTracks()[0]

function letGo(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
