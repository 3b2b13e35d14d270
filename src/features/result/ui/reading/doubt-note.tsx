/** A note above the first turn, when more words are in doubt than a reader would expect. */
import { TextSearch, X } from 'lucide-react'
import { useState } from 'react'

import type { Words } from '#features/text/contract.ts'
import {
  type Doubt,
  DOUBT_UNKNOWN,
  doubtSentence,
  isWorthSaying,
} from '#features/text/words-in-doubt.ts'
import { Button, IconButton } from '#web/ui/button.tsx'

import { timeFor } from '../checking/check-memory.ts'
import { useHidden } from '../use-setting.ts'

/** From this number on, which takes twenty minutes, the note offers only the first 50. */
const MANY = 200
const FIRST = 50
/** With this share of words in doubt the note says that another engine would help more. */
const VERY_DOUBTFUL = 1 / 4

/** Why the words are in doubt. */
const NAMES = 'Names and rare words are the likeliest to be wrong.'
const reasons: Record<NonNullable<Words['sound']>, string> = {
  noisy: 'The sound is noisy in places, so names and rare words may be wrong.',
  telephone: 'It sounds like a telephone line, so names and rare words may be wrong.',
}

/**
 * The note stays until all words are checked, also when only few are left. The doubt is null where the
 * engine does not say how sure it is.
 */
export function useDoubtNote(transcriptionId: string, doubt: Doubt | null) {
  const [isHidden, hide] = useHidden(`doubt-note-hidden:${transcriptionId}`)
  const [wasShown, setWasShown] = useState(false)
  if (!wasShown && (doubt === null || isWorthSaying(doubt))) setWasShown(true)
  return { doubt, isShown: wasShown && !isHidden, hide }
}

/** Above a text of which nobody knows how much is wrong: nothing in it is marked. */
export function DoubtUnknownNote({ onHide }: { onHide: () => void }) {
  return (
    <div
      role="note"
      aria-label="Words in doubt"
      className="mt-3 mb-1 flex items-center gap-3 rounded-panel border border-line p-3.5 sm:gap-4 sm:px-4 sm:py-3 print:hidden"
    >
      <TextSearch size={20} className="shrink-0 text-ink-2" />
      <p className="min-w-0 flex-1 text-ui leading-6!">
        <strong className="font-[650]">{DOUBT_UNKNOWN}</strong> No word is marked, so read it with
        care where it matters.
      </p>
      <IconButton label="Hide this note" className="ml-auto" onClick={onHide}>
        <X />
      </IconButton>
    </div>
  )
}

export function DoubtNote({
  doubt,
  sound,
  checks,
  isUnderlined,
  isMain,
  onCheck,
  onAgain,
  onHide,
}: {
  doubt: Doubt
  sound: Words['sound']
  /** How many there are to check: fewer than words in doubt where some are alike. */
  checks: number
  /** Whether words in doubt are underlined in the text. */
  isUnderlined: boolean
  /** Nothing above the text is more pressing, so its button is the main one of the screen. */
  isMain: boolean
  /** Null for all of them. */
  onCheck: (count: number | null) => void
  /** Asks how to transcribe again; null where that cannot be done. */
  onAgain: ((from: HTMLElement) => void) | null
  onHide: () => void
}) {
  const isLong = checks >= MANY
  const isVeryDoubtful = doubt.inDoubt >= doubt.words * VERY_DOUBTFUL
  return (
    <div
      role="note"
      aria-label="Words in doubt"
      className="mt-3 mb-1 grid grid-cols-[20px_minmax(0,1fr)] items-center gap-x-3 gap-y-3 rounded-panel border border-line p-3.5 sm:flex sm:gap-4 sm:px-4 sm:py-3 in-[.narrow]:grid! in-[.narrow]:gap-x-3! in-[.narrow]:gap-y-2! print:hidden"
    >
      <TextSearch size={20} className="mt-0.5 shrink-0 self-start text-warn" />
      {doubt.inDoubt === 0 ? (
        <p className="flex-1 text-ui">All words in doubt are checked.</p>
      ) : (
        <p className="min-w-0 flex-1 text-ui leading-6!">
          <strong className="font-[650]">{doubtSentence(doubt)}</strong>{' '}
          {sound ? reasons[sound] : NAMES}{' '}
          {isUnderlined ? (
            <>
              They are <span className="to-check">underlined</span>.
            </>
          ) : (
            'The underlines are switched off.'
          )}
          {isVeryDoubtful
            ? ' Another recording of the same talk, or another engine, would help more than checking.'
            : null}
        </p>
      )}
      {/* A button that gets the focus is scrolled out from under the bar above the text. */}
      <div className="col-span-2 flex items-center gap-2 *:scroll-mt-20 max-sm:flex-wrap">
        {doubt.inDoubt === 0 ? null : (
          <Button
            variant={isMain ? 'primary' : 'secondary'}
            size="small"
            className="flex-1"
            onClick={() => onCheck(isLong ? FIRST : null)}
          >
            {isLong ? `Check the first ${FIRST}` : `Check them · ${timeFor(checks)}`}
          </Button>
        )}
        {doubt.inDoubt > 0 && isVeryDoubtful && onAgain ? (
          <Button
            size="small"
            className="max-sm:order-last max-sm:w-full"
            onClick={(event) => onAgain(event.currentTarget)}
          >
            Transcribe again
          </Button>
        ) : null}
        <IconButton label="Hide this note" className="ml-auto" onClick={onHide}>
          <X />
        </IconButton>
      </div>
    </div>
  )
}
