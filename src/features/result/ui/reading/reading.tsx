import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import type { AskPanelState } from '#features/asking/ui/use-ask-panel.ts'
import { chaptersByTurn } from '#features/chapters/ui/chapters.ts'
import type { WordTurn } from '#features/text/contract.ts'
import type { CheckItem } from '#features/text/ui/check-items.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { type Group, useGroups } from '#features/text/ui/turn-groups.ts'
import { besideWord, turnIndexAt } from '#features/text/ui/word-places.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import { TranslationLine } from '#features/translations/ui/translation-line.tsx'
import type { ShownTranslation } from '#features/translations/ui/use-translation.ts'
import { useAddTerm } from '#features/vocabulary/ui/queries.ts'
import { turnFrom } from '#shared/turn-from.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { WithRail } from '#web/ui/with-rail.tsx'

import { type Checking, useChecking } from '../checking/use-checking.ts'
import type { Search } from '../find/use-search.ts'
import { useReadingKeys } from '../keys/use-reading-keys.ts'
import {
  AgainPanel,
  AskPanel,
  CheckQueue,
  NewElsewhere,
  ReplaceBox,
  SelectionBar,
} from '../later.tsx'
import type { Result } from '../result.ts'
import { printsSummary, underlines } from '../settings.ts'
import type { ResultText } from '../text.ts'
import { useSetting } from '../use-setting.ts'
import { DoubtLine, isDoubtTold } from './doubt-line.tsx'
import type { Editing, Step } from './editor-acts.ts'
import { FixedNote } from './fixed-note.tsx'
import { isInSight, markAsked, turnElement } from './following.ts'
import { type Letters, createNearMarks, mark, unmark } from './highlights.ts'
import { Transcript } from './transcript.tsx'
import type { InLanguage } from './turn-row.tsx'
import { type Following, type ShowTurn, useFollowing } from './use-following.ts'
import { lettersSaid, linkTo, quoteOf } from './selected-words.ts'
import { useQuoting } from './use-quoting.ts'
import { useSelection } from './use-selection.ts'
import { useTextSize } from './use-text-size.ts'

/** Where on the screen something is that was said at this second. */
export interface ScrollAnchor {
  seconds: number
  top: number
}

export interface ReadingProps {
  result: Result
  asking: AskPanelState
  search: Search
  /** The text in another language. */
  shown: ShownTranslation
  /** The second that the address asks for, and where a passage ends. */
  at: number | null
  to: number | null
  /** What was searched for in the library before. */
  searched: string
  /**
   * The second that the user has pressed, and where the player is already. It is cleared when used, so
   * that a second press works.
   */
  jump: number | null
  /** The place that was being read in the text of the running job. */
  stay: ScrollAnchor | null
  onJumped: () => void
}

