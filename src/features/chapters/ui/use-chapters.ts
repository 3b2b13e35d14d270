/** The chapters of the open result, and what can be done with them. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

import { oneKey } from '#features/recordings/ui/queries.ts'
import type { Chapter, Chapters, Transcription } from '#features/transcriptions/contract.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import type { Player } from '#web/player.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'
import { useMedia } from '#web/use-media.ts'

import { findChapters, setChapters } from '../calls.ts'
import { type Change, NEW_TITLE, change, chapterAt, inMilliseconds, startFor } from './chapters.ts'

export type ChaptersState = ReturnType<typeof useChapters>

/** Chapters are in the rail from this width on, and in a sheet below it. */
export const WIDE = '(width >= 64rem)'

export function useChapters(
  { id, chapters, chaptersBy = null, duration }: Transcription,
  {
    player,
    sentenceAt,
    canEdit,
    isOpen,
    onOpen,
    onClose,
    show,
  }: {
    player: Player | null
    /** Where the sentence begins that is said at this second. */
    sentenceAt: (seconds: number) => number
    canEdit: boolean
    /** Whether nothing else has taken the place of the list. */
    isOpen: boolean
    onOpen: () => void
    onClose: () => void
    /** Shows in the text what is said from this second on. */
    show: (seconds: number) => void
  },
) {
  const client = useQueryClient()
  // The same object while the result is open, because what is saved waits for what was saved before.
  const [save] = useState(() => createSaving(client, id))
  const isWide = useMedia(WIDE)
  const [isChanging, setChanging] = useState(false)
  /** Where the focus goes once it is there: the list, or the name of the chapter that begins here. */
  const [wanted, setWanted] = useState<'list' | number | null>(null)
  const find = useFinding(client, { id, onFound: () => setWanted('list') })

  const edit = (start: number | null) => {
    setChanging(true)
    setWanted(start)
    onOpen()
  }
  const addAt = (seconds: number) => {
    const start = inMilliseconds(seconds)
    save(change.add({ title: NEW_TITLE, start }))
    edit(start)
  }
  const isBeingChanged = isChanging && canEdit && isOpen
  return {
    list: chapters,
    by: chaptersBy,
    duration,
    player,
    canEdit,
    /** Plays from here, or shows it in the text where there is nothing to play. */
    go: (start: number) => {
      player?.playFrom(start)
      show(start)
    },
    isChanging: isBeingChanged,
    wanted,
    /** The focus is where it was wanted. */
    onFocused: () => setWanted(null),
    /** Rows become fields; the focus goes to the chapter that begins here. */
    edit,
    /** Drawn at once, so that the focus can go to what stands in the place of the fields. */
    done: () => flushSync(() => setChanging(false)),
    isSheet: isOpen && !isWide && (chapters.length > 0 || isBeingChanged),
    open: () => {
      setChanging(false)
      onOpen()
    },
    close: onClose,
    addAt,
    /** Where a chapter begins that is added now; null where nothing can be played. */
    here: () => {
      if (!player) return null
      const seconds = player.now()
      return startFor(seconds, { chapters, sentence: sentenceAt(seconds) })
    },
    rename: (start: number, title: string) => save(change.rename(start, title)),
    move: (start: number, to: number) => save(change.move(start, inMilliseconds(to))),
    remove: (chapter: Chapter) => {
      save(change.remove(chapter.start))
      toast({
        title: 'Chapter deleted',
        description: chapter.title,
        action: { label: 'Undo', onPress: () => save(change.add(chapter)) },
      })
    },
    find,
  }
}

const shownIn = (client: QueryClient, id: string): Chapters => {
  const { chapters = [], chaptersBy = null } = client.getQueryData<Transcription>(oneKey(id)) ?? {}
  return { chapters, chaptersBy }
}

const showIn = (client: QueryClient, id: string, answer: Chapters): void => {
  client.setQueryData<Transcription>(oneKey(id), (shown) => shown && { ...shown, ...answer })
}

/**
 * Saves one change after the other. A change is shown at once; one that fails is taken back, and what
 * was changed after it stays.
 */
function createSaving(client: QueryClient, id: string): (change: Change) => void {
  let stored: Chapters = { chapters: [], chaptersBy: null }
  let waiting = 0
  let line: Promise<unknown> = Promise.resolve()

  const send = async (change: Change) => {
    try {
      const body = { chapters: change(stored.chapters), was: stored.chapters }
      stored = await ask(setChapters, { params: { id }, body })
      // Later changes are shown already.
      if (waiting === 1) showIn(client, id, stored)
    } catch (error) {
      showIn(client, id, stored)
      if (error instanceof ApiError && error.code === 'chapters_changed') {
        toastFailure(
          'Changed in another tab',
          'The chapters were changed elsewhere meanwhile. What you see now is how they are there; nothing was overwritten.',
        )
        await client.refetchQueries({ queryKey: oneKey(id) })
        stored = shownIn(client, id)
      } else
        toast({
          title: 'Not saved. Your change was undone.',
          description: sentenceOf(error),
          variant: 'destructive',
          action: { label: 'Try again', onPress: () => save(change) },
        })
    } finally {
      waiting -= 1
    }
  }
  const save = (change: Change) => {
    // An answer that is on its way would show the chapters as they were.
    void client.cancelQueries({ queryKey: oneKey(id) })
    const shown = shownIn(client, id)
    if (waiting === 0) stored = shown
    waiting += 1
    showIn(client, id, { chapters: change(shown.chapters), chaptersBy: 'own' })
    line = line.then(() => send(change))
  }
  return save
}

/** Looks for chapters in the text. A text without any is an answer of its own. */
function useFinding(client: QueryClient, { id, onFound }: { id: string; onFound: () => void }) {
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => ask(findChapters, { params: { id } }),
    onSuccess: (answer) => {
      showIn(client, id, answer)
      onFound()
    },
  })
  return {
    start: () => mutate(),
    forget: reset,
    isPending,
    problem: error === null ? null : sentenceOf(error),
  }
}

/** Index of the chapter that is being said; -1 before the first, and where nothing can be played. */
export function useChapterNow({ list, player }: Pick<ChaptersState, 'list' | 'player'>): number {
  return useSyncExternalStore(player?.onTick ?? never, () =>
    player ? chapterAt(list, player.now()) : -1,
  )
}

const never = () => () => undefined
