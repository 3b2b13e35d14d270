import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import type { AskPanelState } from '#features/asking/ui/use-ask-panel.ts'
import { chaptersByTurn } from '#features/chapters/ui/chapters.ts'
import { struckLetters } from '#features/cuts/ui/cut-words.ts'
import { useLaterRooms } from '#features/library/ui/later-rooms.ts'
import type { WordTurn } from '#features/text/contract.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { useGroups } from '#features/text/ui/turn-groups.ts'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again-run.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import type { ShownTranslation } from '#features/translations/ui/use-translation.ts'
import { forOthers } from '#web/for-others.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { WithBars, useVeil } from '#web/ui/with-bars.tsx'
import { WithRail } from '#web/ui/with-rail.tsx'
import { TALL, useMedia } from '#web/use-media.ts'

import { useChecking } from '../checking/use-checking.ts'
import type { Search } from '../find/use-search.ts'
import {
  AgainPanel,
  AskPanel,
  CheckQueue,
  ClipPanel,
  NewElsewhere,
  ReplaceBox,
  SelectionBar,
  TidyPanel,
  TranslationLine,
} from '../later.tsx'
import { useReadingKeys } from '../keys/use-reading-keys.ts'
import type { Result } from '../result.ts'
import { keep, kept, printsSummary, underlines } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { type ScrollAnchor, useLanding, usePassage, useStaying } from './landing.ts'
import { focusedTurn, isLeftBehind, useTextKeys } from './text-keys.ts'
import { useTextMarks } from './text-marks.ts'
import { focusTurn, useEditing, useStep } from './use-editing.ts'
import { DoubtLine, isDoubtTold } from './doubt-line.tsx'
import type { Editing } from './editor-acts.ts'
import { FixedNote } from './fixed-note.tsx'
import { Transcript } from './transcript.tsx'
import type { InLanguage } from './turn-row.tsx'
import { type Following, type ShowTurn, useFollowing } from './use-following.ts'
import type { Letters } from './highlights.ts'
import { linkInto, linkTo, quoteOf, wordsOf } from './selected-words.ts'
import { useQuoting } from './use-quoting.ts'
import { selectedLetters, useSelection } from './use-selection.ts'
import { useTextSize } from './use-text-size.ts'

/** The shape of the clip that was chosen last is kept under this name. */
const LAST_SHAPE = 'clip-shape'

