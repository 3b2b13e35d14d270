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
import { chaptersByTurn, stretchOf } from '#features/chapters/ui/chapters.ts'
import type { Words, WordTurn } from '#features/text/contract.ts'
import type { Draft } from '#features/text/ui/drafts.ts'
import { type Group, isLongText } from '#features/text/ui/turn-groups.ts'
import { placeInTurn } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import type { Chapter } from '#features/transcriptions/contract.ts'
import type { ShownTurn } from '#features/translations/ui/use-translation.ts'
import { isToldApart } from '#features/transcriptions/ui/spoken.ts'
import type { Player } from '#web/player.ts'
import { useVeil } from '#web/ui/with-bars.tsx'

import { useChaptersOut } from '../chapters-out.ts'
import { type Edits, useDraft, useDrafts } from '../edits.ts'
import { ConflictBox, TurnEditor } from '../later.tsx'
import { singleKeys, timesAtEachTurn } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { letterAt, selectLetters } from './highlights.ts'
import type { Result } from '../result.ts'
import {
  type Cursor,
  type Editing,
  type EditorActs,
  type Step,
  at,
  editorActs,
} from './editor-acts.ts'
import {
  type InLanguage,
  InOther,
  type TurnActs,
  TurnHead,
  TurnRow,
  type TurnView,
  rowClasses,
} from './turn-row.tsx'

/** From so many voices on their names are cut. */
const CROWD = 9

/** The assumed height of a turn that was not in sight yet. */
const GUESSED_PX = 72

/**
 * The transcript, turn by turn. All turns are in the page, so that the browser's own search finds
 * their text.
 */
