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

import { AgainPanel, NewElsewhere } from '#features/again/ui/again-panel.tsx'
import { AskPanel } from '#features/asking/ui/ask-panel.tsx'
import type { WordTurn } from '#features/text/contract.ts'
import type { CheckItem } from '#features/text/ui/check-items.ts'
import { type Group, useGroups } from '#features/text/ui/turn-groups.ts'
import { besideWord, turnIndexAt } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { TranslationNote } from '#features/translations/ui/translation-note.tsx'
import { type ShownTranslation, useTranslation } from '#features/translations/ui/use-translation.ts'
import { turnFrom } from '#shared/turn-from.ts'
import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { WithRail } from '#web/ui/with-rail.tsx'

import { useQuoting } from './use-quoting.ts'
import { CheckQueue } from '../checking/check-queue.tsx'
import { DoubtNote, DoubtUnknownNote } from './doubt-note.tsx'
import { FixedNote } from './fixed-note.tsx'
import { type Letters, createNearMarks, mark, unmark } from './highlights.ts'
import type { Reader } from '../reader.ts'
import { underlines } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { useTextSize } from './use-text-size.ts'
import { ReadingTools } from './reading-tools.tsx'
import type { Editing, Step } from './editor-acts.ts'
import { Transcript } from './transcript.tsx'
import type { InLanguage } from './turn-row.tsx'
import { type Checking, useChecking } from '../checking/use-checking.ts'
import { isInSight, markAsked, turnElement } from './following.ts'
import { type ShowTurn, useFollowing } from './use-following.ts'
import { useReadingKeys } from '../keys/use-reading-keys.ts'
import { type Search, useSearch } from '../find/use-search.ts'

/** Where on the screen something is that was said at this second. */
export interface ScrollAnchor {
  seconds: number
  top: number
}

export interface ReadingProps {
  reader: Reader
  /** The second that the address asks for. */
  at: number | null
  /** What was searched for in the library before. */
  searched: string
  /**
   * The second that the user has pressed, and where the player is already. It is cleared when used, so
   * that a second press works.
   */
  jump: number | null
  /** What was being read of the running job. */
  stay: ScrollAnchor | null
  onJumped: () => void
  /** Seconds of what was searched for, to be shown on the wave. */
  onMarks: (seconds: readonly number[]) => void
  /** Seconds of the words that are being checked; null while none are. */
  onChecks: (seconds: readonly number[] | null) => void
  /** Asks how to transcribe again; null where that cannot be done. */
  onAgain: ((from: HTMLElement) => void) | null
  /** Opens the questions to the recording. */
  onAsk: () => void
}

/**
 * The turns, with what helps to read them: search, words to check, following what is said. Words to
 * check take the place of the rail.
 */
