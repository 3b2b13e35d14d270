/**
 * The text of a running job, with the player of its recording, and of one that has just broken. It
 * grows at its end; the turns between the first and the last are folded until somebody wants to see them.
 */
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'

import { getMedia } from '#features/recordings/calls.ts'
import { PlayerBar } from '#features/result/ui/player/player-bar.tsx'
import { usePlayer } from '#features/result/ui/player/use-player.ts'
import { playedOf } from '#features/result/ui/sound.ts'
import { rowClasses } from '#features/result/ui/reading/turn-row.tsx'
import { speakerLabel } from '#features/speech/contract.ts'
import { peaksQuery } from '#features/text/ui/words-query.ts'
import { canPlay } from '#features/transcriptions/status.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { type Read, type ReadTurn, isBeingWritten } from '#features/transcriptions/ui/so-far.ts'
import { FAILED_TEXT_HOURS, MOST_UNPAID_CREDITS } from '#shared/business.ts'
import { addressOf } from '#shared/call.ts'
import { formatTime } from '#shared/format.ts'
import { copyToClipboard } from '#web/clipboard.ts'
import type { Player } from '#web/player.ts'
import { classes } from '#web/ui/classes.ts'
import { SpeakerBadge } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

const FIRST = 4
/** As many as in a finished text that is laid out in parts. */
const LONG = 80

export function LiveText({ job, read }: { job: Job; read: Read }) {
  const { turns, isToldApart, isHeldBack } = read
  const player = usePlayer(
    canPlay(job) ? addressOf(getMedia, { params: { id: job.id } }) : null,
    playedOf(job),
  )
  return (
    <section aria-labelledby="so-far-heading" className="mt-8 sm:mt-9">
      <div className="items-baseline justify-between gap-x-6 sm:flex sm:flex-wrap">
        <h2 id="so-far-heading" className="font-display text-section font-semibold">
          {turns.length > 0 ? 'What is there already' : 'Nothing to read yet'}
        </h2>
        {turns.length > 0 ? (
          <p className="text-small text-ink-2">
            Read up to <Timecode s={read.readTo} className="text-fine!" />. Names and words may
            still change.
            {isToldApart ? null : ' Who speaks is not told apart yet.'}
          </p>
        ) : null}
      </div>
      <Turns read={read} player={player} goesOn={isBeingWritten(job.status) && !isHeldBack} />
      {player ? <LivePlayer job={job} turns={turns} player={player} /> : null}
    </section>
  )
}

/** What a job had read when it broke. It can be read and copied; it is no result. */
export function TextBeforeFailure({ read }: { read: Read }) {
  return (
    <section aria-labelledby="so-far-heading" className="mt-8 sm:mt-9">
      <h2 id="so-far-heading" className="font-display text-section font-semibold">
        What was read before it failed
      </h2>
      <p className="text-small text-ink-2">
        Up to <Timecode s={read.readTo} className="text-fine!" />, kept here for {FAILED_TEXT_HOURS}{' '}
        hours.
        <button
          type="button"
          className="min-h-6 px-1 text-link pointer-coarse:-my-2.5 pointer-coarse:min-h-11"
          onClick={() =>
            void copyToClipboard(copied(read.turns)).then(
              () => toast({ title: 'Copied to clipboard' }),
              () => toast({ title: 'It could not be copied.', variant: 'destructive' }),
            )
          }
        >
          Copy
        </button>
      </p>
      <Turns read={read} player={null} goesOn={false} />
    </section>
  )
}

const copied = (turns: readonly ReadTurn[]): string =>
  turns
    .map(({ speaker, text }) => (speaker === null ? text : `${speakerLabel(speaker)}: ${text}`))
    .join('\n\n')

