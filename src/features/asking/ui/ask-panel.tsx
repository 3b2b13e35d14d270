import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { withOpen } from '#features/library/ui/library-address.ts'
import type { Words } from '#features/text/contract.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import type { Player } from '#web/player.ts'
import { paths } from '#web/paths.ts'
import { SidePanel } from '#web/ui/side-panel.tsx'

import type { Quote } from '../contract.ts'
import { AnswerBox } from './answer-box.tsx'
import { AskForm } from './ask-form.tsx'
import { answersQuery } from './queries.ts'
import { doubtsOfQuote } from './quote-place.ts'
import type { AskPanelState } from './use-ask-panel.ts'

/** The parts of an open result that the panel needs. */
interface Reader {
  transcription: { id: string }
  words: Pick<Words, 'turns'>
  places: readonly WordPlace[]
  toCheck: readonly WordPlace[]
  player: Player | null
  asking: AskPanelState
}

/** Questions to the recording that is open, and what was said for each answer. */
export function AskPanel({
  reader,
  onQuote,
  onClose,
}: {
  reader: Reader
  /** Goes to what a quote was taken from. */
  onQuote: (quote: Quote) => void
  onClose: () => void
}) {
  const { transcription, words, places, toCheck, player, asking } = reader
  const { asked, field } = asking
  const query = useQuery(answersQuery(asked))
  const { pathname, search } = useLocation()
  const [isLow, setLow] = useState(false)
  // On a screen without a mouse the field would cover half of it with a keyboard.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
  return (
    <SidePanel
      title={asked.title}
      closeLabel="Close the questions"
      isLow={isLow}
      onClose={onClose}
      foot={
        <div onFocusCapture={() => setLow(false)}>
          <AskForm {...{ asked, asking, field }} answers={query.data} />
        </div>
      }
    >
      <p className="mb-3 text-small">
        <span className="font-semibold">This recording</span>
        <span aria-hidden="true" className="mx-2 text-ink-3">
          ·
        </span>
        {/* The words that were typed go along. */}
        <Link
          to={{ pathname: paths.ask, search: withQuestion(asking.draft) }}
          className="inline-block min-h-6 text-link"
        >
          All recordings
        </Link>
      </p>
      <AnswerBox
        query={query}
        asking={asking}
        shown={{
          asked,
          ofMany: false,
          opening: {
            verb: player ? 'Play' : 'Go to',
            to: ({ at }) => ({
              pathname,
              search: withOpen(search, transcription.id, at),
              hash: '#transcription',
            }),
            press: (quote) => {
              // Then a key pauses the playing, and the keyboard of a phone goes away.
              if (document.activeElement === field.current)
                field.current?.closest('section')?.focus({ preventScroll: true })
              setLow(true)
              onQuote(quote)
            },
            doubtsOf: (quote) => doubtsOfQuote(quote, { turns: words.turns, places, toCheck }),
          },
        }}
      />
    </SidePanel>
  )
}

const withQuestion = (draft: string): string =>
  draft.trim() === '' ? '' : `?${new URLSearchParams({ q: draft.trim() })}`
