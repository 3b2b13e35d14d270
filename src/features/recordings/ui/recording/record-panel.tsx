import { Mic, Pause, Play, Square } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'

import { BRAND, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { titleOf } from '#shared/file-names.ts'
import { formatBytes, formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { toastFailure } from '#web/ui/toast.tsx'

import { takeFocus } from '../take-focus.ts'
import { live, useSession } from './live.ts'
import { lackOfPage, recorder, startRecording } from './recorder.ts'
import { RecoverNote } from './recover-note.tsx'
import { forget } from './shelf.ts'
import { SoundPlayer } from './sound-player.tsx'
import { type KeptRecording, type Running, type Session } from './state.ts'
import { handOn } from './tabs.ts'
import { recordedNow, tell } from './tell.ts'
import { ThrowAway } from './throw-away.tsx'
import { useEvery } from './use-every.ts'
import {
  gapWords,
  lackWords,
  lengthAndPrice,
  notThrown,
  otherWords,
  recordingTitle,
  roomLeft,
  troubleOf,
  unkeptWords,
  unsavedWords,
} from './words.ts'

/**
 * Recording from the microphone, in the place of the drop area. It shows what is being recorded, which
 * goes on while it is not shown.
 */
export function RecordPanel({
  userId,
  onFiles,
  onAgain,
  onClose,
}: {
  userId: string
  /** Takes what was recorded as a chosen file; as several where it could not be joined. */
  onFiles: (files: File[]) => void
  /** Another recording is to be made. The panel may be here only for the one that there was. */
  onAgain: () => void
  onClose: () => void
}) {
  const session = useSession()
  useEffect(() => {
    const hide = live.show()
    return () => {
      hide()
      forgetRefusal()
    }
  }, [])
  const take = (files: readonly File[]) => {
    if (session.kind === 'done') handOn(session.recording.id)
    tell({ kind: 'left' })
    onFiles([...files])
  }
  // What is on this page alone, or in several files, is told first.
  const whole =
    session.kind === 'done' && session.isKept && session.files.length === 1 ? session.files : null
  const takeWhole = useEffectEvent((files: readonly File[]) => take(files))
  useEffect(() => {
    if (whole) takeWhole(whole)
  }, [whole])
  const again = () => {
    tell({ kind: 'left' })
    onAgain()
  }
  const close = () => {
    tell({ kind: 'left' })
    onClose()
  }
  return (
    <section
      aria-labelledby="record-heading"
      className="rounded-panel border border-rule bg-card p-4 sm:p-8 lg:min-h-[270px]"
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
      {session.kind === 'running' ? (
        <Now running={session} onClose={close} />
      ) : session.kind === 'closing' || whole ? (
        <p role="status" className="mt-6 text-ink-2">
          Putting the recording away…
        </p>
      ) : session.kind === 'done' ? (
        <Done done={session} onFiles={take} onAgain={again} onClose={close} />
      ) : (
        <Ready session={session} userId={userId} onFiles={take} onClose={close} />
      )}
    </section>
  )
}

/** A user who comes back later is asked for the microphone anew. */
function forgetRefusal(): void {
  if (live.session().kind === 'refused') tell({ kind: 'left' })
}

function Ready({
  session,
  userId,
  onFiles,
  onClose,
}: {
  session: Extract<Session, { kind: 'idle' | 'asking' | 'refused' }>
  userId: string
  onFiles: (files: readonly File[]) => void
  onClose: () => void
}) {
  const lackOfThis = lackOfPage()
  const lack = lackOfThis ?? (session.kind === 'refused' ? session.lack : null)
  return (
    <>
      {lack ? <InlineError className="mt-5">{lackWords[lack]}</InlineError> : null}
      {session.kind === 'asking' ? (
        <p role="status" className="mt-5 text-small text-ink-2">
          The browser asks for the microphone. Please allow it.
        </p>
      ) : null}
      <div className="mt-6 flex flex-wrap gap-3">
        {lackOfThis ? null : (
          <Button
            variant="primary"
            pending={session.kind === 'asking'}
            icon={<Mic />}
            onClick={() => void startRecording({ userId })}
          >
            Start recording
          </Button>
        )}
        <Button onClick={onClose}>Upload a file instead</Button>
      </div>
      <div className="mt-6 empty:hidden">
        {/* Recordings that were made before and not sent, also those that "Record again" left. */}
        {session.kind === 'asking' ? null : <RecoverNote userId={userId} onFiles={onFiles} />}
      </div>
    </>
  )
}

function Now({ running, onClose }: { running: Running; onClose: () => void }) {
  useEvery(500)
  const { recording, isPaused, deaf } = running
  const controls = recorder()
  if (!controls) return null
  const seconds = recordedNow(running) / 1000
  const length = formatTime(seconds)
  const bytes = controls.sizeBytes()
  const isHeard = !isPaused && !deaf
  return (
    <>
      <div className="mt-6 flex items-center gap-4">
        <p role="status" className="flex items-center gap-2.5 font-[650]">
          <span
            aria-hidden="true"
            className={
              isHeard
                ? 'size-3 animate-breathe rounded-full bg-playhead'
                : 'size-3 rounded-full bg-line'
            }
          />
          {stateOf(running)}
        </p>
        <p className="font-mono text-lead tabular-nums">{length}</p>
        <p className="ml-auto text-small text-ink-2 tabular-nums">{roomLeft(bytes, seconds)}</p>
      </div>
      {/* It stands still where nothing of what is heard is recorded. */}
      <LiveWave analyser={controls.analyser} isPaused={running.sinceMs === null} />
      <div className="mt-6 flex flex-wrap gap-3 max-sm:*:flex-1 max-sm:*:last:basis-full">
        <Button variant="primary" icon={<Square />} onClick={() => void controls.stop()}>
          Stop
        </Button>
        <Button
          icon={isPaused ? <Play /> : <Pause />}
          onClick={isPaused ? controls.resume : controls.pause}
        >
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <ThrowAway
          variant="quiet"
          title={recordingTitle(recording.startedAt)}
          length={length}
          onThrow={() =>
            controls
              .throwAway()
              // This part of the panel has gone with the recording.
              .catch(() => toastFailure('Recording Not Deleted', notThrown))
              .then(onClose)
          }
        />
      </div>
      {/* Below the buttons, one of which may be under a finger, and in the place of the hints. */}
      <Troubles running={running} onGoOn={() => void controls.goOn()} />
      {bytes > MAX_UPLOAD_BYTES * 0.9 ? (
        <InlineError tone="warn" className="mt-3">
          The limit of 100 MB is near. Stop, and record the rest as a second file.
        </InlineError>
      ) : null}
      <div className="mt-4 space-y-1 text-small text-ink-2">
        {running.unsaved || deaf ? null : (
          <p>Kept in this browser every five seconds: a crash does not lose it.</p>
        )}
        {deaf ? null : (
          <p>
            It goes on while you use {BRAND}.
            {running.keepsScreenOn
              ? null
              : ' Keep the screen on: this browser may stop recording when it goes dark.'}
          </p>
        )}
        <Gaps recording={recording} />
      </div>
    </>
  )
}

/** The state of the device itself, which may differ from what it was asked to do. */
function stateOf({ isPaused, deaf }: Running): string {
  if (deaf) return troubleOf(deaf).short
  return isPaused ? 'Paused' : 'Recording'
}

function Troubles({ running, onGoOn }: { running: Running; onGoOn: () => void }) {
  const { deaf, again, unsaved, others } = running
  const trouble = deaf ? troubleOf(deaf) : null
  return (
    <>
      {trouble ? (
        <InlineError
          tone={deaf?.why === 'quiet' ? 'warn' : 'danger'}
          className="mt-3"
          action={
            <Button size="small" icon={<Mic />} pending={again === 'asking'} onClick={onGoOn}>
              {trouble.act}
            </Button>
          }
        >
          <p>{trouble.what}</p>
          <p className="font-normal text-ink">{trouble.meanwhile}</p>
          {again === 'no' || again === 'asking' ? null : <p>{lackWords[again]}</p>}
        </InlineError>
      ) : null}
      {unsaved ? (
        <InlineError tone="warn" className="mt-3">
          {unsavedWords(unsaved)}
        </InlineError>
      ) : null}
      {others.map(({ id, since }) => (
        <InlineError key={id} tone="warn" className="mt-3">
          {otherWords(since)}
        </InlineError>
      ))}
    </>
  )
}

function Done({
  done: { recording, files, seconds, levels, isKept },
  onFiles,
  onAgain,
  onClose,
}: {
  done: Extract<Session, { kind: 'done' }>
  onFiles: (files: readonly File[]) => void
  onAgain: () => void
  onClose: () => void
}) {
  const [file] = files
  const sizeBytes = files.reduce((sum, { size }) => sum + size, 0)
  const title = recordingTitle(recording.startedAt)
  return (
    <>
      <p className="mt-6 text-lead font-[650] wrap-anywhere">{title}</p>
      <p className="text-small text-ink-2 tabular-nums">
        {lengthAndPrice(seconds)} · {formatBytes(sizeBytes)}
      </p>
      <div className="mt-1 text-small text-ink-2">
        <Gaps recording={recording} />
      </div>
      {file && files.length === 1 ? (
        <SoundPlayer file={file} seconds={seconds} levels={levels} />
      ) : (
        <InlineError tone="warn" className="mt-4">
          The stretches of this recording could not be joined here. They can be sent as{' '}
          {files.length} files: {files.map(({ name }) => titleOf(name)).join('; ')}.
        </InlineError>
      )}
      <div className="mt-6 flex flex-wrap gap-3 max-sm:*:first:basis-full max-sm:*:flex-1">
        <Button variant="primary" onClick={() => onFiles(files)}>
          Use this recording
        </Button>
        {isKept ? (
          <>
            <Button onClick={() => void startRecording({ recording })}>Go on recording</Button>
            <Button onClick={onAgain}>Record again</Button>
          </>
        ) : null}
        <ThrowAway
          variant="quiet"
          title={title}
          length={formatTime(seconds)}
          onThrow={async () => {
            await forget(recording.id).catch((error: unknown) => {
              // Of what was never kept whole, the next panel offers what lies there all the same.
              if (isKept) throw error
            })
            onClose()
          }}
        />
      </div>
      {isKept ? (
        <p className="mt-3 text-small text-ink-2">
          Kept in this browser until you send it or throw it away, also when you record again.
        </p>
      ) : (
        <InlineError tone="warn" className="mt-4">
          {unkeptWords}
        </InlineError>
      )}
    </>
  )
}

function Gaps({ recording }: { recording: KeptRecording }) {
  return recording.gaps?.map((gap) => <p key={gap.placeMs}>{gapWords(gap)}</p>)
}

const BARS = 80

/** The sound that the microphone hears: the newest at the right, drawn without React. */
function LiveWave({ analyser, isPaused }: { analyser: AnalyserNode; isPaused: boolean }) {
  const wave = useRef<SVGSVGElement>(null)
  useEffect(() => {
    if (isPaused) return
    const samples = new Uint8Array(analyser.fftSize)
    const heights: number[] = Array.from({ length: BARS }, () => 0)
    const timer = setInterval(() => {
      analyser.getByteTimeDomainData(samples)
      heights.shift()
      heights.push(
        samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0) / 128,
      )
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