export interface ReadingProps {
  result: Result
  asking: AskPanelState
  search: Search
  /** The text in another language. */
  shown: ShownTranslation
  /** The second that the address asks for, and where a passage ends. */
  at: number | null
  to: number | null
  /** The words of the library search that led here. */
  searched: string
  /**
   * The second that the user has pressed, and where the player is already. It is cleared when used, so
   * that a second press works.
   */
  jump: number | null
  /** The second that was chosen by the wave last. */
  chosen: { seconds: number } | null
  /** The place that was being read, here or in the text of the running job. */
  stay: ScrollAnchor | null
  /** The text has been left for another tab, and is opened again. */
  isBack: boolean
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
  chosen,
  stay,
  isBack,
  onJumped,
  rail,
  children,
}: ReadingProps & { rail: ReactNode; children: ReactNode }) {
  const { text, sound, cuts, view } = result
  const { words, carried, places, toCheck, transcription } = text
  const { player, chapters } = sound
  const { beside, only } = view
  const { turns } = words
  const { linkForOthers, HidePanel } = useLaterRooms()
  const list = useRef<HTMLDivElement>(null)
  const isUnderlined = useSetting(underlines)
  const textSize = useTextSize()
  const open = useState<Editing | null>(null)
  const [editing] = open
  const following = useFollowing({ list, player, turns, places, isHeld: editing !== null })
  /** Shows a turn that the user jumped to. The page does not scroll back from there. */
  const showTurn: ShowTurn = (turn, letters) => {
    following.leave()
    following.showTurn(turn, letters)
  }
  const { setEditing, correct, correctNext } = useEditing(text, { list, showTurn, open, following })
  const checking = useChecking(result, { showTurn })
  useBesideText(beside?.kind ?? null, { setEditing, following })
  useTurnAlone(editing !== null, view)
  useHit(search, showTurn)
  // A link to a moment and a search may lead to any turn, so all turns are drawn at once.
  const isLed = at !== null || jump !== null || stay !== null
  const isLookedInto = search.wanted !== '' || checking.isOpen || beside?.kind === 'ask'
  const inLanguage = useInLanguage(shown, isLookedInto || editing !== null)
  const [groups, isWhole] = useGroups(turns, isLed || isLookedInto)
  const passage = beside?.kind === 'clip' ? beside.passage : null
  const inClip = useMemo(
    () => (passage ? struckLetters([passage], { turns, places }) : []),
    [passage, turns, places],
  )
  const veil = useVeil()
  useTextMarks({
    list,
    turns,
    veil,
    editing,
    groups,
    isWhole,
    search,
    asked: checking.item,
    inDoubt: toCheck,
    isUnderlined,
    struck: cuts.struck,
    proposed: cuts.proposed,
    inClip,
  })
  useLanding({ at, searched, isBack, jump, onJumped, result, search, showTurn: following.showTurn })
  usePassage(text, { at, to, list })
  useStaying(stay, { list, turns, following })
  useChosen(chosen, following)

  const goToQuote = useQuoting(result, {
    list,
    isOpen: beside?.kind === 'ask',
    showTurn: following.showTurn,
  })

  /** Asked when it comes: with the next key the focus is seen anyway. */
  const isByKeys = useRef(false)
  const currentTurn = () =>
    (isLeftBehind(player, { isByKeys: isByKeys.current }) ? null : focusedTurn()) ??
    turnIndexAt(turns, player?.now() ?? 0)
  /** To what opened it; to the text where that is gone, or in a menu on a phone. */
  const focusBack = () => {
    if (!view.focusBack()) focusTurn(list, currentTurn())
  }
  const closeAgain = () => {
    const hadFocus = document.activeElement?.closest('[data-side-panel]')
    carried.close()
    if (hadFocus) focusTurn(list, 0)
  }
  const takeStep = useStep(text, { list, showTurn })
  useTextKeys(result, { takeStep, list, checking, showTurn, currentTurn, correct })

  const panel =
    beside?.kind === 'ask' ? (
      <AskPanel
        reader={{ ...text, player, asking }}
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
    ) : beside?.kind === 'tidy' && player ? (
      <TidyPanel
        {...{ turns, places, player, cuts }}
        language={transcription.language}
        onShow={showTurn}
        onClose={() => {
          view.close('tidy')
          focusBack()
        }}
      />
    ) : beside?.kind === 'hide' && text.edits ? (
      <HidePanel
        key={beside.words}
        {...{ turns, player }}
        id={transcription.id}
        words={beside.words}
        onShow={showTurn}
        onClose={() => {
          view.close('hide')
          focusBack()
        }}
      />
    ) : beside?.kind === 'clip' && player ? (
      <ClipPanel
        {...{ transcription, words, places, player, cuts }}
        passage={beside.passage}
        lastShape={kept(LAST_SHAPE)}
        onShape={(shape) => keep(LAST_SHAPE, shape)}
        onShare={(file) => view.open({ kind: 'share', file })}
        onClose={() => {
          view.close('clip')
          focusBack()
        }}
      />
    ) : beside?.kind !== 'tools' &&
      beside?.kind !== 'chapters' &&
      carried.isShown &&
      carried.carried &&
      text.edits ? (
      <AgainPanel
        isBeside
        id={transcription.id}
        shown={{ ...text, player }}
        decide={text.edits.decide}
        carried={carried.carried}
        keptUntil={carried.keptUntil}
        onClose={closeAgain}
      />
    ) : null
  const selection = useSelection(text, list)
  // A key may come before the bar.
  const onSelected = (act: 'cut' | 'putBack') => () => {
    const run = cuts.actOn(selectedLetters(list.current))?.[act] ?? null
    run?.()
    return run !== null
  }
  /** Opens what makes a clip of these letters. */
  const openClip = (letters: readonly Letters[]): boolean => {
    const said = player ? wordsOf(letters, { turns, places }) : null
    if (!said) return false
    const passage = {
      startMs: Math.round(said.start * 1000),
      endMs: Math.round(said.end * 1000),
    }
    getSelection()?.empty()
    view.open({ kind: 'clip', passage })
    return true
  }
  const nameIn = ({ speaker }: WordTurn) =>
    speaker !== null && isToldApart(words) ? nameOf(speaker, words.speakers) : null
  const wordsOfSelection = () =>
    (selection?.letters ?? [])
      .map(({ turn, from, to }) => turns[turn]?.text.slice(from, to) ?? '')
      .join(' ')
  const hideSelected = () => view.open({ kind: 'hide', words: wordsOfSelection() })
  useReadingKeys({
    cut: onSelected('cut'),
    'put-back': onSelected('putBack'),
    clip: () => openClip(selectedLetters(list.current)),
    hide: () => {
      if (selection && text.edits) hideSelected()
      return selection !== null
    },
  })
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
        <Notes result={result} />
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
          {shown.isAsked ? (
            <TranslationLine
              id={transcription.id}
              shown={shown}
              className={classes(
                isWide &&
                  'roomy:absolute roomy:top-0 roomy:right-0 roomy:left-(--second) roomy:z-1',
                isAlone &&
                  isFirstHeaded &&
                  'roomy:absolute roomy:top-0 roomy:right-0 roomy:z-1 roomy:bg-paper roomy:pl-4',
              )}
              onLanguage={(from) => view.open({ kind: 'look' }, from)}
            />
          ) : null}
          <div
            className="relative"
            onFocus={({ target }) => {
              isByKeys.current = target.matches(':focus-visible')
            }}
          >
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
                  quote: () =>
                    forOthers(quoteOf(selection, { id: transcription.id, turns, nameIn })),
                  link: () => linkTo(transcription.id, selection),
                  linkForOthers: async () => {
                    const page = await linkForOthers(transcription.id)
                    return page === null ? null : linkInto(page, selection)
                  },
                  cut: cuts.offerFor(selection.letters),
                  play: player ? () => player.playFrom(selection.start, selection.end) : null,
                  correct: text.edits
                    ? () => {
                        const [first] = selection.letters
                        if (first) correct(first)
                      }
                    : null,
                  clip: player ? () => openClip(selection.letters) : null,
                  words: wordsOfSelection,
                  hide: text.edits ? hideSelected : null,
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

/** The summary, where it is printed before the text. */
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
            <WithBars isPlain text={paragraph} />
          </p>
        ))}
    </section>
  )
}