/** The turns, and beside them in one place the rail, or what was opened to work with them. */
export function Reading({
  result,
  asking,
  search,
  shown,
  at,
  to,
  searched,
  jump,
  stay,
  onJumped,
  rail,
  children,
}: ReadingProps & { rail: ReactNode; children: ReactNode }) {
  const { text, sound, view } = result
  const { words, carried, places, toCheck, transcription } = text
  const { player, chapters } = sound
  const { beside, only } = view
  const { turns } = words
  const list = useRef<HTMLDivElement>(null)
  const isUnderlined = useSetting(underlines)
  const textSize = useTextSize()
  const following = useFollowing({ list, player, turns, places })
  /** Shows a turn that the user jumped to. The page does not scroll back from there. */
  const showTurn: ShowTurn = (turn, letters) => {
    following.leave()
    following.showTurn(turn, letters)
  }
  const { editing, setEditing, correct, correctNext } = useEditing(text, { list, showTurn })
  const checking = useChecking(result, { showTurn })
  useBesideText(beside?.kind ?? null, { setEditing, following })
  useHit(search, showTurn)
  // A link to a moment and a search may lead to any turn, so all turns are drawn at once.
  const isLed = at !== null || jump !== null || stay !== null
  const isLookedInto = search.wanted !== '' || checking.isOpen || beside?.kind === 'ask'
  const inLanguage = useInLanguage(shown, isLookedInto || editing !== null)
  const [groups, isWhole] = useGroups(turns, isLed || isLookedInto)
  useTextMarks({
    list,
    turns,
    editing,
    groups,
    isWhole,
    search,
    asked: checking.item,
    inDoubt: toCheck,
    isUnderlined,
  })
  useLanding({ at, searched, jump, onJumped, result, search, showTurn: following.showTurn })
  usePassage(text, { at, to, list })
  useStaying(stay, { list, turns, following })

  const goToQuote = useQuoting(result, {
    list,
    isOpen: beside?.kind === 'ask',
    showTurn: following.showTurn,
  })

  const currentTurn = () => focusedTurn() ?? turnIndexAt(turns, player?.now() ?? 0)
  /** To what opened it; to the text where that is gone, or in a menu on a phone. */
  const focusBack = () => {
    if (!view.focusBack()) focusTurn(list, currentTurn())
  }
  const closeAgain = () => {
    const hadFocus = document.activeElement?.closest('[aria-labelledby=again-heading]')
    carried.close()
    if (hadFocus) focusTurn(list, 0)
  }
  const takeStep = useStep(text, { list, showTurn })
  useTextKeys(result, { takeStep, list, checking, showTurn, currentTurn, correct })

  const panel =
    beside?.kind === 'ask' ? (
      <AskPanel
        reader={{ ...text, player, asking }}
        isMain={!carried.isShown}
        onQuote={goToQuote}
        onClose={() => {
          view.close('ask')
          focusBack()
        }}
      />
    ) : beside?.kind === 'check' ? (
      <CheckQueue
        checking={checking}
        words={words}
        onClose={() => {
          checking.close()
          focusBack()
        }}
      />
    ) : null
  const selection = useSelection(text, list)
  const addTerm = useAddTerm()
  const nameIn = ({ speaker }: WordTurn) =>
    speaker !== null && isToldApart(words) ? nameOf(speaker, words.speakers) : null
  const wordsOfSelection = () =>
    (selection?.letters ?? [])
      .map(({ turn, from, to }) => turns[turn]?.text.slice(from, to) ?? '')
      .join(' ')
  const isFirstHeaded = useMemo(
    () => chaptersByTurn(chapters.list, turns, only).has(0),
    [chapters.list, turns, only],
  )
  const isAlone = inLanguage?.isAlone === true
  // Two texts beside each other need its room, unless chapters are changed in it.
  const isWide = inLanguage !== null && !isAlone && !chapters.isChanging
  return (
    <WithRail rail={rail} panel={panel} panelPlace={view.panelPlace} isWide={isWide}>
      <div
        data-asking={checking.item ? '' : undefined}
        style={{ '--text-turn': `${textSize.rem}rem` } as React.CSSProperties}
        className="pt-2.5 roomy:pt-3.5"
      >
        {beside?.kind === 'replace' && text.edits ? (
          <Strip>
            <ReplaceBox
              result={result}
              search={search}
              isEditing={editing !== null}
              onClose={() => {
                view.close('replace')
                focusTurn(list, search.hits[search.at ?? -1]?.turn ?? currentTurn())
              }}
            />
          </Strip>
        ) : null}
        <Notes result={result} onCloseAgain={closeAgain} />
        <OnPaper summary={transcription.summary} />
        <div
          className="relative"
          // Where the second of two texts begins (see the columns of a turn).
          style={
            {
              '--second': isToldApart(words) ? 'calc(50% + 68px)' : 'calc(50% + 40px)',
            } as React.CSSProperties
          }
          data-noted={isFirstHeaded && (isAlone || isDoubtTold(text)) ? '' : undefined}
          data-wide={isWide ? '' : undefined}
        >
          {isAlone ? null : (
            <DoubtLine
              text={text}
              isBesideChapter={isFirstHeaded}
              isBesideColumn={isWide}
              onCheck={checking.open}
              onAgain={
                canTranscribeAgain(transcription)
                  ? (from) => view.open({ kind: 'again' }, from)
                  : null
              }
            />
          )}
          <TranslationLine
            id={transcription.id}
            shown={shown}
            className={classes(
              isWide && 'roomy:absolute roomy:top-0 roomy:right-0 roomy:left-(--second) roomy:z-1',
              isAlone &&
                isFirstHeaded &&
                'roomy:absolute roomy:top-0 roomy:right-0 roomy:z-1 roomy:bg-paper roomy:pl-4',
            )}
            onLanguage={(from) => view.open({ kind: 'look' }, from)}
          />
          <div className="relative">
            <Transcript
              result={result}
              list={list}
              editing={editing}
              setEditing={setEditing}
              onNextCheck={correctNext}
              onStep={takeStep}
              onEditChapter={chapters.edit}
              groups={groups}
              inLanguage={inLanguage}
              translated={shown.turns}
            />
            {selection ? (
              <SelectionBar
                selection={selection}
                acts={{
                  quote: () => quoteOf(selection, { id: transcription.id, turns, nameIn }),
                  link: () => linkTo(transcription.id, selection),
                  play: player ? () => player.playFrom(selection.start, selection.end) : null,
                  correct: text.edits
                    ? () => {
                        const [first] = selection.letters
                        if (first) correct(first)
                      }
                    : null,
                  addToVocabulary: () => void addTerm(wordsOfSelection()),
                  ask: () => {
                    asking.setDraft(`About “${wordsOfSelection()}”: `)
                    view.open({ kind: 'ask' })
                  },
                }}
              />
            ) : null}
          </div>
        </div>
        {player && following.isLost ? (
          <BackToPlayhead
            onBack={() => {
              following.comeBack()
              following.showTurn(turnIndexAt(turns, player.now()))
            }}
          />
        ) : null}
      </div>
      {children}
    </WithRail>
  )
}

