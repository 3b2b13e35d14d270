import {
  Fragment,
  type ReactNode,
  type RefObject,
  memo,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import type { Edited, Words, WordTurn } from '#features/text/contract.ts'
import type { Draft } from '#features/text/ui/drafts.ts'
import { freeTime } from '#features/text/ui/free-time.ts'
import { type Group, isLongText } from '#features/text/ui/turn-groups.ts'
import { placeInTurn } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import type { Chapter } from '#features/transcriptions/contract.ts'
import type { ShownTurn } from '#features/translations/ui/use-translation.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import type { Player } from '#web/player.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { ConflictBox } from './conflict-box.tsx'
import { ChapterHeading } from '#features/chapters/ui/chapter-heading.tsx'
import { chaptersByTurn } from '#features/chapters/ui/chapters.ts'
import { type Edits, useDraft, useDrafts } from '../edits.ts'
import { onSet, singleKeys } from '../keys/keys.ts'
import { letterAt } from './highlights.ts'
import type { Reader } from '../reader.ts'
import { type Cursor, type EditorActs, TurnEditor } from './turn-editor.tsx'
import {
  type InLanguage,
  InOther,
  TurnHead,
  TurnRow,
  type TurnActs,
  rowClasses,
} from './turn-row.tsx'

/** The assumed height of a turn that was not in sight yet. */
const GUESSED_PX = 88

/** Takes a change back or makes it again, and shows where that was. */
export type Step = (by: 'undo' | 'redo') => Promise<Edited | null>

/** The turn that is being corrected, and where its cursor stands. */
export interface Editing {
  id: string
  cursor: Cursor
}

/**
 * The transcript, turn by turn. All turns are in the page, so that the browser's own search finds
 * their text.
 */
export function Transcript({
  reader,
  list,
  editing,
  setEditing,
  onNextCheck,
  onStep,
  onEditChapter,
  groups,
  inLanguage,
  translated,
}: {
  reader: Reader
  list: RefObject<HTMLDivElement | null>
  editing: Editing | null
  setEditing: (editing: Editing | null) => void
  onNextCheck: (turn: WordTurn, at: number) => void
  onStep: Step
  /** Opens the name and the place of a chapter, by its beginning. */
  onEditChapter: (start: number) => void
  /** The groups that are drawn already. */
  groups: readonly Group[]
  inLanguage: InLanguage | null
  /** By the id of the turn. */
  translated: ReadonlyMap<string, ShownTurn> | null
}) {
  const { words, player, edits, only, transcription, chapters } = reader
  const { turns, speakers } = words
  const { language } = transcription
  const apart = isToldApart(words)
  const rowActs = useRowActs({ reader, setEditing, list })
  const heads = useMemo(
    () => chaptersByTurn(chapters.list, turns, only),
    [chapters.list, turns, only],
  )
  const latestEdit = useLatest(onEditChapter)
  const [editChapter] = useState(() => (start: number) => latestEdit.current(start))
  const editorActs = useEditorActs({ reader, setEditing, onNextCheck, onStep })
  usePressedWords({ list, reader, setEditing })
  // Who has switched them off reaches all that they do by the Tab key.
  const isOneStop = useSyncExternalStore(onSet, singleKeys.isOn)
  const can = { canPlay: player !== null, canEdit: edits !== null, isOneStop }
  return (
    <>
      {edits ? <OrphanDrafts edits={edits} turns={turns} /> : null}
      <div ref={list} className="py-3">
        {groups.map((group) => (
          <TurnGroup
            key={group.from}
            {...group}
            {...can}
            isLong={isLongText(turns)}
            only={only}
            heads={heads}
            onEditChapter={chapters.canEdit ? editChapter : null}
            speakers={speakers}
            isToldApart={apart}
            language={language}
            edits={edits}
            inLanguage={inLanguage}
            translated={translated}
            player={player}
            acts={rowActs}
            editorActs={editorActs}
            editing={group.turns.some(({ id }) => id === editing?.id) ? editing : null}
          />
        ))}
      </div>
    </>
  )
}

/** A part of a long text. A change in one part does not draw the others again. */
const TurnGroup = memo(function TurnGroup({
  from,
  turns,
  isLong,
  only,
  heads,
  onEditChapter,
  speakers,
  isToldApart,
  language,
  edits,
  player,
  acts,
  editorActs,
  canPlay,
  canEdit,
  isOneStop,
  inLanguage,
  translated,
  editing,
}: Group & {
  isLong: boolean
  only: number | null
  /** The chapters that stand above turns, by the place of the turn. */
  heads: ReadonlyMap<number, readonly Chapter[]>
  onEditChapter: ((start: number) => void) | null
  speakers: Words['speakers']
  isToldApart: boolean
  language: string | null
  edits: Edits | null
  player: Player | null
  acts: TurnActs
  editorActs: EditorActs
  canPlay: boolean
  canEdit: boolean
  isOneStop: boolean
  inLanguage: InLanguage | null
  translated: ReadonlyMap<string, ShownTurn> | null
  /** Null when no turn of this group is being corrected. */
  editing: Editing | null
}) {
  const headed = turns.flatMap((_, index) => heads.get(from + index) ?? []).length
  const guessed = (turns.length + headed) * GUESSED_PX
  return (
    <ol
      className={isLong ? '-mx-4 px-4 [content-visibility:auto]' : undefined}
      style={isLong ? { containIntrinsicSize: `auto ${guessed}px` } : undefined}
    >
      {turns.map((turn, index) => {
        if (only !== null && turn.speaker !== only) return null
        const name = nameOf(turn.speaker, speakers)
        const head = { name, isToldApart, acts, canPlay, canEdit }
        const row =
          editing?.id === turn.id && edits ? (
            <li data-turn={from + index} className={rowClasses(isToldApart, inLanguage)}>
              <div className="mb-1 flex items-center gap-x-3 roomy:mb-0 roomy:block roomy:pt-2.5">
                <TurnHead turn={turn} {...head} />
              </div>
              <WithDraft edits={edits} turn={turn}>
                {(draft) => (
                  <TurnEditor
                    turn={turn}
                    name={name}
                    draft={draft}
                    cursor={editing.cursor}
                    language={language}
                    player={player}
                    acts={editorActs}
                  />
                )}
              </WithDraft>
              {inLanguage ? (
                <InOther {...inLanguage} translation={translated?.get(turn.id)} />
              ) : null}
            </li>
          ) : (
            <TurnWithDraft
              edits={edits}
              turn={turn}
              place={from + index}
              language={language}
              isOneStop={isOneStop}
              inLanguage={inLanguage}
              translation={translated?.get(turn.id)}
              {...head}
            />
          )
        return (
          <Fragment key={turn.id}>
            {heads.get(from + index)?.map((chapter) => (
              <ChapterHeading key={chapter.start} chapter={chapter} onEdit={onEditChapter} />
            ))}
            {row}
          </Fragment>
        )
      })}
    </ol>
  )
})

type RowProps = Omit<React.ComponentProps<typeof TurnRow>, 'text'>

/**
 * A turn that is being read. It shows its draft, where it has one. The row stays the same element
 * when the text can no longer be changed, or its marks would be lost.
 */
const TurnWithDraft = memo(function TurnWithDraft({
  edits,
  ...row
}: RowProps & { edits: Edits | null }) {
  const draft = useDraft(edits, row.turn.id)
  if (!edits || !draft) return <TurnRow {...row} text={row.turn.text} />
  if (draft.status !== 'conflict' && draft.status !== 'refused')
    return <TurnRow {...row} text={draft.text} />
  return (
    <>
      <TurnRow {...row} text={row.turn.text} />
      <li>
        <Conflict edits={edits} turn={row.turn} />
      </li>
    </>
  )
})

function WithDraft({
  edits,
  turn,
  children,
}: {
  edits: Edits
  turn: WordTurn
  children: (draft: Draft | undefined) => ReactNode
}) {
  const draft = useDraft(edits, turn.id)
  return (
    <div>
      {children(draft)}
      <Conflict edits={edits} turn={turn} />
    </div>
  )
}

function Conflict({ edits, turn }: { edits: Edits; turn: WordTurn }) {
  const draft = useDraft(edits, turn.id)
  if (!draft) return null
  return (
    <ConflictBox
      draft={draft}
      isGone={false}
      onMine={() => edits.drafts.takeMine(turn.id)}
      onTheirs={() => edits.takeTheirs(turn.id)}
    />
  )
}

/**
 * Shows drafts of turns that are gone, because they were joined or restored elsewhere, until the
 * user drops them.
 */
function OrphanDrafts({ edits, turns }: { edits: Edits; turns: Words['turns'] }) {
  const drafts = useDrafts(edits)
  if (drafts.size === 0) return null
  const ids = new Set(turns.map(({ id }) => id))
  return [...drafts]
    .filter(([id]) => !ids.has(id))
    .map(([id, draft]) => (
      <ConflictBox
        key={id}
        draft={draft}
        isGone
        onMine={() => undefined}
        onTheirs={() => edits.drafts.forget(id)}
      />
    ))
}

/** Handlers that stay the same objects, so that memoized rows are not drawn again. */
function useRowActs({
  reader: { player, askName },
  setEditing,
  list,
}: {
  reader: Reader
  setEditing: (editing: Editing) => void
  list: RefObject<HTMLElement | null>
}): TurnActs {
  const latest = useLatest({ player, askName, setEditing })
  const [acts] = useState<TurnActs>(() => ({
    play: ({ start }) => latest.current.player?.playFrom(start),
    edit: ({ id, text }) =>
      latest.current.setEditing({ id, cursor: { from: text.length, to: text.length } }),
    name: (turn) =>
      latest.current.askName({
        speaker: turn.speaker,
        turn,
        from: (document.activeElement as HTMLElement | null) ?? list.current,
      }),
  }))
  return acts
}

/** A ref to the value of the last render. */
function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}

