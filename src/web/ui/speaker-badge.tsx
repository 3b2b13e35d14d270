import { speakerLetters } from '#shared/speaker-letters.ts'
import { laneOf } from '#shared/wave.ts'

import { classes } from './classes.ts'
import { WithBars } from './with-bars.tsx'

/**
 * Number of a speaker (from 0) to its colours: `<p {...speakerColours(1)} className="text-speaker">`. Inside,
 * text-speaker, bg-speaker-tint, bg-/fill-/stroke-speaker-lane are this speaker's. A, B and C have
 * their own; from D on five badges repeat.
 */
export function speakerColours(speaker: number): { 'data-speaker': number } {
  return { 'data-speaker': laneOf(speaker) }
}

/**
 * A letter square and a name, so that no speaker is told by colour alone:
 * `<SpeakerBadge speaker={0} name="Ada Lovett" />`.
 */
export function SpeakerBadge({
  speaker,
  name,
  className,
}: {
  /** Number in order of first speech, from 0. */
  speaker: number
  /** Shown beside the letter; without it the letter stands alone and should be explained nearby. */
  name?: string
  className?: string
}) {
  return (
    <span
      {...speakerColours(speaker)}
      className={classes('inline-flex min-w-0 items-center gap-2 text-ui', className)}
    >
      <span
        aria-hidden={name ? true : undefined}
        className="keeps-colour grid size-[22px] shrink-0 place-items-center rounded-badge bg-speaker-tint text-[0.75rem] leading-none font-bold text-speaker"
      >
        {speakerLetters(speaker)}
      </span>
      {name ? (
        <span className="min-w-0 font-[650] wrap-anywhere text-speaker">
          <WithBars isPlain text={name} />
        </span>
      ) : null}
    </span>
  )
}

/** Badge and name, or the name alone where speakers were not told apart. */
export function SpeakerName({
  speaker,
  name,
  className,
}: {
  speaker: number | null
  name: string
  className?: string
}) {
  if (speaker === null)
    return (
      <span className={classes('text-ui text-ink-2', className)}>
        <WithBars isPlain text={name} />
      </span>
    )
  return <SpeakerBadge speaker={speaker} name={name} {...(className ? { className } : {})} />
}