/** What is printed before the text. */
function OnPaper({ summary }: { summary: string | null }) {
  const isPrinted = useSetting(printsSummary)
  if (!isPrinted || !summary) return null
  return (
    <section className="mb-6 hidden print:block">
      <h2 className="mb-1 font-display text-h3 font-semibold">Summary</h2>
      {summary
        .trim()
        .split(/\n+/)
        .map((paragraph, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
          <p key={index} dir="auto" className="mb-2 text-ui">
            {paragraph}
          </p>
        ))}
    </section>
  )
}

/** Lies over the text, which goes on under it. What is gone to stays below it. */
function Strip({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--strip-height', `${box.current?.firstElementChild?.clientHeight ?? 0}px`)
    return () => {
      style.removeProperty('--strip-height')
    }
  }, [])
  return (
    <div
      ref={box}
      className="sticky top-[105px] z-10 -mt-2.5 mb-2.5 h-0 lg:-mt-3.5 lg:mb-3.5 max-lg:in-data-[reads=picture]:top-[calc(60px+var(--picture-height))] print:hidden"
    >
      {children}
    </div>
  )
}

/** Words are checked without an open turn. Whoever closes what has led away is led back. */
function useBesideText(
  kind: string | null,
  {
    setEditing,
    following,
  }: { setEditing: (editing: Editing | null) => void; following: Following },
): void {
  const onChange = useEffectEvent((now: string | null) => {
    if (now === 'check') setEditing(null)
    if (now === null) following.comeBack()
  })
  useEffect(() => onChange(kind), [kind])
}

/** Goes to the hit that was chosen in the field of the search. */
function useHit({ gone }: Search, showTurn: ShowTurn): void {
  const show = useEffectEvent(showTurn)
  useEffect(() => {
    if (gone) show(gone.turn, gone)
  }, [gone])
}

