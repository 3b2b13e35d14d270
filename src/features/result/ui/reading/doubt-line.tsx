/** How much of a text is in doubt: one quiet line above its first turn, which scrolls away with it. */
import type { ReactNode } from 'react'

import {
  DOUBT_UNKNOWN,
  doubtSentence,
  isWorthSaying,
  wordsToCheck,
} from '#features/text/words-in-doubt.ts'
import { classes } from '#web/ui/classes.ts'

import { timeFor } from '../checking/check-memory.ts'
import type { ResultText } from '../text.ts'

/** From this number on, which takes twenty minutes, the line offers only the first 50. */
const MANY = 200
const FIRST = 50
/** With this share of words in doubt hearing it afresh would help more than checking. */
const MOST = 1 / 4

/** Whether there is something to say. */
export const isDoubtTold = ({ doubt, wasInDoubt }: ResultText): boolean =>
  doubt === null || doubt.inDoubt > 0 || wasInDoubt

export function DoubtLine({
  text,
  isBesideChapter,
  isBesideColumn,
  onCheck,
  onAgain,
}: {
  text: ResultText
  /** The first chapter stands in the same line, where there is room. */
  isBesideChapter: boolean
  /** A second text has the right half. */
  isBesideColumn: boolean
  /** Null for all of them. */
  onCheck: (most: number | null) => void
  /** Asks how to transcribe again; null where that cannot be done. */
  onAgain: ((from: HTMLElement) => void) | null
}) {
  const { doubt, checks, edits } = text
  if (!isDoubtTold(text)) return null
  const says = (): ReactNode => {
    if (doubt === null) return DOUBT_UNKNOWN
    const { words, inDoubt } = doubt
    if (inDoubt === 0) return 'All words in doubt are checked.'
    const isMany = checks.length >= MANY
    const check = (label: string, more: string | null) => (
      <Act onPress={() => onCheck(isMany ? FIRST : null)}>
        {label}
        {more ? <span className="max-lg:hidden"> · {more}</span> : null}
      </Act>
    )
    if (!isWorthSaying(doubt))
      return edits ? check(wordsToCheck(inDoubt), null) : <span>{wordsToCheck(inDoubt)}</span>
    if (inDoubt >= words * MOST && onAgain)
      return (
        <>
          <span>Most of this is in doubt.</span>
          <Act onPress={onAgain}>Transcribe again</Act>
        </>
      )
    const [before = '', after = ''] = doubtSentence(doubt).split('in doubt')
    return (
      <>
        <span>
          {before}
          <span className="to-check">in doubt</span>
          {after}
        </span>
        {edits
          ? isMany
            ? check(`Check the first ${FIRST}`, null)
            : check('Check them', timeFor(checks.length).replace('about ', ''))
          : null}
      </>
    )
  }
  return (
    <div
      role="note"
      aria-label="Words in doubt"
      className={classes(
        'flex min-h-[30px] items-center justify-between gap-x-2 bg-paper text-small text-ink-2 roomy:justify-end print:hidden',
        isBesideChapter && 'roomy:absolute roomy:top-0 roomy:z-1 roomy:pl-4',
        isBesideChapter &&
          (isBesideColumn ? 'roomy:right-[calc(100%-var(--second)+24px)]' : 'roomy:right-0'),
        !isBesideChapter && isBesideColumn && 'roomy:w-[calc(var(--second)-24px)]',
      )}
    >
      {says()}
    </div>
  )
}

function Act({ onPress, children }: { onPress: (from: HTMLElement) => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="-my-2 min-h-9 tall:scroll-mt-30 font-semibold text-ink underline decoration-1 underline-offset-4 hover:decoration-2 pointer-coarse:min-h-11"
      onClick={({ currentTarget }) => onPress(currentTarget)}
    >
      {children}
    </button>
  )
}
