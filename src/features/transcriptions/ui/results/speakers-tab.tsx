import { formatTime } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'
import { SpeakerBadge, speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { Transcription } from '../../contract.ts'
import { speakerIndex, ticksFor } from '../segments.ts'
import type { SpeakerSegment, Voice } from '../segments.ts'
import { SpeakerName } from './turn-list.tsx'

/** Who spoke when: a lane for each voice, then every segment as a list. */
export function SpeakersTab({
  transcription: { speakers, duration, language },
  segments,
  voices,
}: {
  transcription: Transcription
  segments: SpeakerSegment[]
  voices: Voice[]
}) {
  if (speakers.length === 0 || segments.length === 0)
    return <p className="py-8 text-ink-2">No speaker timeline for this file.</p>
  const length = Math.max(duration, segments.at(-1)?.end ?? 0, 1)
  return (
    <>
      <section aria-labelledby="who-spoke-when" className="pt-8">
        <h2 id="who-spoke-when" className="mb-4 font-display text-section font-semibold">
          Who spoke when
        </h2>
        <ul className="border-t border-rule">
          {voices.map((voice) => (
            <Lane key={voice.speaker} voice={voice} length={length} />
          ))}
        </ul>
        <TimeAxis length={length} />
      </section>
      <section aria-labelledby="segments" className="pt-10 pb-8">
        <h2 id="segments" className="mb-4 font-display text-section font-semibold">
          Segments
        </h2>
        <ol className="border-t border-rule">
          {segments.map((segment, index) => (
            <li
              key={index} // oxlint-disable-line react/no-array-index-key -- segments have no identity but their place
              className="gap-x-6 border-b border-rule py-3.5 lg:grid lg:grid-cols-[132px_168px_minmax(0,66ch)]"
            >
              <div className="mb-1 flex flex-wrap items-center gap-x-3 lg:contents">
                <span className="order-2 font-mono text-fine text-ink-2 tabular-nums lg:order-none lg:pt-1">
                  <Timecode s={segment.start} className="text-fine!" />–
                  <Timecode s={segment.end} className="text-fine!" />
                </span>
                <span className="lg:pt-0.5">
                  <SpeakerName speaker={segment.speaker} />
                </span>
              </div>
              <p className="text-reading" dir="auto" lang={language ?? undefined}>
                {segment.text}
              </p>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}

function Lane({
  voice: { speaker, seconds, share, segments },
  length,
}: {
  voice: Voice
  length: number
}) {
  const index = speakerIndex(speaker)
  return (
    <li
      {...(index === null ? {} : speakerColours(index))}
      className="gap-x-6 border-b border-rule py-2.5 lg:grid lg:h-[53px] lg:grid-cols-[248px_minmax(0,1fr)] lg:items-center lg:py-0"
    >
      <p className="mb-2 flex items-center justify-between gap-3 lg:mb-0">
        {index === null ? (
          <span className="text-ui text-ink-2">{speaker}</span>
        ) : (
          <SpeakerBadge speaker={index} name={speaker} />
        )}
        <span className="text-small whitespace-nowrap text-ink-2 tabular-nums">
          <span className="sr-only">spoke for </span>
          <span className="font-mono text-fine">{formatTime(seconds)}</span> · {share}%
        </span>
      </p>
      <svg width="100%" height="20" aria-hidden="true" className="keeps-colour block">
        {segments.map(({ start, end }) => (
          <rect
            key={start}
            x={`${((start / length) * 100).toFixed(3)}%`}
            // Never thinner than a hair, or a short word would vanish in a long recording.
            width={`${Math.max(0.15, ((end - start) / length) * 100).toFixed(3)}%`}
            height="20"
            rx="3"
            className={index === null ? 'fill-line' : 'fill-speaker-lane'}
          />
        ))}
      </svg>
    </li>
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
                index % 2 === 1 && 'max-sm:hidden',
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