export function Reading({
  reader,
  at,
  searched,
  jump,
  stay,
  onJumped,
  onMarks,
  onChecks,
  onAgain,
  onAsk,
  rail,
  children,
}: ReadingProps & { rail: ReactNode; children: ReactNode }) {
  const { words, carried, player, chapters, setReplacing } = reader
  const { panel: panelName, setPanel } = reader
  const { turns } = words
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const checkToggle = useRef<HTMLButtonElement>(null)
  const askToggle = useRef<HTMLButtonElement>(null)
  const isUnderlined = useSetting(underlines)
  const textSize = useTextSize()
  const following = useFollowing({ list, player, turns, places: reader.places })
  /** Shows a turn that the user jumped to, and stops following, or the page would scroll back. */
  const showTurn: ShowTurn = (turn, letters) => {
    if (player?.getState().isPlaying) following.setFollowing(false)
    following.showTurn(turn, letters)
  }
  const { editing, setEditing, correct, correctNext } = useEditing(reader, { list, showTurn })
  const search = useSearch(reader, { showTurn, onMarks })
  const checking = useChecking(reader, {
    showTurn: following.showTurn,
    onOpen: () => {
      setEditing(null)
      chapters.close()
    },
  })
  // A link to a moment and a search may lead to any turn, so all turns are drawn at once.
  const isLed = at !== null || jump !== null || stay !== null
  const inHaste = isLed || search.wanted !== '' || panelName !== null
  const shown = useTranslation(reader.transcription.id, words.revision)
  const isLookedInto = search.wanted !== '' || panelName !== null || editing !== null
  const inLanguage = useInLanguage(shown, isLookedInto)
  const [groups, isWhole] = useGroups(turns, inHaste)
  useTextMarks({
    list,
    turns,
    editing,
    groups,
    isWhole,
    search,
    asked: checking.item,
    inDoubt: reader.toCheck,
    isUnderlined,
  })
  useMarksOf(checking, onChecks)
  useLanding({ at, searched, jump, onJumped, reader, search, showTurn: following.showTurn })
  useStaying(stay, { list, turns, player, following })

  const goToQuote = useQuoting(reader, {
    list,
    isOpen: panelName === 'ask',
    showTurn: following.showTurn,
  })

  const currentTurn = () => focusedTurn() ?? turnIndexAt(turns, player?.now() ?? 0)

  /** To the button that opened a panel; to the text where it is gone, or in a menu on a phone. */
  const focusBack = (button: HTMLElement | null) => {
    if (button?.getClientRects().length) button.focus()
    else focusTurn(list, currentTurn())
  }
  const closeChecking = () => {
    checking.close()
    // With the last word checked the button disappears.
    focusBack(checking.items.length > 0 ? checkToggle.current : null)
  }
  const closeAsking = () => {
    setPanel(null)
    focusBack(askToggle.current)
  }
  const closePanel = () => {
    const hadFocus = document.activeElement?.closest('[aria-labelledby=again-heading]')
    carried.close()
    if (hadFocus) focusTurn(list, 0)
  }
  const openReplace = () => {
    checking.close()
    setReplacing(true)
    // It may be open already.
    field.current?.select()
  }
  const closeReplace = () => {
    setReplacing(false)
    focusTurn(list, search.hits[search.at ?? -1]?.turn ?? currentTurn())
  }
  const takeStep = useStep(reader, { list, showTurn })
  useTextKeys(reader, {
    takeStep,
    list,
    field,
    openReplace,
    checking,
    showTurn,
    currentTurn,
    correct,
  })

  // Of two sheets the one that was opened last is shown.
  const panel =
    panelName === null || chapters.isSheet ? null : panelName === 'ask' ? (
      <AskPanel
        reader={reader}
        isMain={!carried.isShown}
        onQuote={goToQuote}
        onClose={closeAsking}
      />
    ) : (
      <CheckQueue checking={checking} words={words} onClose={closeChecking} />
    )
  // Two texts beside each other need its room, unless chapters are changed in it.
  const isWide =
    inLanguage !== null && !inLanguage.isAlone && panel === null && !chapters.isChanging
  return (
    <WithRail
      rail={isWide ? null : rail}
      panel={panel}
      panelPlace={reader.panelPlace}
      isPanelWide={panelName === 'ask'}
    >
      <div
        data-asking={checking.item ? '' : undefined}
        style={{ '--text-turn': `${textSize[0].rem}rem` } as React.CSSProperties}
      >
        <div
          className={classes(
            'top-[calc(60px+var(--picture-height,0px))] z-10 -mx-4 bg-paper px-4 py-3 lg:pt-5 print:hidden',
            // On a phone too: who goes from hit to hit needs its buttons at each.
            reader.isReplacing ? 'sticky' : 'sm:sticky',
          )}
        >
          <ReadingTools
            {...{ reader, search, field, checking, following, isUnderlined, textSize, shown }}
            {...{ checkToggle, askToggle }}
            onAsk={panelName === 'ask' ? closeAsking : onAsk}
            isEditing={editing !== null}
            onStep={takeStep}
            onReplace={openReplace}
            onReplaced={closeReplace}
          />
        </div>
        <TranslationNote id={reader.transcription.id} shown={shown} />
        <Notes
          reader={reader}
          checking={checking}
          isUnderlined={isUnderlined}
          onClosePanel={closePanel}
          onAgain={onAgain}
        />
        <Transcript
          reader={reader}
          list={list}
          editing={editing}
          setEditing={setEditing}
          onNextCheck={correctNext}
          onStep={takeStep}
          onEditChapter={(start) => {
            checking.close()
            chapters.edit(start)
          }}
          groups={groups}
          inLanguage={inLanguage}
          translated={shown.turns}
        />
        {player && !following.isFollowing ? (
          <BackToPlayhead
            onBack={() => {
              following.setFollowing(true)
              following.showTurn(turnIndexAt(turns, player.now()))
            }}
          />
        ) : null}
      </div>
      {children}
    </WithRail>
  )
}

