import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'

import { fold } from '#shared/fold.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'

import type { WordTurn } from '../contract.ts'
import { CheckQueue } from './check-queue.tsx'
import { DoubtNote } from './doubt-note.tsx'
import { FindBar } from './find-bar.tsx'
import { type Hit, findIn } from './find.ts'
import { type Letters, mark, unmark } from './highlights.ts'
import type { ReadingAct } from './keys.ts'
import { RailKeyPoints, TalkTime, Topics } from './rail.tsx'
import type { Reader } from './reader.ts'
import { SaveState } from './save-state.tsx'
import { nameOf } from './spoken.ts'
import { type Editing, Transcript } from './transcript.tsx'
import { useGroups } from './turn-groups.ts'
import { type ShowTurn, turnElement, useFollowing } from './use-following.ts'
import { useReadingKeys } from './use-reading-keys.ts'
import { WithRail } from './with-rail.tsx'
import { type WordPlace, placeInTurn, turnIndexAt } from './word-places.ts'

export function TranscriptionTab({
  reader,
  at,
  jump,
  onJumped,
  onMarks,
}: {
  reader: Reader
  /** The second a link leads to. */
  at: number | null
  /** The second the reader asked for; taken once, so that it can be asked for again. */
  jump: number | null
  onJumped: () => void
  /** Seconds of what was searched for, to be shown on the wave. */
  onMarks: (seconds: readonly number[]) => void
}) {
  const { transcription, words, voices } = reader
  const { transcriptionText, language, engine, keyPoints, topics } = transcription
  const text = transcriptionText?.trim() ?? ''
  if (text === '' && words.turns.length === 0)
    return <EmptyPad className="mt-8" text="No transcription available" />
  return (
    <WithRail
      rail={
        <>
          <RailKeyPoints keyPoints={keyPoints} />
          <Topics topics={topics} id="rail-topics" />
          <TalkTime
            voices={voices}
            id="rail-talk-time"
            only={reader.only}
            onOnly={reader.setOnly}
          />
        </>
      }
    >
      {words.turns.length > 0 ? (
        <Reading {...{ reader, at, jump, onJumped, onMarks }} />
      ) : (
        <div
          className="max-w-[66ch] space-y-4 py-6 text-reading"
          dir="auto"
          lang={language ?? undefined}
        >
          {text.split(/\n+/).map((paragraph, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
            <p key={index}>{paragraph}</p>
          ))}
        </div>
      )}
      <div className="pt-2 pb-8 text-small text-ink-2">
        {engine === 'pocketsphinx' ? (
          <p>Recognized by the embedded engine, English only. Check before you quote.</p>
        ) : null}
        <RestoreAll reader={reader} />
      </div>
    </WithRail>
  )
}

/** Of what is searched for, the browser is not asked to paint more than this at once. */
const MOST_MARKED = 2000
const PLAY_BEFORE_S = 1.2
const PLAY_AFTER_S = 1.2

