import { Mic, Pause, Play, Square } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useBeforeUnload } from 'react-router'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { formatBytes, formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { takeFocus } from '../take-focus.ts'
import { type Recorder, type Trouble, startRecorder, troubleOf } from './recorder.ts'
import { forget } from './shelf.ts'

type State =
  | { kind: 'ready' }
  | { kind: 'asking' }
  | { kind: 'trouble'; trouble: Trouble }
  | { kind: 'recording'; recorder: Recorder; isPaused: boolean }
  | { kind: 'done'; file: File; id: string; url: string }

const troubleWords: Record<Trouble, string> = {
  denied:
    'The browser does not let this page use the microphone. Allow it beside the address of the page, then try again.',
  'no-device': 'No microphone was found. Plug one in, then try again.',
  'not-supported': 'This browser cannot record. A recording of another app can be uploaded.',
  failed: 'The microphone could not be opened. Another app may be using it.',
}

/** Recording from the microphone, in the place of the drop area. */
export function RecordPanel({
  userId,
  onFile,
  onClose,
}: {
  userId: string
  /** Takes what was recorded as a chosen file; `forget` is called once the server has it. */
  onFile: (file: File) => void
  onClose: () => void
}) {
  const [state, setState] = useState<State>({ kind: 'ready' })
  const latest = useRef<State>(state)
  useEffect(() => {
    latest.current = state
  }, [state])
  useEffect(
    () => () => {
      const now = latest.current
      // What is recorded stays on the shelf and is offered again.
      if (now.kind === 'recording') void now.recorder.stop()
      if (now.kind === 'done') URL.revokeObjectURL(now.url)
    },
    [],
  )
  useBeforeUnload((event) => {
    if (state.kind === 'recording') event.preventDefault()
  })
  const stop = async (recorder: Recorder) => {
    const file = await recorder.stop()
    setState({ kind: 'done', file, id: recorder.recording.id, url: URL.createObjectURL(file) })
  }
  const start = async () => {
    setState({ kind: 'asking' })
    try {
      const recorder = await startRecorder({
        userId,
        onEnded: () => {
          if (latest.current.kind === 'recording') void stop(latest.current.recorder)
        },
      })
      setState({ kind: 'recording', recorder, isPaused: false })
    } catch (error) {
      setState({ kind: 'trouble', trouble: troubleOf(error) })
    }
  }
  return (
    <section
      aria-labelledby="record-heading"
      className="rounded-panel border border-rule bg-card p-4 sm:p-8 lg:min-h-[28rem]"
    >
      <h2
        ref={takeFocus}
        id="record-heading"
        tabIndex={-1}
        className="font-display text-section font-semibold outline-none lg:text-[1.75rem]!"
      >
        Record with the microphone
      </h2>
      <p className="mt-2 text-ink-2">Make sure everyone knows they are being recorded.</p>
      <Body state={state} setState={setState} {...{ start, stop, onFile, onClose }} />
    </section>
  )
}

function Body({
  state,
  setState,
  start,
  stop,
  onFile,
  onClose,
}: {
  state: State
  setState: (state: State) => void
  start: () => Promise<void>
  stop: (recorder: Recorder) => Promise<void>
  onFile: (file: File) => void
  onClose: () => void
}) {
  switch (state.kind) {
    case 'ready':
    case 'asking':
    case 'trouble':
      return (
        <>
          {state.kind === 'trouble' ? (
            <InlineError className="mt-5">{troubleWords[state.trouble]}</InlineError>
          ) : null}
          {state.kind === 'asking' ? (
            <p role="status" className="mt-5 text-small text-ink-2">
              The browser asks for the microphone. Please allow it.
            </p>
          ) : null}
          <div className="mt-6 flex flex-wrap gap-3">
            <Button
              variant="primary"
              pending={state.kind === 'asking'}
              icon={<Mic />}
              onClick={() => void start()}
            >
              Start recording
            </Button>
            <Button onClick={onClose}>Upload a file instead</Button>
          </div>
        </>
      )
    case 'recording':
      return (
        <Running
          recorder={state.recorder}
          isPaused={state.isPaused}
          onPause={(isPaused) => {
            if (isPaused) state.recorder.pause()
            else state.recorder.resume()
            setState({ ...state, isPaused })
          }}
          onStop={() => void stop(state.recorder)}
          onDiscard={() => {
            void state.recorder.discard()
            onClose()
          }}
        />
      )
    case 'done':
      return (
        <>
          <p className="mt-6 font-[650] wrap-anywhere">{state.file.name}</p>
          <p className="text-small text-ink-2 tabular-nums">{formatBytes(state.file.size)}</p>
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- a recording that nobody has transcribed yet */}
          <audio controls src={state.url} aria-label="What was recorded" className="mt-4 w-full" />
          <div className="mt-6 flex flex-wrap gap-3">
            <Button variant="primary" onClick={() => onFile(state.file)}>
              Use this recording
            </Button>
            <Button
              onClick={() => {
                void forget(state.id)
                setState({ kind: 'ready' })
              }}
            >
              Record again
            </Button>
          </div>
        </>
      )
  }
}