/** Lies over the text, which goes on under it. What is gone to stays below it. */
function Strip({ children }: { children: ReactNode }) {
  return (
    <div className="sticky top-(--below-tabs) z-10 -mt-2.5 mb-[calc(0.625rem+var(--strip-room,0px))] h-0 lg:-mt-3.5 lg:mb-[calc(0.875rem+var(--strip-room,0px))] max-lg:in-data-[reads=picture]:top-[calc(var(--below-head)+var(--picture-height))] print:hidden">
      <div ref={tellHeight}>{children}</div>
    </div>
  )
}

/** It grows with what is found. */
function tellHeight(strip: HTMLElement | null): (() => void) | undefined {
  if (!strip) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() =>
    style.setProperty('--strip-height', `${strip.clientHeight}px`),
  )
  observer.observe(strip)
  return () => {
    observer.disconnect()
    style.removeProperty('--strip-height')
    style.removeProperty('--strip-room')
  }
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
  const last = useRef<string | null>(null)
  useEffect(() => {
    if (kind === last.current) return
    last.current = kind
    onChange(kind)
  }, [kind])
}

/** In a low and narrow window a sheet leaves no room for an open turn: it goes when one is opened. */
function useTurnAlone(isEditing: boolean, { beside, closeBeside }: Result['view']): void {
  const isLow = useMedia(`(width < 64rem) and (not ${TALL})`)
  const clear = useEffectEvent(() => {
    if (isLow && (beside?.kind === 'check' || beside?.kind === 'ask')) closeBeside()
  })
  useEffect(() => {
    if (isEditing) clear()
  }, [isEditing])
}

/** Goes to what was chosen by the wave while the text is there. */
function useChosen(chosen: { seconds: number } | null, following: Following): void {
  const [first] = useState(chosen)
  const go = useEffectEvent(following.goTo)
  useEffect(() => {
    if (chosen && chosen !== first) go(chosen.seconds)
  }, [chosen, first])
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

/** The notes above the text, and whose turns are shown. */
function Notes({ result: { text, view } }: { result: Result }) {
  const { words, carried, transcription } = text
  const { only, setOnly } = view
  return (
    <>
      {carried.isNewElsewhere ? <NewElsewhere id={transcription.id} /> : null}
      {words.fixed ? <FixedNote text={text} fixed={words.fixed} /> : null}
      {only === null ? null : (
        <p role="status" className="mb-2 flex items-center gap-3 text-small text-ink-2">
          <span>
            Only the turns of{' '}
            <strong className="font-[650] text-ink">
              <WithBars isPlain text={nameOf(only, words.speakers)} />
            </strong>{' '}
            are shown.
          </span>
          <button type="button" className="min-h-6 text-link" onClick={() => setOnly(null)}>
            Show all
          </button>
        </p>
      )}
    </>
  )
}

function BackToPlayhead({ onBack }: { onBack: () => void }) {
  return (
    // It rests on the end of the text, so that it never covers what stands below that.
    <div className="pointer-events-none sticky bottom-[calc(var(--player-height,0px)+var(--sheet-height,0px)+1rem+env(safe-area-inset-bottom))] z-10 h-0 print:hidden">
      <Button
        size="small"
        className="pointer-events-auto absolute bottom-0 left-1/2 -translate-x-1/2 border-line bg-card! shadow-float"
        onClick={onBack}
      >
        Back to where it plays
      </Button>
    </div>
  )
}
