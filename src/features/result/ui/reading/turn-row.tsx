import { Pencil } from 'lucide-react'
import { memo } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { ShownTurn } from '#features/translations/ui/use-translation.ts'
import { dirOf } from '#shared/direction.ts'
import { formatTime } from '#shared/format.ts'
import { speakerLetters } from '#shared/speaker-letters.ts'
import { classes } from '#web/ui/classes.ts'
import { SpeakerName, speakerColours } from '#web/ui/speaker-badge.tsx'

/**
 * What can be done with a turn. All rows share one object, so that memoized rows stay as they are.
 */
export interface TurnActs {
  play: (turn: WordTurn) => void
  edit: (turn: WordTurn) => void
  name: (turn: WordTurn) => void
}

/** How all turns are shown. One object too. */
export interface TurnView {
  language: string | null
  isToldApart: boolean
  canPlay: boolean
  canEdit: boolean
  /** One stop of the Tab key, from which single keys correct a turn and name its speaker (see keys.ts). */
  isOneStop: boolean
  inLanguage: InLanguage | null
  acts: TurnActs
}

/** How a turn is shown in another language; null: not at all. */
export interface InLanguage {
  language: string
  /** Without the original, where there is a translation. */
  isAlone: boolean
}

export const rowClasses = (isToldApart: boolean, inLanguage: InLanguage | null = null) =>
  classes(
    'shows-where-it-is group/turn -mx-4 gap-x-5 px-4 py-2.5 outline-offset-[-2px]! sm:rounded-[8px] print:break-inside-avoid',
    'roomy:grid',
    inLanguage && !inLanguage.isAlone
      ? isToldApart
        ? 'roomy:grid-cols-[156px_minmax(0,1fr)_minmax(0,1fr)]'
        : 'roomy:grid-cols-[64px_minmax(0,1fr)_minmax(0,1fr)]'
      : isToldApart
        ? 'roomy:grid-cols-[156px_minmax(0,66ch)]'
        : 'roomy:grid-cols-[64px_minmax(0,66ch)]',
  )

/** One stretch of one speaker. Its words are pressed through the list (see transcript.tsx). */
export const TurnRow = memo(function TurnRow({
  turn,
  place,
  name,
  text,
  view,
  translation,
}: {
  turn: WordTurn
  /** Its place among all turns. */
  place: number
  name: string
  /** The draft of the turn, else its stored text. */
  text: string
  view: TurnView
  translation: ShownTurn | undefined
}) {
  const { isToldApart, language, canPlay, canEdit, isOneStop, inLanguage, acts } = view
  const isHidden = inLanguage?.isAlone === true && Boolean(translation?.text)
  return (
    <li
      data-turn={place}
      tabIndex={-1}
      className={classes(rowClasses(isToldApart, inLanguage), 'relative')}
    >
      <div className="mb-1 flex items-center gap-x-3 roomy:mb-0 roomy:block roomy:pt-0.5">
        <TurnHead turn={turn} name={name} view={view} />
      </div>
      <p
        data-turn-text={place}
        hidden={isHidden}
        className="text-turn"
        dir={dirOf(text, language)}
        lang={language ?? undefined}
      >
        {text}
      </p>
      {inLanguage ? <InOther {...inLanguage} translation={translation} /> : null}
      {canEdit ? (
        <button
          type="button"
          aria-label={`Correct the turn at ${formatTime(turn.start)}`}
          tabIndex={isOneStop && canPlay ? -1 : 0}
          onClick={() => acts.edit(turn)}
          className={classes(
            'absolute top-1.5 right-2 grid size-9 place-items-center rounded-control text-ink-2 hover:bg-card hover:text-ink pointer-coarse:top-0 pointer-coarse:right-0 pointer-coarse:size-11 pointer-fine:opacity-0 pointer-fine:group-focus-within/turn:opacity-100 pointer-fine:group-hover/turn:opacity-100',
            // Beside two texts there is no room for it.
            (!inLanguage || inLanguage.isAlone) &&
              'roomy:-right-2.5 roomy:pointer-coarse:-right-3.5',
          )}
        >
          <Pencil size={18} />
        </button>
      ) : null}
    </li>
  )
})

/** The turn in another language. A press on it plays the turn. */
export function InOther({
  language,
  isAlone,
  translation,
}: InLanguage & { translation: ShownTurn | undefined }) {
  const text = translation?.text
  if (!text)
    return isAlone ? null : (
      <p className="text-small text-ink-3 mt-1 roomy:mt-0 roomy:pt-1">
        {translation ? 'Could not be translated.' : 'Not translated yet.'}
      </p>
    )
  return (
    <div data-translation className={isAlone ? undefined : 'mt-1.5 roomy:mt-0 roomy:pr-7'}>
      <p
        dir={dirOf(text, language)}
        lang={language}
        className={classes('text-turn', !isAlone && 'text-ink-2')}
      >
        {text}
      </p>
      {translation.isChanged ? (
        <p className="mt-0.5 text-small text-ink-3">The original has changed since.</p>
      ) : null}
      {translation.isUnsure ? (
        <p className="mt-0.5 text-small text-ink-3">Compare the numbers with the original.</p>
      ) : null}
    </div>
  )
}

/** The style draws the letter, so it is no part of the name and needs no element. */
const letterSquare = (speaker: number | null) =>
  speaker === null ? {} : { ...speakerColours(speaker), 'data-letter': speakerLetters(speaker) }

const nameClasses = (speaker: number | null) =>
  speaker === null ? 'text-ink-2' : 'min-w-0 font-[650] wrap-anywhere text-speaker'

/** Speaker and time of a turn: each a button, where there is something to press it for. */
export function TurnHead({
  turn,
  name,
  view: { isToldApart, acts, canPlay, canEdit, isOneStop },
}: {
  turn: WordTurn
  name: string
  view: TurnView
}) {
  const at = formatTime(turn.start)
  const timeClasses = classes(
    'inline-flex min-h-6 items-center px-1 font-mono text-fine! text-ink-3 tabular-nums -my-1 pointer-coarse:-my-3 pointer-coarse:min-h-11 roomy:my-0 roomy:flex roomy:min-h-6 roomy:w-fit',
    isToldApart && 'roomy:ml-[26px]',
  )
  return (
    <>
      {!isToldApart ? null : canEdit ? (
        <button
          type="button"
          data-name-button
          aria-label={`${name}, name the speaker of the turn at ${at}`}
          tabIndex={isOneStop ? -1 : 0}
          onClick={() => acts.name(turn)}
          {...letterSquare(turn.speaker)}
          className={classes(
            '-my-1 -ml-1 inline-flex min-h-8 max-w-full min-w-0 items-start gap-2 rounded-control p-1 roomy:mb-0 pointer-coarse:-my-2.5 pointer-coarse:py-[11px] text-left text-ui hover:bg-paper-2',
            turn.speaker !== null &&
              'before:grid before:size-[22px] before:shrink-0 before:place-items-center before:rounded-badge before:bg-speaker-tint before:text-[0.75rem] before:leading-none before:font-bold before:text-speaker before:content-[attr(data-letter)] before:forced-color-adjust-none',
          )}
        >
          <span className={nameClasses(turn.speaker)}>{name}</span>
        </button>
      ) : (
        <SpeakerName speaker={turn.speaker} name={name} />
      )}
      {canPlay ? (
        <button
          type="button"
          aria-label={`Play from ${at}`}
          onClick={() => acts.play(turn)}
          className={classes(timeClasses, 'rounded-control hover:bg-paper-2')}
        >
          {at}
        </button>
      ) : (
        <span className={timeClasses}>{at}</span>
      )}
    </>
  )
}
