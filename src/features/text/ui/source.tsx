import { Link } from 'react-router'

import { withMoment } from '#web/paths.ts'
import type { Player } from '#web/player.ts'
import { classes } from '#web/ui/classes.ts'
import { SpeakerName } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { WithBars } from '#web/ui/with-bars.tsx'

import type { WordTurn, Words } from '../contract.ts'
import { evidenceIn } from './evidence.ts'
import { nameOf } from './speaker-name.ts'

/**
 * When something was said. A press shows the words and plays them; another one hides them. The arrows
 * do without playing.
 */
export function SourceButton({
  at,
  isOpen,
  id,
  player,
  onPress,
}: {
  at: number
  isOpen: boolean
  /** Of the `Source` that it opens. */
  id: string
  player: Player | null
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={id}
      onClick={() => {
        if (!isOpen) player?.playFrom(at)
        onPress()
      }}
      onKeyDown={(event) => {
        if (event.key !== (isOpen ? 'ArrowLeft' : 'ArrowRight')) return
        event.preventDefault()
        onPress()
      }}
      // There is more to hit than what is drawn.
      className="relative min-w-11 rounded-[4px] text-right text-ink-2 after:absolute after:-inset-x-1 after:-inset-y-3 after:content-[''] hover:text-ink hover:underline aria-expanded:text-ink aria-expanded:underline"
    >
      <span className="sr-only">Said at </span>
      <Timecode s={at} />
    </button>
  )
}

/** The turn that something was taken from, with the words that it rests on marked. */
export function Source({
  id,
  at,
  quote,
  turn,
  className,
  onClip,
  reader: { words, player },
}: {
  id: string
  at: number
  quote: string | null
  turn: WordTurn
  className?: string
  /** Makes a file of its own of it. */
  onClip?: (() => void) | undefined
  reader: { words: Pick<Words, 'speakers'>; player: Player | null }
}) {
  return (
    <div id={id} className={classes('col-span-full rounded-[8px] bg-paper-2 p-4', className)}>
      <p className="mb-1 flex items-center gap-3">
        <SpeakerName speaker={turn.speaker} name={nameOf(turn.speaker, words.speakers)} />
        <Timecode s={turn.start} className="text-fine! text-ink-2" />
      </p>
      <Passage text={turn.text} quote={quote} />
      <p className="mt-1.5 flex flex-wrap items-center gap-x-5 text-small">
        {player ? (
          <button type="button" className="min-h-6 text-link" onClick={() => player.playFrom(at)}>
            Play it
          </button>
        ) : null}
        <Link
          to={{ search: withMoment(window.location.search, at), hash: '#transcription' }}
          className="text-link"
        >
          Show in transcription
        </Link>
        {player && onClip ? (
          <button type="button" className="min-h-6 text-link" onClick={onClip}>
            Make a clip…
          </button>
        ) : null}
      </p>
    </div>
  )
}

/** The words of a speaker around a quote, with the quote marked. */
function Passage({ text, quote }: { text: string; quote: string | null }) {
  const evidence = evidenceIn(text, quote)
  if (!evidence)
    return (
      <p dir="auto">
        <WithBars text={text} />
      </p>
    )
  const [start, end] = evidence
  return (
    <p dir="auto">
      <WithBars text={text.slice(0, start)} />
      <mark className="marked">
        <WithBars text={text.slice(start, end)} />
      </mark>
      <WithBars text={text.slice(end)} />
    </p>
  )
}