/** The original is looked into where it is shown: a hit and a word in doubt are in it. */
function useInLanguage(
  { translation, turns, view }: ShownTranslation,
  isLookedInto: boolean,
): InLanguage | null {
  const language = turns && translation ? translation.language : null
  const isAlone = view === 'only' && !isLookedInto
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
  { words: { turns }, edits, toCheck }: Reader,
  { list, showTurn }: { list: RefObject<HTMLElement | null>; showTurn: ShowTurn },
) {
  const [editing, setEditingState] = useState<Editing | null>(null)
  const setEditing = (next: Editing | null) => {
    if (editing && editing.id !== next?.id) void edits?.drafts.flush(editing.id)
    setEditingState(next)
    if (next === null)
      focusTurn(
        list,
        turns.findIndex(({ id }) => id === editing?.id),
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

/** What is said above the text, and whose turns are shown. */
function Notes({
  reader,
  checking,
  isUnderlined,
  onClosePanel,
  onAgain,
}: {
  reader: Reader
  checking: Checking
  isUnderlined: boolean
  onClosePanel: () => void
  onAgain: ReadingProps['onAgain']
}) {
  const { words, note, carried, edits, only, setOnly } = reader
  return (
    <>
      {carried.isNewElsewhere ? <NewElsewhere id={reader.transcription.id} /> : null}
      {carried.isShown && carried.carried && edits ? (
        <AgainPanel
          id={reader.transcription.id}
          shown={reader}
          decide={edits.decide}
          carried={carried.carried}
          keptUntil={carried.keptUntil}
          onClose={onClosePanel}
        />
      ) : null}
      {words.fixed ? <FixedNote reader={reader} fixed={words.fixed} /> : null}
      {note.isShown && note.doubt === null ? <DoubtUnknownNote onHide={note.hide} /> : null}
      {note.isShown && note.doubt && edits && !checking.isOpen ? (
        <DoubtNote
          doubt={note.doubt}
          sound={words.sound}
          checks={reader.checks.length}
          isUnderlined={isUnderlined}
          isMain={!reader.isReplacing && !carried.isShown && reader.panel === null}
          onCheck={checking.open}
          onAgain={onAgain}
          onHide={note.hide}
        />
      ) : null}
      {only === null ? null : (
        <p role="status" className="mt-2 flex items-center gap-3 text-small text-ink-2">
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
  { words: { turns }, places, player, edits, only, askName }: Reader,
  {
    list,
    field,
    openReplace,
    checking,
    showTurn,
    currentTurn,
    correct,
    takeStep,
  }: {
    takeStep: Step
    list: RefObject<HTMLElement | null>
    field: RefObject<HTMLInputElement | null>
    openReplace: () => void
    checking: Checking
    showTurn: ShowTurn
    /** The turn that has the focus, or else the one that is being said. */
    currentTurn: () => number
    correct: (letters: Letters) => void
  },
): void {
  const step = (by: 'undo' | 'redo') => {
    if (edits) void takeStep(by)
    return edits !== null
  }
  useReadingKeys({
    search: () => {
      field.current?.focus()
      return true
    },
    replace: () => {
      if (edits) openReplace()
      return edits !== null
    },
    check: ({ steps }) => {
      if (checking.items.length === 0) return false
      if (checking.isOpen) checking.move(steps)
      else checking.open()
      return true
    },
    turn: ({ steps }) => {
      const next = nextShown(turns, only, focusedTurn() ?? -1, steps)
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
      askName({ speaker: turn.speaker, turn, from })
      return true
    },
    undo: () => step('undo'),
    redo: () => step('redo'),
  })
}

/** What is taken back may be far from what is in sight: it is gone to. */
function useStep(
  { words: { turns }, edits }: Reader,
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

/** Shows on the wave where the words are that are being checked. */
function useMarksOf({ isOpen, items }: Checking, onChecks: ReadingProps['onChecks']): void {
  const tell = useEffectEvent(onChecks)
  useEffect(() => {
    tell(isOpen ? items.map(({ first }) => first.startMs / 1000) : null)
    return () => tell(null)
  }, [isOpen, items])
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
  reader: { words, player },
  search,
  showTurn,
}: Pick<ReadingProps, 'at' | 'searched' | 'jump' | 'onJumped' | 'reader'> & {
  search: Search
  showTurn: ShowTurn
}): void {
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

/**
 * Scrolls, before anything is drawn, so that the turn that was being read is where it was. It stays
 * there when another one is being played.
 */
function useStaying(
  stay: ScrollAnchor | null,
  {
    list,
    turns,
    player,
    following,
  }: {
    list: RefObject<HTMLElement | null>
    turns: readonly WordTurn[]
    player: Player | null
    following: { setFollowing: (on: boolean) => void }
  },
): void {
  const scroll = useEffectEvent((place: ScrollAnchor) => {
    const turn = turnElement(list.current, Math.max(0, turnIndexAt(turns, place.seconds)))
    if (!turn) return
    if (player?.getState().isPlaying) following.setFollowing(false)
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
