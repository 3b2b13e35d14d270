import { Pencil, Play } from 'lucide-react'
import { useEffect, useRef } from 'react'

import { AgainPanel } from '#features/again/ui/again-panel.tsx'
import { namesIn } from '#features/again/ui/again-words.ts'
import { TellApart } from '#features/again/ui/tell-apart.tsx'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { type Voice, ticksFor } from '#features/transcriptions/ui/spoken.ts'
import { dirOf } from '#shared/direction.ts'
import { formatTime } from '#shared/format.ts'
import type { Player } from '#web/player.ts'
import { IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { SpeakerName, speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { WithBars, useVeil } from '#web/ui/with-bars.tsx'

import type { Result } from './result.ts'

/** With more rows than this, rows are laid out only when they come into sight. */
const LONG = 80

/** Who spoke when: a lane for each voice, then every segment as a list. */
export function SpeakersTab({ result }: { result: Result }) {
  const { text, sound, view } = result
  const { transcription, words, voices, edits, carried } = text
  const { player } = sound
  const { only, setOnly } = view
  const { duration, language } = transcription
  const { turns, speakers } = words
  if (speakers.length === 0 || turns.length === 0)
    return (
      <>
        <EmptyPad className="mt-6" text="No speaker timeline for this file." />
        {turns.length > 0 ? (
          <TellApart transcription={transcription} found={speakers.length} />
        ) : null}
      </>
    )
  const length = Math.max(duration, turns.at(-1)?.end ?? 0, 1)
  const shown = only === null ? turns : turns.filter(({ speaker }) => speaker === only)
  return (
    <>
      {carried.isShown && carried.carried && edits && namesIn(carried.carried).length > 0 ? (
        <AgainPanel
          id={transcription.id}
          shown={{ ...text, player }}
          decide={edits.decide}
          carried={carried.carried}
          keptUntil={carried.keptUntil}
          onClose={carried.close}
        />
      ) : null}
      <section aria-labelledby="who-spoke-when" className="pt-6">
        <div className="mb-4 flex flex-wrap items-baseline gap-x-3">
          <h2 id="who-spoke-when" className="font-display text-section font-semibold">
            Who spoke when
          </h2>
          {edits ? (
            <p className="text-small text-ink-2">
              Name a voice once and it is named everywhere in this recording.
            </p>
          ) : null}
        </div>
        <div className="relative">
          <ul className="border-t border-rule">
            {voices.map((voice) => (
              <Lane key={voice.speaker} voice={voice} length={length} result={result} />
            ))}
          </ul>
          {player ? <LanesPlayhead player={player} length={length} /> : null}
        </div>
        <TimeAxis length={length} />
        <TellApart transcription={transcription} found={speakers.length} />
      </section>
      <section aria-labelledby="segments" className="pt-10 pb-8">
        <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
          <h2 id="segments" className="font-display text-h3 font-semibold">
            Segments
          </h2>
          {voices.length > 1 ? (
            <fieldset className="flex flex-wrap gap-2">
              <legend className="sr-only">Whose segments are shown</legend>
              <Chip isOn={only === null} onPress={() => setOnly(null)}>
                All
              </Chip>
              {voices
                .filter(({ speaker }) => speaker !== null)
                .map(({ speaker, name }) => (
                  <Chip
                    key={speaker}
                    isOn={only === speaker}
                    onPress={() => setOnly(only === speaker ? null : speaker)}
                  >
                    <WithBars isPlain text={name} />
                  </Chip>
                ))}
            </fieldset>
          ) : null}
        </div>
        <ol className="border-t border-rule">
          {shown.map((turn) => (
            <li
              key={turn.id}
              className={classes(
                'gap-x-6 border-b border-rule py-3.5 roomy:grid',
                player
                  ? 'roomy:grid-cols-[32px_116px_168px_minmax(0,66ch)]'
                  : 'roomy:grid-cols-[132px_168px_minmax(0,66ch)]',
                turns.length > LONG &&
                  '[contain-intrinsic-size:auto_64px] [content-visibility:auto]',
              )}
            >
              <div className="mb-1 flex flex-wrap items-center gap-x-3 roomy:contents">
                {player ? (
                  <button
                    type="button"
                    aria-label={`Play ${formatTime(turn.start)}`}
                    onClick={() => player.playFrom(turn.start, turn.end)}
                    className="grid size-8 place-items-center rounded-full text-ink-2 hover:bg-paper-2 hover:text-ink pointer-coarse:size-11"
                  >
                    <Play
                      aria-hidden="true"
                      size={14}
                      fill="currentColor"
                      strokeWidth={0}
                      className="ml-0.5"
                    />
                  </button>
                ) : null}
                <span className="font-mono text-fine text-ink-2 tabular-nums order-2 roomy:order-none roomy:pt-1">
                  <Timecode s={turn.start} className="text-fine!" />–
                  <Timecode s={turn.end} className="text-fine!" />
                </span>
                <span className="roomy:pt-0.5">
                  <SpeakerName speaker={turn.speaker} name={nameOf(turn.speaker, speakers)} />
                </span>
              </div>
              <p
                className="text-reading"
                dir={dirOf(turn.text, language)}
                lang={language ?? undefined}
              >
                <WithBars text={turn.text} />
              </p>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

function Chip({
  isOn,
  onPress,
  children,
}: {
  isOn: boolean
  onPress: () => void
  children: React.ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className="min-h-9 rounded-control border border-line px-3 text-small font-semibold hover:bg-paper-2 aria-pressed:border-ink aria-pressed:bg-paper-2 pointer-coarse:min-h-11"
    >
      {children}
    </button>
  )
}

function Lane({
  voice: { speaker, name, seconds, share, turns },
  length,
  result: {
    text: { edits },
    view,
  },
}: {
  voice: Voice
  length: number
  result: Result
}) {
  const pencil = useRef<HTMLButtonElement>(null)
  const { say } = useVeil()
  return (
    <li
      {...(speaker === null ? {} : speakerColours(speaker))}
      className="gap-x-6 border-b border-rule py-2.5 lg:grid lg:min-h-[53px] lg:grid-cols-[248px_minmax(0,1fr)] lg:items-center lg:py-1"
    >
      <div className="mb-1 flex items-center gap-1 lg:mb-0">
        <SpeakerName speaker={speaker} name={name} />
        {edits && speaker !== null ? (
          <IconButton
            ref={pencil}
            label={`Rename ${say(name)}`}
            className="sm:size-8!"
            onClick={() =>
              view.open({ kind: 'name', naming: { speaker, turn: null } }, pencil.current)
            }
          >
            <Pencil className="size-4!" />
          </IconButton>
        ) : null}
        <span className="ml-auto text-small whitespace-nowrap text-ink-2 tabular-nums">
          <span className="sr-only">spoke for </span>
          <span className="font-mono text-fine">{formatTime(seconds)}</span> · {share}%
        </span>
      </div>
      <svg width="100%" height="20" aria-hidden="true" className="keeps-colour block">
        {turns.map(({ id, start, end }) => (
          <rect
            key={id}
            x={`${((start / length) * 100).toFixed(3)}%`}
            // A smallest width, or a short word would be invisible in a long recording.
            width={`${Math.max(0.15, ((end - start) / length) * 100).toFixed(3)}%`}
            height="20"
            rx="3"
            className={speaker === null ? 'fill-line' : 'fill-speaker-lane'}
          />
        ))}
      </svg>
    </li>
  )
}

/** The line through all lanes at the place that is being played. */
function LanesPlayhead({ player, length }: { player: Player; length: number }) {
  const head = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      player.onTick((seconds) => {
        if (head.current)
          head.current.style.transform = `translateX(${Math.min(1, seconds / length) * 100}%)`
      }),
    [player, length],
  )
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 right-0 left-0 -my-1.5 overflow-clip lg:left-[272px]"
    >
      <div ref={head} className="size-full">
        <div className="h-full w-[2.5px] rounded-full bg-playhead" />
      </div>
    </div>
  )
}

function TimeAxis({ length }: { length: number }) {
  const ticks = ticksFor(length)
  return (
    <div aria-hidden="true" className="gap-x-6 pt-2 lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
      <div className="relative h-5 font-mono text-code text-ink-2 tabular-nums lg:col-start-2">
        {ticks.map((tick, index) => {
          const at = tick / length
          return (
            <span
              key={tick}
              className={classes(
                'absolute',
                at > 0.95 ? '-translate-x-full' : index > 0 && '-translate-x-1/2',
                index % 2 === 1 && 'max-sm:hidden in-[.narrow]:hidden',
              )}
              style={{ left: `${at * 100}%` }}
            >
              {formatTime(tick)}
            </span>
          )
        })}
      </div>
    </div>
  )
}