function Turns({
  read: { turns, isHeldBack },
  player,
  goesOn,
}: {
  read: Read
  player: Player | null
  /** The last one is being written. */
  goesOn: boolean
}) {
  const [isUnfolded, setUnfolded] = useState(false)
  const last = turns.length > FIRST ? turns.at(-1) : undefined
  const folded = turns.slice(FIRST, -1)
  const rowOf = (turn: ReadTurn) => (
    <Row key={turn.start} turn={turn} player={player} goesOn={goesOn && turn === turns.at(-1)} />
  )
  return (
    <div aria-live="off" className="py-3">
      <ol>{turns.slice(0, FIRST).map(rowOf)}</ol>
      {folded.length > 0 ? (
        <p className="py-3.5 text-small text-ink-2 lg:pl-[228px]">
          … {folded.length} more {folded.length === 1 ? 'turn' : 'turns'}, up to{' '}
          <Timecode s={last?.start ?? 0} className="text-fine!" />
          <button
            type="button"
            aria-expanded={isUnfolded}
            className="-my-2.5 ml-2 min-h-11 px-1 text-link"
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {isUnfolded ? 'Show fewer' : 'Show them all'}
          </button>
        </p>
      ) : null}
      {isUnfolded ? (
        // There may be thousands: then those out of sight are not laid out.
        <ol
          className={
            folded.length > LONG
              ? '*:[contain-intrinsic-size:auto_88px] *:[content-visibility:auto]'
              : undefined
          }
        >
          {folded.map(rowOf)}
        </ol>
      ) : null}
      {last ? <ol>{rowOf(last)}</ol> : null}
      {isHeldBack ? (
        <p
          className={classes(
            'max-w-[66ch] text-small text-ink-2',
            turns.length > 0 && 'py-3.5 lg:max-w-[calc(66ch+228px)] lg:pl-[228px]',
          )}
        >
          {turns.length > 0 ? 'The rest' : 'The text'} comes with the finished transcription. A file
          is paid for when it is finished; of files that are not, you can read {MOST_UNPAID_CREDITS}{' '}
          credits’ worth of text a week.
        </p>
      ) : null}
    </div>
  )
}

const Row = memo(function Row({
  turn: { start, speaker, text },
  player,
  goesOn,
}: {
  turn: ReadTurn
  player: Player | null
  /** It is being written. */
  goesOn: boolean
}) {
  const at = formatTime(start)
  const timeClasses =
    '-my-1 -ml-1 inline-flex min-h-6 items-center rounded-control px-1 font-mono text-code text-ink-3 tabular-nums max-lg:order-last max-lg:-mr-1 max-lg:ml-auto lg:my-0 lg:h-[30px] lg:w-fit'
  return (
    <li data-live-turn={start} className={rowClasses(true)}>
      <div className="flex items-start gap-x-3 lg:contents">
        {player ? (
          <button
            type="button"
            aria-label={`Play from ${at}`}
            onClick={() => player.playFrom(start)}
            className={classes(timeClasses, 'hover:bg-paper-2')}
          >
            {at}
          </button>
        ) : (
          <span className={timeClasses}>{at}</span>
        )}
        {/* The name has its place before it is known, so that it moves nothing when it comes. */}
        {speaker === null ? (
          <span className="inline-flex items-center gap-2 self-start text-ui text-ink-2 lg:py-1">
            <span
              aria-hidden="true"
              className="size-[22px] rounded-badge border border-dashed border-line"
            />
            Speaker
          </span>
        ) : (
          <SpeakerBadge
            speaker={speaker}
            name={speakerLabel(speaker)}
            className="self-start lg:py-1"
          />
        )}
      </div>
      <p className="text-turn" dir="auto">
        {text}
        {goesOn ? (
          <span className="whitespace-nowrap">
            <span
              aria-hidden="true"
              className="mx-1.5 inline-block h-4 w-[2.5px] animate-breathe rounded-full bg-playhead align-[-2px]"
            />
            <span className="text-small text-ink-2">still being written</span>
          </span>
        ) : null}
      </p>
    </li>
  )
})

function LivePlayer({
  job,
  turns,
  player,
}: {
  job: Job
  turns: readonly ReadTurn[]
  player: Player
}) {
  const { data } = useQuery(peaksQuery(job.id))
  const stretches = useMemo(
    () =>
      turns.map(({ start, end, speaker }) => ({
        start,
        end,
        lane: speaker,
        speaker: speaker === null ? '' : speakerLabel(speaker),
      })),
    [turns],
  )
  return (
    <PlayerBar
      player={player}
      duration={job.duration}
      peaks={data?.peaks ?? []}
      stretches={stretches}
      transcriptionId={job.id}
      onShortcuts={null}
    />
  )
}
