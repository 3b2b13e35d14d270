import { classes } from '#web/ui/classes.ts'
import { SpeakerBadge } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { SpeakerSegment } from '../../contract.ts'
import { speakerIndex } from '../segments.ts'

/** Who says something: badge and name, or the plain words where voices were not told apart. */
export function SpeakerName({ speaker, className }: { speaker: string; className?: string }) {
  const index = speakerIndex(speaker)
  if (index === null)
    return <span className={classes('text-ui text-ink-2', className)}>{speaker}</span>
  return <SpeakerBadge speaker={index} name={speaker} {...(className ? { className } : {})} />
}

/** From so many turns on, what is out of sight is laid out when it comes into sight. */
const LONG = 150

/** The text as a conversation: one stretch of one speaker after the other. */
export function TurnList({
  segments,
  language,
  at,
}: {
  segments: SpeakerSegment[]
  language: string | null
  /** The turn that a link leads to. */
  at: SpeakerSegment | undefined
}) {
  const isLong = segments.length > LONG
  const isToldApart = segments.some(({ speaker }) => speakerIndex(speaker) !== null)
  return (
    <ol className="py-3">
      {segments.map((segment, index) => (
        <li
          key={index} // oxlint-disable-line react/no-array-index-key -- turns have no identity but their place
          ref={segment === at ? showTurn : undefined}
          className={classes(
            '-mx-4 gap-x-5 px-4 py-3.5 sm:rounded-[8px]',
            isLong && '[contain-intrinsic-size:auto_88px] [content-visibility:auto]',
            isToldApart
              ? 'lg:grid lg:grid-cols-[156px_minmax(0,66ch)]'
              : 'lg:grid lg:grid-cols-[64px_minmax(0,66ch)]',
            segment === at && 'bg-paper-2',
          )}
        >
          <p className="mb-1 flex items-center gap-x-3 lg:mb-0 lg:block lg:pt-0.5">
            {isToldApart ? <SpeakerName speaker={segment.speaker} /> : null}
            <Timecode
              s={segment.start}
              className={classes(
                'text-fine! text-ink-3 lg:block',
                isToldApart && 'lg:mt-1 lg:pl-[30px]',
              )}
            />
          </p>
          <p className="text-reading" dir="auto" lang={language ?? undefined}>
            {segment.text}
          </p>
        </li>
      ))}
    </ol>
  )
}

function showTurn(turn: HTMLElement | null): void {
  turn?.scrollIntoView({ block: 'center' })
}