/** The original is looked into where it is shown: a hit and a word in doubt are in it. */
function useInLanguage(
  { translation, turns, view }: ShownTranslation,
  isLookedInto: boolean,
): InLanguage | null {
  // The column is there from the order on, so that nothing moves when its text comes.
  const language = translation?.language ?? null
  const isAlone = view === 'only' && turns !== null && !isLookedInto
  return useMemo(() => (language === null ? null : { language, isAlone }), [language, isAlone])
}

const focusTurn = (list: RefObject<HTMLElement | null>, place: number) =>
  requestAnimationFrame(() => turnElement(list.current, place)?.focus({ preventScroll: true }))

function focusedTurn(): number | null {
  const element = document.activeElement?.closest<HTMLElement>('[data-turn]')
  return element ? Number(element.dataset['turn']) : null
}

/** Which turn is open for correcting, and how one comes to the next. */
function useEditing(
  { words: { turns }, edits, toCheck }: ResultText,
  { list, showTurn }: { list: RefObject<HTMLElement | null>; showTurn: ShowTurn },
) {
  const [editing, setEditingState] = useState<Editing | null>(null)
  const setEditing = (next: Editing | null) => {
    if (editing && editing.id !== next?.id) void edits?.drafts.flush(editing.id)
    setEditingState(next)
    if (next === null && editing)
      focusTurn(
        list,
        turns.findIndex(({ id }) => id === editing.id),
      )
  }
  const correct = ({ turn, from, to }: Letters) => {
    const owner = turns[turn]
    if (owner) setEditing({ id: owner.id, cursor: { from, to } })
  }
  const correctNext = (turn: WordTurn, offset: number) => {
    const place = turns.findIndex(({ id }) => id === turn.id)
    const next = toCheck.find(
      (word) => word.turn > place || (word.turn === place && word.from > offset),
    )
    if (!next) return
    correct(next)
    showTurn(next.turn)
  }
  return { editing, setEditing, correct, correctNext }
}

/** The notes above the text, and whose turns are shown. */
function Notes({
  result: { text, sound, view },
  onCloseAgain,
}: {
  result: Result
  onCloseAgain: () => void
}) {
  const { words, carried, edits, transcription } = text
  const { only, setOnly } = view
  return (
    <>
      {carried.isNewElsewhere ? <NewElsewhere id={transcription.id} /> : null}
      {carried.isShown && carried.carried && edits ? (
        <AgainPanel
          id={transcription.id}
          shown={{ ...text, player: sound.player }}
          decide={edits.decide}
          carried={carried.carried}
          keptUntil={carried.keptUntil}
          onClose={onCloseAgain}
        />
      ) : null}
      {words.fixed ? <FixedNote text={text} fixed={words.fixed} /> : null}
      {only === null ? null : (
        <p role="status" className="mb-2 flex items-center gap-3 text-small text-ink-2">
          <span>
            Only the turns of{' '}
            <strong className="font-[650] text-ink">{nameOf(only, words.speakers)}</strong> are
            shown.
          </span>
          <button type="button" className="min-h-6 text-link" onClick={() => setOnly(null)}>
            Show all
          </button>
        </p>
      )}
    </>
  )
}