function Reading({
  reader,
  at,
  jump,
  onJumped,
  onMarks,
}: {
  reader: Reader
  at: number | null
  jump: number | null
  onJumped: () => void
  onMarks: (seconds: readonly number[]) => void
}) {
  const { words, places, toCheck: queue, note, player, edits, only, setOnly, askName } = reader
  const { turns } = words
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [editing, setEditingState] = useState<Editing | null>(null)
  const [wanted, setWanted] = useState('')
  // A link with a moment opens somewhere in it, and a search leads anywhere.
  const [groups, isWhole] = useGroups(turns, at !== null || jump !== null || wanted !== '')
  const [size, nextSize] = useTextSize()
  const following = useFollowing({ list, player, turns, places })
  /** A jump of the reader's own: the page does not run back to what is being said. */
  const showTurn: ShowTurn = (turn, letters) => {
    if (player?.getState().isPlaying) following.setFollowing(false)
    following.showTurn(turn, letters)
  }

  const [hitAt, setHitAt] = useState<number | null>(null)
  const hits = useHits(turns, wanted, only)
  const hit = hitAt === null ? undefined : hits[Math.min(hitAt, hits.length - 1)]

  const [isUnderlined, setUnderlined] = useUnderlines()
  const [checkAt, setCheckAt] = useState<number | null>(null)
  const checkToggle = useRef<HTMLButtonElement>(null)
  const checking = checkAt === null ? undefined : queue[Math.min(checkAt, queue.length - 1)]

  useEffect(() => {
    if (!isWhole) return
    // A turn that is being corrected has no text to mark; when it has one again, it is marked anew.
    const isRead = ({ turn }: Letters) => turns[turn]?.id !== editing?.id
    const first = Math.max(0, (hitAt ?? 0) - MOST_MARKED / 2)
    const near = hits.slice(first, first + MOST_MARKED)
    mark('hit', list.current, near.filter(isRead))
    mark('hit-now', list.current, (hit ? [hit] : checking ? [checking] : []).filter(isRead))
    return () => unmark('hit', 'hit-now')
  }, [hits, hit, hitAt, checking, turns, editing, isWhole])
  // Apart from the marks that move: there may be thousands of these, and they stay.
  useEffect(() => {
    if (!isWhole || !isUnderlined) return
    const isRead = ({ turn }: Letters) => turns[turn]?.id !== editing?.id
    mark('check', list.current, queue.filter(isRead))
    return () => unmark('check')
  }, [queue, isUnderlined, turns, editing, isWhole])

  const setEditing = (next: Editing | null) => {
    if (editing && editing.id !== next?.id) void edits?.drafts.flush(editing.id)
    setEditingState(next)
    if (next === null) focusTurn(turns.findIndex(({ id }) => id === editing?.id))
  }
  const focusTurn = (place: number) =>
    requestAnimationFrame(() => turnElement(list.current, place)?.focus({ preventScroll: true }))
  const goToHit = (to: number) => {
    if (hits.length === 0) return
    const next = (to + hits.length) % hits.length
    setHitAt(next)
    const place = hits[next]
    if (place) showTurn(place.turn, place)
  }
  const goToCheck = (to: number) => {
    if (queue.length === 0) return setCheckAt(0)
    const next = (to + queue.length) % queue.length
    setCheckAt(next)
    const place = queue[next]
    if (place) showTurn(place.turn, place)
  }
  const closeCheck = () => {
    setCheckAt(null)
    // When all are checked the button has gone too, and the text is what is left to do.
    if (queue.length > 0) checkToggle.current?.focus()
    else focusTurn(currentTurn())
  }
  const onNextCheck = (turn: WordTurn, offset: number) => {
    const place = turns.findIndex(({ id }) => id === turn.id)
    const next = queue.find(
      (word) => word.turn > place || (word.turn === place && word.from > offset),
    )
    const owner = next && turns[next.turn]
    if (!owner) return
    setEditing({ id: owner.id, cursor: { from: next.from, to: next.to } })
    showTurn(next.turn)
  }
  const correct = ({ turn, from, to }: Letters) => {
    const owner = turns[turn]
    if (owner) setEditing({ id: owner.id, cursor: { from, to } })
  }

  useLanding({ at, jump, onJumped, reader, showTurn: following.showTurn })
  useMarks({ hits, places, turns, onMarks })
  useReadingKeys((act) => keyAct(act))

  function keyAct(act: ReadingAct): boolean {
    switch (act.kind) {
      case 'search':
        field.current?.focus()
        return true
      case 'check':
        if (queue.length === 0) return false
        goToCheck(checkAt === null ? 0 : checkAt + act.steps)
        return true
      case 'turn': {
        const next = nextShown(turns, only, focusedTurn() ?? -1, act.steps)
        if (next === null) return false
        showTurn(next)
        turnElement(list.current, next)?.focus({ preventScroll: true })
        return true
      }
      case 'play-turn': {
        const turn = turns[focusedTurn() ?? -1]
        if (!turn || !player) return false
        player.playFrom(turn.start)
        return true
      }
      case 'edit-turn': {
        const turn = turns[currentTurn()]
        if (!turn || !edits) return false
        setEditing({ id: turn.id, cursor: { from: turn.text.length, to: turn.text.length } })
        showTurn(currentTurn())
        return true
      }
      case 'rename': {
        const place = currentTurn()
        const turn = turns[place]
        if (!turn || !edits) return false
        const from = turnElement(list.current, place)?.querySelector<HTMLElement>(
          '[data-name-button]',
        )
        askName({ speaker: turn.speaker, turn, from: from ?? null })
        return true
      }
      case 'toggle':
      case 'skip':
      case 'speed':
      case 'tab':
      case 'upload':
      case 'undo':
      case 'help':
        return false // Of the whole result, whichever tab is open.
    }
  }
  const focusedTurn = (): number | null => {
    const element = document.activeElement?.closest<HTMLElement>('[data-turn]')
    return element ? Number(element.dataset['turn']) : null
  }
  const currentTurn = () => focusedTurn() ?? turnIndexAt(turns, player?.now() ?? 0)

  return (
    <div style={{ '--text-turn': `${size.rem}rem` } as React.CSSProperties}>
      <div className="top-[60px] z-10 -mx-4 bg-paper px-4 py-3 sm:sticky lg:pt-5 print:hidden">
        <div className="flex flex-wrap items-center gap-2.5">
          <FindBar
            field={field}
            wanted={wanted}
            onWanted={(next) => {
              setWanted(next)
              setHitAt(null)
            }}
            count={hits.length}
            at={hitAt === null ? null : Math.min(hitAt, hits.length - 1)}
            onMove={(steps) => goToHit(hitAt === null ? Math.min(0, steps) : hitAt + steps)}
          />
          {queue.length === 0 && checkAt === null ? null : (
            <Button
              ref={checkToggle}
              size="small"
              aria-expanded={checkAt !== null}
              onClick={() => (checkAt === null ? goToCheck(0) : setCheckAt(null))}
            >
              Words to check
              <span className="tabular-nums">{queue.length.toLocaleString('en-US')}</span>
            </Button>
          )}
          {player ? (
            <Toggle isOn={following.isFollowing} onChange={following.setFollowing}>
              Follow
            </Toggle>
          ) : null}
          {queue.length === 0 ? null : (
            <Toggle isOn={isUnderlined} onChange={setUnderlined}>
              Underline doubt
            </Toggle>
          )}
          <Button
            size="small"
            className="px-3! max-sm:hidden"
            aria-label={`A± text size: ${size.name}`}
            onClick={nextSize}
          >
            A±
          </Button>
          {edits ? <SaveState edits={edits} /> : null}
        </div>
        {checkAt === null ? null : (
          <CheckQueue
            queue={queue}
            at={Math.min(checkAt, queue.length - 1)}
            turns={turns}
            onMove={(steps) => goToCheck(checkAt + steps)}
            onPlay={
              player && checking
                ? () =>
                    player.playFrom(
                      checking.startMs / 1000 - PLAY_BEFORE_S,
                      checking.endMs / 1000 + PLAY_AFTER_S,
                    )
                : null
            }
            onAccept={() => {
              const turn = checking && turns[checking.turn]
              if (turn) void edits?.accept(turn, [checking.index])
              // The next one slides into this place.
              const next = queue[checkAt + 1]
              if (next) showTurn(next.turn, next)
              else setCheckAt(Math.max(0, queue.length - 2))
            }}
            onCorrect={() => checking && correct(checking)}
            onClose={closeCheck}
          />
        )}
      </div>
      {note.isShown && checkAt === null ? (
        <DoubtNote
          doubt={note.doubt}
          isUnderlined={isUnderlined}
          onCheck={() => goToCheck(0)}
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
      <Transcript
        reader={reader}
        list={list}
        editing={editing}
        setEditing={setEditing}
        onNextCheck={onNextCheck}
        groups={groups}
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
  )
}

function useHits(turns: readonly WordTurn[], wanted: string, only: number | null): Hit[] {
  const isWanted = wanted.trim() !== ''
  // Not before somebody searches: it goes through the whole text.
  const folded = useMemo(
    () => (isWanted ? turns.map(({ text }) => fold(text)) : []),
    [turns, isWanted],
  )
  return useMemo(
    () =>
      findIn(folded, wanted).filter(({ turn }) => only === null || turns[turn]?.speaker === only),
    [folded, wanted, only, turns],
  )
}

/** A link with a moment (`?at=`) opens there: the turn in sight, the player at the word. */
function useLanding({
  at,
  jump,
  onJumped,
  reader: { words, player },
  showTurn,
}: {
  at: number | null
  jump: number | null
  onJumped: () => void
  reader: Reader
  showTurn: (turn: number) => void
}): void {
  const land = useEffectEvent((seconds: number) => {
    player?.seek(seconds)
    const turn = Math.max(0, turnIndexAt(words.turns, seconds))
    // After the browser has restored the place of scrolling.
    requestAnimationFrame(() => showTurn(turn))
  })
  useEffect(() => {
    if (at !== null) land(at)
  }, [at])
  const jumpThere = useEffectEvent((seconds: number) => {
    land(seconds)
    onJumped()
  })
  useEffect(() => {
    if (jump !== null) jumpThere(jump)
  }, [jump])
}

function useMarks({
  hits,
  places,
  turns,
  onMarks,
}: {
  hits: readonly Hit[]
  places: readonly WordPlace[]
  turns: readonly WordTurn[]
  onMarks: (seconds: readonly number[]) => void
}): void {
  const tell = useEffectEvent(onMarks)
  const seconds = useMemo(
    () => [
      ...new Set(
        hits.map(({ turn, from }) => {
          const place = placeInTurn(places, turn, from)
          return place ? place.startMs / 1000 : (turns[turn]?.start ?? 0)
        }),
      ),
    ],
    [hits, places, turns],
  )
  useEffect(() => {
    tell(seconds)
    return () => tell([])
  }, [seconds])
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

function Toggle({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (on: boolean) => void
  children: string
}) {
  return (
    <label
      className={classes(
        'inline-flex h-9 cursor-pointer items-center gap-2.5 rounded-control border border-line px-3 text-small font-semibold hover:bg-paper-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-11',
        'max-sm:h-11',
      )}
    >
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-primary outline-none"
      />
      {children}
    </label>
  )
}

function BackToPlayhead({ onBack }: { onBack: () => void }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-[calc(var(--player-height,0px)+1rem+env(safe-area-inset-bottom))] z-10 flex justify-center">
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

const UNDERLINES_KEY = 'underlines'

/** Whether words in doubt are marked; remembered for all recordings in this browser. */
function useUnderlines(): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => localStorage.getItem(UNDERLINES_KEY) !== 'off')
  return [
    isOn,
    (next) => {
      localStorage.setItem(UNDERLINES_KEY, next ? 'on' : 'off')
      setOn(next)
    },
  ]
}

const sizes = [
  { name: 'small', rem: 1 },
  { name: 'medium', rem: 1.125 },
  { name: 'large', rem: 1.3125 },
] as const
const SIZE_KEY = 'transcript-size'

function useTextSize(): [(typeof sizes)[number], () => void] {
  const [index, setIndex] = useState(() => {
    const kept = sizes.findIndex(({ name }) => name === localStorage.getItem(SIZE_KEY))
    return kept < 0 ? 1 : kept
  })
  const size = sizes[index] ?? sizes[1]
  return [
    size,
    () => {
      const next = (index + 1) % sizes.length
      localStorage.setItem(SIZE_KEY, sizes[next]?.name ?? '')
      setIndex(next)
    },
  ]
}

/** Takes every correction of the text back at once; asked first, and it can be undone. */
function RestoreAll({ reader: { words, edits } }: { reader: Reader }) {
  const [isAsking, setAsking] = useState(false)
  const edited = words.turns.filter(({ isEdited }) => isEdited).length
  if (!edits || edited === 0) return null
  return (
    <p className="mt-2">
      {edited} {edited === 1 ? 'turn was' : 'turns were'} corrected by hand.{' '}
      <button type="button" className="min-h-6 text-link" onClick={() => setAsking(true)}>
        Restore the original text
      </button>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Restore the original text?"
        description="All turns become what the engine wrote, with its speakers. You can undo this."
      >
        <DialogActions className="*:w-full *:sm:w-auto">
          <Button onClick={() => setAsking(false)}>Keep the corrections</Button>
          <Button
            variant="danger"
            onClick={() => {
              void edits.restoreAll(words.revision)
              setAsking(false)
            }}
          >
            Restore the original
          </Button>
        </DialogActions>
      </AlertDialog>
    </p>
  )
}
