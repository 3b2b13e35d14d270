import {
  type ComponentProps,
  Fragment,
  type ReactNode,
  type RefObject,
  memo,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'

import { ChapterHeading } from '#features/chapters/ui/chapter-heading.tsx'
import { chaptersByTurn } from '#features/chapters/ui/chapters.ts'
import type { Words, WordTurn } from '#features/text/contract.ts'
import type { Draft } from '#features/text/ui/drafts.ts'
import { type Group, isLongText } from '#features/text/ui/turn-groups.ts'
import { placeInTurn } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import type { Chapter } from '#features/transcriptions/contract.ts'
import type { ShownTurn } from '#features/translations/ui/use-translation.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import type { Player } from '#web/player.ts'

import { ConflictBox } from './conflict-box.tsx'
import { type Edits, useDraft, useDrafts } from '../edits.ts'
import { singleKeys } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { letterAt } from './highlights.ts'
import type { Reader } from '../reader.ts'
import {
  type Cursor,
  type Editing,
  type EditorActs,
  type Step,
  at,
  editorActs,
} from './editor-acts.ts'
import { TurnEditor } from './turn-editor.tsx'
import {
  type InLanguage,
  InOther,
  type TurnActs,
  TurnHead,
  TurnRow,
  type TurnView,
  rowClasses,
} from './turn-row.tsx'

/** The assumed height of a turn that was not in sight yet. */
const GUESSED_PX = 88

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
  const isApart = isToldApart(words)
  const { acts, editChapter } = useStableActs({ reader, setEditing, onEditChapter, list })
  const presses = usePressedWords(reader, setEditing)
  const heads = useMemo(
    () => chaptersByTurn(chapters.list, turns, only),
    [chapters.list, turns, only],
  )
  // Who has switched them off reaches all that they do by the Tab key.
  const isOneStop = useSetting(singleKeys)
  const canPlay = player !== null
  const canEdit = edits !== null
  const view = useMemo(
    () => ({ language, isToldApart: isApart, canPlay, canEdit, isOneStop, inLanguage, acts }),
    [language, isApart, canPlay, canEdit, isOneStop, inLanguage, acts],
  )
  const place = edits && editing ? turns.findIndex(({ id }) => id === editing.id) : -1
  const open = turns[place]
  const editor =
    edits && editing && open ? (
      <EditedTurn
        turn={open}
        place={place}
        view={view}
        translation={translated?.get(open.id)}
        cursor={editing.cursor}
        speakers={speakers}
        player={player}
        edits={edits}
        acts={editorActs(open, { place, edits, reader, setEditing, onNextCheck, onStep })}
      />
    ) : null
  return (
    <>
      {edits ? <OrphanDrafts edits={edits} turns={turns} /> : null}
      {/* Keys have the buttons of each turn. */}
      <div ref={list} {...presses} className="py-3">
        {groups.map((group) => (
          <TurnGroup
            key={group.from}
            {...group}
            isLong={isLongText(turns)}
            only={only}
            heads={heads}
            onEditChapter={chapters.canEdit ? editChapter : null}
            speakers={speakers}
            edits={edits}
            view={view}
            translated={translated}
            {...(open && group.turns.includes(open) ? { editedId: open.id, editor } : {})}
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
  edits,
  view,
  translated,
  editedId,
  editor,
}: Group & {
  isLong: boolean
  only: number | null
  /** The chapters that stand above turns, by the place of the turn. */
  heads: ReadonlyMap<number, readonly Chapter[]>
  onEditChapter: ((start: number) => void) | null
  speakers: Words['speakers']
  edits: Edits | null
  view: TurnView
  translated: ReadonlyMap<string, ShownTurn> | null
  /** The turn of this group that is being corrected, and what stands in its place. */
  editedId?: string
  editor?: ReactNode
}) {
  const headed = turns.flatMap((_, index) => heads.get(from + index) ?? []).length
  const guessed = (turns.length + headed) * GUESSED_PX
  return (
    <ol
      className={isLong ? '-mx-4 px-4 [content-visibility:auto]' : undefined}
      style={isLong ? { containIntrinsicSize: `auto ${guessed}px` } : undefined}
    >
      {turns.map((turn, index) =>
        only !== null && turn.speaker !== only ? null : (
          <Fragment key={turn.id}>
            {heads.get(from + index)?.map((chapter) => (
              <ChapterHeading key={chapter.start} chapter={chapter} onEdit={onEditChapter} />
            ))}
            {turn.id === editedId ? (
              editor
            ) : (
              <TurnWithDraft
                edits={edits}
                turn={turn}
                place={from + index}
                name={nameOf(turn.speaker, speakers)}
                view={view}
                translation={translated?.get(turn.id)}
              />
            )}
          </Fragment>
        ),
      )}
    </ol>
  )
})

/**
 * A turn that is being read. It shows its draft, where it has one. The row stays the same element
 * when the text can no longer be changed, or its marks would be lost.
 */
const TurnWithDraft = memo(function TurnWithDraft({
  edits,
  ...row
}: Omit<ComponentProps<typeof TurnRow>, 'text'> & { edits: Edits | null }) {
  const draft = useDraft(edits, row.turn.id)
  if (!edits || !draft) return <TurnRow {...row} text={row.turn.text} />
  if (draft.status !== 'conflict' && draft.status !== 'refused')
    return <TurnRow {...row} text={draft.text} />
  return (
    <>
      <TurnRow {...row} text={row.turn.text} />
      <li>
        <Conflict edits={edits} turn={row.turn} draft={draft} />
      </li>
    </>
  )
})

/** A turn that is being corrected. */
function EditedTurn({
  turn,
  place,
  view,
  translation,
  cursor,
  speakers,
  player,
  edits,
  acts,
}: {
  turn: WordTurn
  place: number
  view: TurnView
  translation: ShownTurn | undefined
  cursor: Cursor
  speakers: Words['speakers']
  player: Player | null
  edits: Edits
  acts: EditorActs
}) {
  const { isToldApart, inLanguage, language } = view
  const draft = useDraft(edits, turn.id)
  const name = nameOf(turn.speaker, speakers)
  return (
    <li data-turn={place} className={rowClasses(isToldApart, inLanguage)}>
      <div className="mb-1 flex items-center gap-x-3 roomy:mb-0 roomy:block roomy:pt-2.5">
        <TurnHead turn={turn} name={name} view={{ ...view, isOneStop: false }} />
      </div>
      <div>
        <TurnEditor {...{ turn, name, draft, cursor, language, player, acts }} />
        {draft ? <Conflict edits={edits} turn={turn} draft={draft} /> : null}
      </div>
      {inLanguage ? <InOther {...inLanguage} translation={translation} /> : null}
    </li>
  )
}

function Conflict({ edits, turn, draft }: { edits: Edits; turn: WordTurn; draft: Draft }) {
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
function useStableActs({
  reader: { player, askName },
  setEditing,
  onEditChapter,
  list,
}: {
  reader: Reader
  setEditing: (editing: Editing) => void
  onEditChapter: (start: number) => void
  list: RefObject<HTMLElement | null>
}): { acts: TurnActs; editChapter: (start: number) => void } {
  const latest = useRef({ player, askName, setEditing, onEditChapter })
  useLayoutEffect(() => {
    latest.current = { player, askName, setEditing, onEditChapter }
  })
  const [stable] = useState(() => ({
    editChapter: (start: number) => latest.current.onEditChapter(start),
    acts: {
      play: ({ start }: WordTurn) => latest.current.player?.playFrom(start),
      edit: ({ id, text }: WordTurn) => latest.current.setEditing(at(id, text.length)),
      name: (turn: WordTurn) =>
        latest.current.askName({
          speaker: turn.speaker,
          turn,
          from: (document.activeElement as HTMLElement | null) ?? list.current,
        }),
    },
  }))
  return stable
}

/** A press on a word plays from it, a double press corrects it. Text can still be selected. */
function usePressedWords(
  { player, places, words: { turns }, edits }: Reader,
  setEditing: (editing: Editing) => void,
): Pick<ComponentProps<'div'>, 'onClick' | 'onDoubleClick'> {
  const wasPlaying = useRef(false)
  return {
    onClick: ({ button, detail, target, clientX, clientY }) => {
      if (!player || button !== 0 || detail > 1) return
      if (getSelection()?.isCollapsed === false) return
      const other = target instanceof Element && target.closest('[data-translation]')
      const said =
        other && turns[Number(other.closest<HTMLElement>('[data-turn]')?.dataset['turn'])]
      if (said) {
        player.playFrom(said.start)
        return
      }
      const letter = letterAt(clientX, clientY)
      const place = letter && placeInTurn(places, letter.turn, letter.offset)
      const turn = letter && turns[letter.turn]
      if (!turn) return
      wasPlaying.current = player.getState().isPlaying
      player.playFrom(place ? place.startMs / 1000 : turn.start)
    },
    onDoubleClick: (event) => {
      const letter = letterAt(event.clientX, event.clientY)
      const turn = letter && turns[letter.turn]
      if (!turn || !edits) return
      event.preventDefault()
      // The first press of the two has begun to play.
      if (!wasPlaying.current) player?.pause()
      const place = placeInTurn(places, letter.turn, letter.offset)
      getSelection()?.removeAllRanges()
      setEditing(
        place
          ? { id: turn.id, cursor: { from: place.from, to: place.to } }
          : at(turn.id, letter.offset),
      )
    },
  }
}
