import { Pencil } from 'lucide-react'
import { memo } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { ShownTurn } from '#features/translations/ui/use-translation.ts'
import { dirOf } from '#shared/direction.ts'
import { formatTime } from '#shared/format.ts'
import { isOtherLanguage } from '#shared/other-language.ts'
import { speakerLetters } from '#shared/speaker-letters.ts'
import type { Veil } from '#shared/bars.ts'
import { classes } from '#web/ui/classes.ts'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { WithBars, barred } from '#web/ui/with-bars.tsx'

/**
 * The acts that a turn offers. All rows share one object, so that memoized rows stay as they are.
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
  /** Whether a turn has its time also where the same speaker goes on. */
  hasAllTimes: boolean
  /** With so many voices names are cut, so that they take one line. */
  isCrowded: boolean
  inLanguage: InLanguage | null
  veil: Veil
  acts: TurnActs
}

/** How a turn is shown in another language; null: not at all. */
export interface InLanguage {
  language: string
  /** Without the original, where there is a translation. */
  isAlone: boolean
}

/** Time, name and text side by side; names shrink to their letters where two texts need the room. */
export const rowClasses = (isToldApart: boolean, inLanguage: InLanguage | null = null) =>
  classes(
    'shows-where-it-is group/turn -mx-4 gap-x-4 px-4 py-2 outline-offset-[-2px]! sm:rounded-[8px] roomy:py-[9px] print:break-inside-avoid',
    'roomy:grid',
    inLanguage && !inLanguage.isAlone
      ? isToldApart
        ? 'roomy:grid-cols-[48px_40px_minmax(0,1fr)_minmax(0,1fr)]'
        : 'roomy:grid-cols-[48px_minmax(0,1fr)_minmax(0,1fr)]'
      : isToldApart
        ? 'roomy:grid-cols-[48px_148px_minmax(0,660px)] roomy:max-xl:grid-cols-[48px_116px_minmax(0,660px)]'
        : 'roomy:grid-cols-[48px_minmax(0,660px)]',
  )