const offline = () =>
  toastFailure('Not connected', 'What you typed is kept. Splitting and joining need the server.')

function useEditorActs({
  reader: { edits, words, places, transcription },
  setEditing,
  onNextCheck,
  onStep,
}: {
  reader: Reader
  setEditing: (editing: Editing | null) => void
  onNextCheck: (turn: WordTurn, at: number) => void
  onStep: Step
}): EditorActs {
  const { duration } = transcription
  const latest = useLatest({ edits, words, places, duration, setEditing, onNextCheck, onStep })
  const [acts] = useState<EditorActs>(() => {
    const turnNow = (id: string) => latest.current.words.turns.find((turn) => turn.id === id)
    const close = () => latest.current.setEditing(null)
    /** Stores what was typed into a turn, and answers the stored turn; null if that fails now. */
    const stored = async (turn: WordTurn): Promise<WordTurn | null> => {
      if (!(await latest.current.edits?.drafts.flush(turn.id))) {
        offline()
        return null
      }
      // Waits a moment, in which React draws the stored turn.
      await new Promise((resolve) => setTimeout(resolve, 0))
      return turnNow(turn.id) ?? null
    }
    const done = (turn: WordTurn) => {
      void latest.current.edits?.drafts.flush(turn.id)
      close()
    }
    return {
      type: (turn, text) => latest.current.edits?.drafts.type(turn, text),
      save: (turn) => void latest.current.edits?.drafts.flush(turn.id),
      done,
      cancel: (turn, before, typed) => {
        latest.current.edits?.leave(turnNow(turn.id) ?? turn, before, typed)
        close()
      },
      undo: async (turn) => {
        const { turns } = latest.current.words
        const previous = turns[turns.findIndex(({ id }) => id === turn.id) - 1]
        const edited = await latest.current.onStep('undo')
        // The turn was the second half of one that is whole again.
        if (!edited?.removed.includes(turn.id) || !previous) return
        const at = previous.text.length
        latest.current.setEditing({ id: previous.id, cursor: { from: at, to: at } })
      },
      redo: () => void latest.current.onStep('redo'),
      split: async (turn, text, at) => {
        // At the end there is nothing to split: as everywhere else Enter is the end of writing.
        if (text.slice(at).trim() === '') return done(turn)
        if (text.slice(0, at).trim() === '') {
          toast({ title: 'Nothing to split', description: 'Put the cursor between two words.' })
          return
        }
        const now = await stored(turn)
        const edited = now && (await latest.current.edits?.split(now, at, text))
        const second = edited?.turns.find(({ id }) => id !== turn.id)
        if (second) latest.current.setEditing({ id: second.id, cursor: { from: 0, to: 0 } })
      },
      merge: async (turn, text) => {
        const { turns } = latest.current.words
        const previous = turns[turns.findIndex(({ id }) => id === turn.id) - 1]
        if (!previous) return
        const now = await stored(turn)
        const before = now && (await stored(previous))
        const edited = before && (await latest.current.edits?.merge(now, before, text))
        if (!edited) return
        const at = before.text.length + (text.trim() === '' ? 0 : 1)
        latest.current.setEditing({ id: previous.id, cursor: { from: at, to: at } })
      },
      mergeNext: async (turn) => {
        const { turns } = latest.current.words
        const next = turns[turns.findIndex(({ id }) => id === turn.id) + 1]
        if (!next) return
        const now = await stored(turn)
        const after = now && (await stored(next))
        const edited = after && (await latest.current.edits?.merge(after, now, after.text))
        if (!edited) return
        const at = now.text.length
        latest.current.setEditing({ id: now.id, cursor: { from: at, to: at } })
      },
      beside: (turn) => {
        const { turns } = latest.current.words
        return { before: turns[0]?.id !== turn.id, after: turns.at(-1)?.id !== turn.id }
      },
      freeTime: (turn) => freeTime(latest.current.words.turns, turn.id, latest.current.duration),
      retime: async (turn, times) => {
        const now = await stored(turn)
        return now !== null && (await latest.current.edits?.retime(now, times)) !== null
      },
      restore: (turn) => {
        latest.current.edits?.drafts.forget(turn.id)
        void latest.current.edits?.restore(turnNow(turn.id) ?? turn)
      },
      speaker: (turn, number) => {
        const speaker = latest.current.words.speakers[number - 1]
        if (speaker) void latest.current.edits?.assign(turn.id, { speaker: speaker.speaker })
      },
      nextCheck: (turn, at) => latest.current.onNextCheck(turn, at),
      accept: (turn, at) => {
        const place = latest.current.words.turns.findIndex(({ id }) => id === turn.id)
        const word = placeInTurn(latest.current.places, place, at)
        if (word) void latest.current.edits?.accept(turnNow(turn.id) ?? turn, [word.index])
      },
    }
  })
  return acts
}