function Running({
  recorder,
  isPaused,
  onPause,
  onStop,
  onDiscard,
}: {
  recorder: Recorder
  isPaused: boolean
  onPause: (isPaused: boolean) => void
  onStop: () => void
  onDiscard: () => void
}) {
  const [now, setNow] = useState({ seconds: 0, bytes: 0 })
  useEffect(() => {
    const timer = setInterval(
      () => setNow({ seconds: recorder.elapsed() / 1000, bytes: recorder.size() }),
      500,
    )
    return () => clearInterval(timer)
  }, [recorder])
  const isNearLimit = now.bytes > MAX_UPLOAD_BYTES * 0.9
  return (
    <>
      <div className="mt-6 flex items-center gap-4">
        <p role="status" className="flex items-center gap-2.5 font-[650]">
          <span
            aria-hidden="true"
            className={
              isPaused
                ? 'size-3 rounded-full bg-line'
                : 'size-3 animate-breathe rounded-full bg-playhead'
            }
          />
          {isPaused ? 'Paused' : 'Recording'}
        </p>
        <p className="font-mono text-lead tabular-nums">{formatTime(now.seconds)}</p>
        <p className="ml-auto text-small text-ink-2 tabular-nums">
          {formatBytes(now.bytes)} of 100 MB
        </p>
      </div>
      <LiveWave analyser={recorder.analyser} isPaused={isPaused} />
      {isNearLimit ? (
        <InlineError tone="warn" className="mt-3">
          The limit of 100 MB is near. Stop, and record the rest as a second file.
        </InlineError>
      ) : null}
      <p className="mt-3 text-small text-ink-2">
        Kept in this browser every five seconds: a crash does not lose it.
      </p>
      <div className="mt-6 flex flex-wrap gap-3 max-sm:*:flex-1 max-sm:*:last:basis-full">
        <Button variant="primary" icon={<Square />} onClick={onStop}>
          Stop
        </Button>
        <Button icon={isPaused ? <Play /> : <Pause />} onClick={() => onPause(!isPaused)}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Button variant="quiet" onClick={onDiscard}>
          Throw away
        </Button>
      </div>
    </>
  )
}

const BARS = 80

/** What the microphone hears: the newest at the right, drawn without React. */
function LiveWave({ analyser, isPaused }: { analyser: AnalyserNode; isPaused: boolean }) {
  const wave = useRef<SVGSVGElement>(null)
  useEffect(() => {
    if (isPaused) return
    const samples = new Uint8Array(analyser.fftSize)
    const heights: number[] = Array.from({ length: BARS }, () => 0)
    const timer = setInterval(() => {
      analyser.getByteTimeDomainData(samples)
      heights.shift()
      heights.push(Math.max(...samples.map((sample) => Math.abs(sample - 128))) / 128)
      for (const [index, bar] of [...(wave.current?.children ?? [])].entries()) {
        const tall = Math.max(3, (heights[index] ?? 0) * 72)
        bar.setAttribute('height', String(tall))
        bar.setAttribute('y', String(40 - tall / 2))
      }
    }, 80)
    return () => clearInterval(timer)
  }, [analyser, isPaused])
  return (
    <svg ref={wave} width="100%" height="80" aria-hidden="true" className="keeps-colour mt-4 block">
      {Array.from({ length: BARS }, (_, index) => (
        <rect
          key={index} // oxlint-disable-line react/no-array-index-key -- bars have no identity but their place
          x={`${((index + 0.5) / BARS) * 100}%`}
          y="38.5"
          width="3.5"
          height="3"
          rx="1.75"
          className="fill-ink"
        />
      ))}
    </svg>
  )
}