/** The keys that act on the text. */
function useTextKeys(
  { text: { words, places, edits }, sound: { player }, view }: Result,
  {
    list,
    checking,
    showTurn,
    currentTurn,
    correct,
    takeStep,
  }: {
    takeStep: Step
    list: RefObject<HTMLElement | null>
    checking: Checking
    showTurn: ShowTurn
    /** The turn that has the focus, or else the one that is being said. */
    currentTurn: () => number
    correct: (letters: Letters) => void
  },
): void {
  const { turns } = words
  const step = (by: 'undo' | 'redo') => {
    if (edits) void takeStep(by)
    return edits !== null
  }
  useReadingKeys({
    replace: () => {
      if (edits) view.open({ kind: 'replace' })
      return edits !== null
    },
    check: ({ steps }) => {
      if (checking.items.length === 0) return false
      if (checking.isOpen) checking.move(steps)
      else checking.open()
      return true
    },
    turn: ({ steps }) => {
      const next = nextShown(turns, view.only, focusedTurn() ?? -1, steps)
      if (next === null) return false
      showTurn(next)
      turnElement(list.current, next)?.focus({ preventScroll: true })
      return true
    },
    word: ({ steps }) => {
      const place = focusedTurn()
      if (place === null || !player) return false
      const word = besideWord(places, { place, seconds: player.now(), steps })
      if (word) player.seek(word.startMs / 1000)
      return true
    },
    'play-turn': () => {
      const turn = turns[focusedTurn() ?? -1]
      if (!turn || !player) return false
      player.playFrom(turn.start)
      return true
    },
    'edit-turn': () => {
      const place = currentTurn()
      const turn = turns[place]
      if (!turn || !edits) return false
      correct({ turn: place, from: turn.text.length, to: turn.text.length })
      showTurn(place)
      return true
    },
    rename: () => {
      const place = currentTurn()
      const turn = turns[place]
      if (!turn || !edits) return false
      const row = turnElement(list.current, place)
      const from = row?.querySelector<HTMLElement>('[data-name-button]') ?? null
      view.open({ kind: 'name', naming: { speaker: turn.speaker, turn } }, from)
      return true
    },
    undo: () => step('undo'),
    redo: () => step('redo'),
  })
}

/** Takes a change back or makes it again, and goes to its place, which may be out of sight. */
function useStep(
  { words: { turns }, edits }: ResultText,
  { list, showTurn }: { list: RefObject<HTMLElement | null>; showTurn: ShowTurn },
): Step {
  const [changed, setChanged] = useState<{ ids: readonly string[] } | null>(null)
  const show = useEffectEvent((ids: readonly string[]) => {
    const places = ids.map((id) => turns.findIndex((turn) => turn.id === id))
    const rows = places.map((place) => turnElement(list.current, place))
    const [first] = places
    if (first === undefined || first < 0) return
    if (!rows.some((row) => row && isInSight(row.getBoundingClientRect()))) showTurn(first)
  })
  useEffect(() => {
    if (changed) show(changed.ids)
  }, [changed])
  return async (by) => {
    const edited = (await edits?.[by]()) ?? null
    // Waits a moment, in which React draws what changed.
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (edited) setChanged({ ids: edited.turns.map(({ id }) => id) })
    return edited
  }
}

function nextShown(
  turns: readonly WordTurn[],
  only: number | null,
  from: number,
  steps: 1 | -1,
): number | null {
  for (let next = from + steps; next >= 0 && next < turns.length; next += steps)
    if (only === null || turns[next]?.speaker === only) return next
  return null
}

/** A turn that is being corrected is a field, whose text cannot be marked: it is marked afterwards. */
const inText = (
  places: readonly Letters[],
  turns: readonly WordTurn[],
  editing: Editing | null,
): readonly Letters[] => places.filter(({ turn }) => turns[turn]?.id !== editing?.id)

/** Marks the hits, the one that was gone to, and the words in doubt. */
function useTextMarks({
  list,
  turns,
  editing,
  groups,
  isWhole,
  search: { hits, at },
  asked,
  inDoubt,
  isUnderlined,
}: {
  list: RefObject<HTMLElement | null>
  turns: readonly WordTurn[]
  editing: Editing | null
  /** The groups that are drawn already, and whether these are all. */
  groups: readonly Group[]
  isWhole: boolean
  search: Search
  /** The word that is being checked. */
  asked: CheckItem | undefined
  inDoubt: readonly Letters[]
  isUnderlined: boolean
}): void {
  const now = at === null ? undefined : hits[at]
  const [near] = useState(createNearMarks)
  useEffect(() => near.end, [near])
  useEffect(
    () => near.watch([...(list.current?.children ?? [])].slice(0, groups.length)),
    [near, list, groups],
  )
  useEffect(() => near.set('hit', inText(hits, turns, editing)), [near, hits, turns, editing])
  useEffect(
    () => near.set('check', isUnderlined ? inText(inDoubt, turns, editing) : []),
    [near, inDoubt, isUnderlined, turns, editing],
  )
  useEffect(() => {
    if (!isWhole || !now) return
    mark('hit-now', list.current, inText([now], turns, editing))
    return () => unmark('hit-now')
  }, [list, now, turns, editing, isWhole])
  useEffect(() => {
    if (!isWhole || !asked) return
    const { from, to, first } = asked
    const letters = inText([{ turn: first.turn, from, to }], turns, editing)
    return markAsked(list.current, first.turn, letters)
  }, [list, asked, turns, editing, isWhole])
}