/** A press on a word plays from it, a double press corrects it. Text can still be selected. */
function usePressedWords({
  list,
  reader: { player, places, words, edits },
  setEditing,
}: {
  list: RefObject<HTMLElement | null>
  reader: Reader
  setEditing: (editing: Editing) => void
}): void {
  const wasPlaying = useRef(false)
  const onPress = useEffectEvent((event: MouseEvent) => {
    if (!player || event.button !== 0 || event.detail > 1) return
    if (getSelection()?.isCollapsed === false) return
    const other = event.target instanceof Element && event.target.closest('[data-translation]')
    const said =
      other && words.turns[Number(other.closest<HTMLElement>('[data-turn]')?.dataset['turn'])]
    if (said) {
      player.playFrom(said.start)
      return
    }
    const letter = letterAt(event.clientX, event.clientY)
    const place = letter && placeInTurn(places, letter.turn, letter.offset)
    const turn = letter && words.turns[letter.turn]
    if (!turn) return
    wasPlaying.current = player.getState().isPlaying
    player.playFrom(place ? place.startMs / 1000 : turn.start)
  })
  const onDouble = useEffectEvent((event: MouseEvent) => {
    const letter = letterAt(event.clientX, event.clientY)
    const turn = letter && words.turns[letter.turn]
    if (!turn || !edits) return
    event.preventDefault()
    // The first press of the two has begun to play.
    if (!wasPlaying.current) player?.pause()
    const place = placeInTurn(places, letter.turn, letter.offset)
    getSelection()?.removeAllRanges()
    setEditing({
      id: turn.id,
      cursor: place
        ? { from: place.from, to: place.to }
        : { from: letter.offset, to: letter.offset },
    })
  })
  useEffect(() => {
    const element = list.current
    if (!element) return
    const press = (event: MouseEvent) => onPress(event)
    const double = (event: MouseEvent) => onDouble(event)
    element.addEventListener('click', press)
    element.addEventListener('dblclick', double)
    return () => {
      element.removeEventListener('click', press)
      element.removeEventListener('dblclick', double)
    }
  }, [list])
}