/** One stretch of one speaker. Its words are pressed through the list (see transcript.tsx). */
export const TurnRow = memo(function TurnRow({
  turn,
  place,
  name,
  isSame,
  text,
  view,
  cutSentence,
  translation,
}: {
  turn: WordTurn
  /** Its place among all turns. */
  place: number
  name: string
  /** The speaker of the turn above it goes on. */
  isSame: boolean
  /** The draft of the turn, else its stored text. */
  text: string
  view: TurnView
  /** What is cut in it, for who cannot see the marks. */
  cutSentence: string | undefined
  translation: ShownTurn | undefined
}) {
  const { isToldApart, language, canPlay, canEdit, isOneStop, inLanguage, veil, acts } = view
  const isHidden = inLanguage?.isAlone === true && Boolean(translation?.text)
  return (
    <li
      data-turn={place}
      tabIndex={-1}
      className={classes(rowClasses(isToldApart, inLanguage), 'relative', isSame && 'pt-0!')}
    >
      <TurnHead {...{ turn, name, isSame, view }} />
      <p
        data-turn-text={place}
        hidden={isHidden}
        className={classes('text-turn', isOtherLanguage(text) && 'text-ink-2')}
        dir={dirOf(text, language)}
        lang={language ?? undefined}
      >
        {barred(text, veil)}
      </p>
      {cutSentence ? <p className="sr-only select-none">{cutSentence}</p> : null}
      {inLanguage ? <InOther {...inLanguage} translation={translation} /> : null}
      {canEdit ? (
        <button
          type="button"
          aria-label={`Correct the turn at ${formatTime(turn.start)}`}
          tabIndex={isOneStop && canPlay ? -1 : 0}
          onClick={() => acts.edit(turn)}
          className={classes(
            'absolute top-1 right-2 grid size-9 place-items-center rounded-control text-ink-2 opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 hover:bg-card hover:text-ink print:hidden',
            // A finger selects words for that; unseen, the pencil would take presses from them.
            'pointer-coarse:sr-only',
            // Beside two texts there is no room for it.
            (!inLanguage || inLanguage.isAlone) && 'roomy:-right-5',
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
    return isAlone || !translation ? null : (
      <p className="mt-1 text-small text-ink-3 roomy:mt-0 roomy:pt-1">Could not be translated.</p>
    )
  return (
    <div data-translation className={isAlone ? undefined : 'mt-1.5 roomy:mt-0'}>
      <p
        dir={dirOf(text, language)}
        lang={language}
        className={classes('text-turn', !isAlone && 'text-ink-2')}
      >
        <WithBars text={text} />
      </p>
      {translation.isChanged ? (
        <p className="mt-0.5 text-small text-ink-3">The original has changed since.</p>
      ) : null}
      {translation.isUnsure ? (
        <p className="mt-0.5 text-small text-ink-3">Compare this with the original.</p>
      ) : null}
    </div>
  )
}

/** The style draws the letter, so it is no part of the name and needs no element. */
const letterSquare = (speaker: number | null) =>
  speaker === null ? {} : { ...speakerColours(speaker), 'data-letter': speakerLetters(speaker) }

/**
 * Time and speaker of a turn: each a button, where there is something to press it for. On a narrow
 * screen the name stands above the text, with the time at its end.
 */
export function TurnHead({
  turn,
  name,
  isSame,
  view: {
    isToldApart,
    acts,
    canPlay,
    canEdit,
    isOneStop,
    hasAllTimes,
    isCrowded,
    inLanguage,
    veil,
  },
}: {
  turn: WordTurn
  name: string
  isSame: boolean
  view: TurnView
}) {
  const at = formatTime(turn.start)
  const timeClasses = classes(
    '-my-1 -ml-1 inline-flex min-h-6 shrink-0 items-center rounded-control px-1 font-mono text-code text-ink-3 tabular-nums max-lg:order-last max-lg:-mr-1 max-lg:ml-auto pointer-coarse:-my-3 pointer-coarse:min-h-11 roomy:my-0 roomy:h-[30px] roomy:w-fit roomy:justify-self-start',
    isSame && !hasAllTimes && 'invisible',
  )
  const isShort = inLanguage !== null && !inLanguage.isAlone
  const nameOnly = classes(
    isShort && 'roomy:sr-only',
    isCrowded ? 'truncate' : 'wrap-anywhere roomy:max-xl:truncate',
    turn.speaker === null ? 'text-ink-2' : 'min-w-0 font-[650] text-speaker',
  )
  const letter = turn.speaker !== null && letterClasses
  // The name is not said again, but there for who wants another one here.
  const again =
    isSame &&
    (canEdit
      ? 'roomy:opacity-0 roomy:group-focus-within/turn:opacity-100 roomy:group-hover/turn:opacity-100 max-lg:sr-only'
      : 'invisible max-lg:hidden')
  return (
    <div
      className={classes(
        'flex items-start gap-x-3 roomy:contents',
        isSame && 'max-lg:float-right max-lg:ml-3',
      )}
    >
      {canPlay ? (
        <button
          type="button"
          aria-label={`Play from ${at}`}
          onClick={() => acts.play(turn)}
          className={classes(timeClasses, 'hover:bg-paper-2')}
        >
          {at}
        </button>
      ) : (
        <span className={timeClasses}>{at}</span>
      )}
      {!isToldApart ? null : canEdit ? (
        <button
          type="button"
          data-name-button
          aria-label={`${veil.say(name)}, name the speaker of the turn at ${at}`}
          {...(isCrowded || isShort ? { 'data-tip': veil.hide(name) } : {})}
          tabIndex={isOneStop ? -1 : 0}
          onClick={() => acts.name(turn)}
          {...letterSquare(turn.speaker)}
          className={classes(
            nameClasses,
            'rounded-control text-left hover:bg-paper-2',
            letter,
            again,
          )}
        >
          <span className={nameOnly}>{barred(name, veil, true)}</span>
        </button>
      ) : (
        <span {...letterSquare(turn.speaker)} className={classes(nameClasses, letter, again)}>
          <span className={nameOnly}>{barred(name, veil, true)}</span>
        </span>
      )}
    </div>
  )
}

/** As high whether it can be pressed or not, so that no turn moves when that changes. */
const nameClasses =
  '-my-1 -ml-1 inline-flex max-w-full min-w-0 items-start gap-2 justify-self-start p-1 text-ui roomy:my-0 pointer-coarse:-my-2.5 pointer-coarse:py-[11px] roomy:pointer-coarse:my-0'

const letterClasses =
  'before:grid before:size-[22px] before:shrink-0 before:place-items-center before:rounded-badge before:bg-speaker-tint before:text-[0.75rem] before:leading-none before:font-bold before:text-speaker before:content-[attr(data-letter)] before:forced-color-adjust-none'