/**
 * A link with a moment (`?at=`) opens there: the turn in sight, the player at the word, and what was
 * searched for (`&q=`) marked.
 */
function useLanding({
  at,
  searched,
  jump,
  onJumped,
  result: { text, sound },
  search,
  showTurn,
}: Pick<ReadingProps, 'at' | 'searched' | 'jump' | 'onJumped' | 'result' | 'search'> & {
  showTurn: ShowTurn
}): void {
  const { words } = text
  const { player } = sound
  // Waits a frame, because the browser restores the old scroll position first.
  const show = (turn: number) => requestAnimationFrame(() => showTurn(turn))
  const arrive = useEffectEvent((seconds: number, wanted: string) => {
    player?.seek(seconds)
    const turn = Math.max(0, turnIndexAt(words.turns, seconds))
    show(turn)
    // Without it the moment is reached, and nothing is marked.
    if (wanted !== '') search.landOn(turn, wanted)
  })
  useEffect(() => {
    if (at !== null) arrive(at, searched)
  }, [at, searched])
  const jumpThere = useEffectEvent((seconds: number) => {
    show(turnFrom(words.turns, seconds))
    onJumped()
  })
  useEffect(() => {
    if (jump !== null) jumpThere(jump)
  }, [jump])
}

/** Marks the passage that the address names. */
function usePassage(
  { words: { turns }, places }: ResultText,
  { at, to, list }: { at: number | null; to: number | null; list: RefObject<HTMLElement | null> },
): void {
  const show = useEffectEvent((start: number, end: number) =>
    mark('asked', list.current, lettersSaid({ turns, places }, { start, end })),
  )
  useEffect(() => {
    if (at === null || to === null) return
    const frame = requestAnimationFrame(() => show(at, to))
    return () => {
      cancelAnimationFrame(frame)
      unmark('asked')
    }
  }, [at, to])
}

/**
 * Scrolls, before anything is drawn, so that the turn that was being read is where it was. It stays
 * there when another one is being played.
 */
function useStaying(
  stay: ScrollAnchor | null,
  {
    list,
    turns,
    following,
  }: {
    list: RefObject<HTMLElement | null>
    turns: readonly WordTurn[]
    following: Following
  },
): void {
  const scroll = useEffectEvent((place: ScrollAnchor) => {
    const turn = turnElement(list.current, Math.max(0, turnIndexAt(turns, place.seconds)))
    if (!turn) return
    following.leave()
    const settle = () => {
      const top = turn.getBoundingClientRect().top - place.top
      if (top !== 0) window.scrollBy({ top, behavior: 'instant' })
    }
    settle()
    // Turns above it that were never in sight had an assumed height until now.
    requestAnimationFrame(settle)
  })
  useLayoutEffect(() => {
    if (stay) scroll(stay)
  }, [stay])
}

function BackToPlayhead({ onBack }: { onBack: () => void }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--player-height,0px)+var(--sheet-height,0px)+1rem+env(safe-area-inset-bottom))] z-10 flex justify-center">
      <Button
        size="small"
        className="pointer-events-auto border-line bg-card! shadow-float"
        onClick={onBack}
      >
        Back to playhead
      </Button>
    </div>
  )
}
