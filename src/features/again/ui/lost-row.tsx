import { Play } from 'lucide-react'

import type { LostCorrection, Words } from '#features/text/contract.ts'
import { textAround } from '#features/text/ui/around.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { formatTime } from '#shared/format.ts'
import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { SpeakerName } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { QuestionRow, type RowProps } from './question-row.tsx'

/** The text as it is shown, and its player. */
export interface ShownText {
  words: Words
  places: readonly WordPlace[]
  player: Player | null
}

/** So much is played before and after the place, in seconds. */
const BEFORE_S = 1.5
const AFTER_S = 1

/** A correction that found no place in the new text, above what is read there now. */
export function LostRow({
  question: { speaker, start, end, mine, now, decision },
  shown: { words, places, player },
  ...row
}: RowProps & { question: LostCorrection; shown: ShownText }) {
  const name = nameOf(speaker, words.speakers)
  const around = textAround({ turns: words.turns, places }, { start, end })
  return (
    <QuestionRow
      {...row}
      label={`${name}, ${formatTime(start)}`}
      decision={decision}
      head={
        <>
          <SpeakerName speaker={speaker} name={name} />
          <Timecode s={start} className="text-fine! text-ink-2" />
        </>
      }
      answers={{ put: 'Put mine in', left: 'Leave as it is' }}
      decided={{ put: 'Put in', left: 'Left' }}
      play={
        player ? (
          <Button
            size="small"
            icon={<Play />}
            onClick={() => player.playFrom(Math.max(0, start - BEFORE_S), end + AFTER_S)}
          >
            Play
          </Button>
        ) : null
      }
    >
      <dl className="mt-1.5 text-ui leading-7!">
        <Side what="You had written" text={mine} {...around} />
        <Side what="It reads now" text={now} {...around} />
      </dl>
    </QuestionRow>
  )
}

/** A stretch of text, with the words that differ under the marker. */
function Side({
  what,
  before,
  text,
  after,
}: {
  what: string
  before: string
  text: string
  after: string
}) {
  return (
    <>
      <dt className="mt-1 text-small text-ink-2">{what}</dt>
      <dd dir="auto" className="select-text">
        {before} {text === '' ? null : <mark className="marked">{text}</mark>} {after}
      </dd>
    </>
  )
}