export function Transcript({
  result,
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
  result: Result
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
  const { text, sound, cuts, view: seen } = result
  const { words, edits, transcription } = text
  const { player, chapters } = sound
  const { only } = seen
  const { turns, speakers } = words
  const { language } = transcription
  const isApart = isToldApart(words)
  const { acts, editChapter, cutChapter } = useStableActs({
    result,
    setEditing,
    onEditChapter,
    list,
  })
  const cutChapters = useChaptersOut(result)
  const presses = usePressedWords(result)
  const heads = useMemo(
    () => chaptersByTurn(chapters.list, turns, only),
    [chapters.list, turns, only],
  )
  // With single keys switched off, the Tab key reaches everything that they do.
  const isOneStop = useSetting(singleKeys)
  const canPlay = player !== null
  const canEdit = edits !== null
  const hasAllTimes = useSetting(timesAtEachTurn)
  const isCrowded = speakers.length >= CROWD
  const veil = useVeil()
  const view = useMemo(
    () => ({
      language,
      isToldApart: isApart,
      canPlay,
      canEdit,
      isOneStop,
      hasAllTimes,
      isCrowded,
      inLanguage,
      veil,
      acts,
    }),
    [
      language,
      isApart,
      canPlay,
      canEdit,
      isOneStop,
      hasAllTimes,
      isCrowded,
      inLanguage,
      veil,
      acts,
    ],
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
        acts={editorActs(open, { place, edits, text, setEditing, onNextCheck, onStep })}
      />
    ) : null
  return (
    <>
      {edits ? <OrphanDrafts edits={edits} turns={turns} /> : null}
      {/* Keys have the buttons of each turn. */}
      <div ref={list} {...presses} className="pb-3">
        {groups.map((group) => (
          <TurnGroup
            key={group.from}
            {...group}
            before={turns[group.from - 1]?.speaker}
            isLong={isLongText(turns)}
            only={only}
            heads={heads}
            onEditChapter={chapters.canEdit ? editChapter : null}
            onCutChapter={cuts.canAct ? cutChapter : null}
            cutChapters={cutChapters}
            speakers={speakers}
            edits={edits}
            view={view}
            translated={translated}
            cutSentences={cuts.sentences}
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
  before,
  isLong,
  only,
  heads,
  onEditChapter,
  onCutChapter,
  cutChapters,
  speakers,
  edits,
  view,
  translated,
  cutSentences,
  editedId,
  editor,
}: Group & {
  /** Who speaks before its first turn. */
  before: number | null | undefined
  isLong: boolean
  only: number | null
  /** The chapters that stand above turns, by the place of the turn. */
  heads: ReadonlyMap<number, readonly Chapter[]>
  onEditChapter: ((start: number) => void) | null
  onCutChapter: ((start: number) => void) | null
  /** Where those begin of which nothing is left. */
  cutChapters: ReadonlySet<number>
  speakers: Words['speakers']
  edits: Edits | null
  view: TurnView
  translated: ReadonlyMap<string, ShownTurn> | null
  /** What is cut, in words, by the place of the turn. */
  cutSentences: ReadonlyMap<number, string>
  /** The turn of this group that is being corrected, and what stands in its place. */
  editedId?: string
  editor?: ReactNode
}) {
  const headed = turns.flatMap((_, index) => heads.get(from + index) ?? []).length
  const guessed = (turns.length + headed) * GUESSED_PX
  return (
    <ol
      // With room at its sides: what is not laid out yet is cut off there.
      className={isLong ? '-mx-4 px-4 [content-visibility:auto] lg:-mr-9 lg:pr-9' : undefined}
      style={isLong ? { containIntrinsicSize: `auto ${guessed}px` } : undefined}
    >
      {turns.map((turn, index) =>
        only !== null && turn.speaker !== only ? null : (
          <Fragment key={turn.id}>
            {heads.get(from + index)?.map((chapter, place) => (
              <ChapterHeading
                key={chapter.start}
                chapter={chapter}
                isFirst={from + index + place === 0}
                onEdit={onEditChapter}
                cut={{ isOut: cutChapters.has(chapter.start), toggle: onCutChapter }}
              />
            ))}
            {turn.id === editedId ? (
              editor
            ) : (
              <TurnWithDraft
                edits={edits}
                turn={turn}
                place={from + index}
                name={nameOf(turn.speaker, speakers)}
                isSame={
                  view.isToldApart &&
                  only === null &&
                  !heads.has(from + index) &&
                  turn.speaker === (index === 0 ? before : turns[index - 1]?.speaker)
                }
                view={view}
                cutSentence={cutSentences.get(from + index)}
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
      <TurnHead {...{ turn, name }} isSame={false} view={{ ...view, isOneStop: false }} />
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
  result: {
    sound: { player, chapters },
    cuts: { toggle },
    view: { open },
  },
  setEditing,
  onEditChapter,
  list,
}: {
  result: Result
  setEditing: (editing: Editing) => void
  onEditChapter: (start: number) => void
  list: RefObject<HTMLElement | null>
}): {
  acts: TurnActs
  editChapter: (start: number) => void
  cutChapter: (start: number) => void
} {
  const latest = useRef({ player, chapters, toggle, open, setEditing, onEditChapter })
  useLayoutEffect(() => {
    latest.current = { player, chapters, toggle, open, setEditing, onEditChapter }
  })
  const [stable] = useState(() => ({
    editChapter: (start: number) => latest.current.onEditChapter(start),
    cutChapter: (start: number) => {
      const { chapters, toggle } = latest.current
      const stretch = stretchOf(chapters.list, { start, duration: chapters.duration })
      if (stretch) toggle(stretch)
    },
    acts: {
      play: ({ start }: WordTurn) => latest.current.player?.playFrom(start),
      edit: ({ id, text }: WordTurn) => latest.current.setEditing(at(id, text.length)),
      name: (turn: WordTurn) =>
        latest.current.open(
          { kind: 'name', naming: { speaker: turn.speaker, turn } },
          (document.activeElement as HTMLElement | null) ?? list.current,
        ),
    },
  }))
  return stable
}

/**
 * A press on a word plays from it. A double one selects it, or all that is cut with it, and leaves the
 * player as it was.
 */
function usePressedWords({
  text: { places, words },
  sound: { player },
  cuts: { struck },
}: Result): Pick<ComponentProps<'div'>, 'onClick' | 'onDoubleClick'> {
  const { turns } = words
  const before = useRef({ isPlaying: false, seconds: 0 })
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
      before.current = { isPlaying: player.getState().isPlaying, seconds: player.now() }
      player.playFrom(place ? place.startMs / 1000 : turn.start)
    },
    onDoubleClick: (event) => {
      const { clientX, clientY } = event
      const letter = letterAt(clientX, clientY)
      const cut =
        letter &&
        struck.find(
          ({ turn, from, to }) =>
            turn === letter.turn && from <= letter.offset && letter.offset <= to,
        )
      if (cut) selectLetters(event.currentTarget, cut)
      // The first press of the two has begun to play.
      if (!player || !letter) return
      if (!before.current.isPlaying) player.pause()
      player.seek(before.current.seconds)
    },
  }
}
