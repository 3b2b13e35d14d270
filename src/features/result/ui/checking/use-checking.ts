import { useEffect, useEffectEvent, useState } from 'react'

import {
  type Alike,
  alikeTo,
  type CheckItem,
  corrected,
  soundsAlike,
} from '#features/text/ui/check-items.ts'
import { groupBy } from '#web/group-by.ts'

import { keepProgress, noProgress, type Progress, progressOf } from './check-memory.ts'
import type { Result } from '../result.ts'
import type { ResultText } from '../text.ts'
import type { Beside } from '../view.ts'
import { playsEach } from '../settings.ts'
import type { ShowTurn } from '../reading/use-following.ts'

/** In seconds: what is played around a word. */
const BEFORE_S = 1.5
const AFTER_S = 1

export type Checking = ReturnType<typeof useChecking>

/**
 * Goes through the words in doubt, one item after the other. What is done leaves the list; this
 * browser remembers where it was left.
 */
export function useChecking({ text, sound, view }: Result, { showTurn }: { showTurn: ShowTurn }) {
  const { words, places, checks: items, edits } = text
  const { id } = text.transcription
  const { turns } = words
  const { player } = sound
  const open = view.beside?.kind === 'check' ? view.beside : null
  const isOpen = open !== null
  const [isCorrecting, setCorrecting] = useState(false)
  const [progress, setProgressState] = useState(() => progressOf(id))
  /** With how many done this sitting ends; null for all. */
  const [{ of, goal }, setSitting] = useState<Sitting>({ of: null, goal: null })

  const keyOf = ({ first: { turn, index } }: CheckItem) => `${turns[turn]?.id} ${index}`
  const done = progress.right + progress.corrected
  if (open !== of) {
    setSitting({ of: open, goal: open?.most ? done + open.most : null })
    setCorrecting(false)
  }
  const isThere = goal !== null && done >= goal
  const at = isThere ? -1 : placeIn(items, progress, keyOf)
  const item = isOpen ? items[at] : undefined

  const setProgress = (next: Progress) => {
    setProgressState(next)
    keepProgress(id, next)
  }
  const placeOf = (one: CheckItem | undefined) => ({
    atMs: one?.first.startMs ?? 0,
    word: one ? keyOf(one) : '',
  })
  const goTo = (one: CheckItem | undefined) => {
    setCorrecting(false)
    setProgress({ ...progress, ...placeOf(one) })
  }
  /** Counts so many of the item's words as done, and goes on to the item behind it. */
  const finish = (how: 'right' | 'corrected', words: number) => {
    setCorrecting(false)
    const following = items[at + 1] ?? items.find((one) => one !== item)
    setProgress({ ...progress, ...placeOf(following), [how]: progress[how] + words })
    if (items.length === 1) void edits?.measure()
  }
  const accept = () => {
    if (!item) return
    acceptAll(item, { turns, edits })
    finish('right', item.places.length)
  }

  const play =
    player && item
      ? () =>
          player.playFrom(item.first.startMs / 1000 - BEFORE_S, item.first.endMs / 1000 + AFTER_S)
      : null

  const key = item ? keyOf(item) : null
  const show = useEffectEvent(() => {
    if (!item) return
    showTurn(item.first.turn, item)
    if (playsEach.isOn()) play?.()
  })
  useEffect(() => {
    if (key !== null) show()
  }, [key])

  /**
   * Writes something else in the place of the item's first word, or of all that are written alike.
   * Answers why it could not be saved, null when it is.
   */
  const correct = async (replacement: string, alike: Alike | null): Promise<string | null> => {
    const owner = item && turns[item.first.turn]
    if (!owner || !edits) return null
    const written = alike?.places ?? [{ ...item.first, wordFrom: item.from }]
    const ids = new Set(written.map(({ turn }) => turns[turn]?.id ?? ''))
    if ([...edits.drafts.getAll().keys()].some((draft) => ids.has(draft)))
      return 'Not saved. This turn has other changes that wait for the server.'
    const text = corrected(owner.text, item, replacement)
    if (text === owner.text) {
      accept()
      return null
    }
    let problem: string | null = null
    const tell = (_title: string, why: string) => {
      problem = why
    }
    const edited = alike
      ? await edits.replace(
          { ...EXACTLY, find: item.word, replaceWith: replacement, turns: seenIn(turns, alike) },
          ({ replaced }) => `${replaced} corrections made`,
          tell,
        )
      : await edits.correct(owner, text, tell)
    if (!edited) return problem
    // Somebody who changes only capitals has heard the word all the same.
    const isAlike = soundsAlike(item.word, replacement)
    if (isAlike) acceptAll(item, { turns, edits })
    finish('corrected', alike || isAlike ? item.places.length : 1)
    return null
  }

  return {
    isOpen,
    isCorrecting,
    setCorrecting,
    items,
    /** The item that is shown; undefined when all are done. */
    item,
    /** The number of its first word in this sitting, from 1, and how many words there are. */
    number: done + wordsIn(items.slice(0, Math.max(0, at))) + 1,
    total: Math.min(goal ?? Infinity, done + wordsIn(items)),
    wordsLeft: wordsIn(items),
    /** How often somebody is asked before the sitting ends. */
    asksLeft: Math.min(items.length - at, goal === null ? Infinity : goal - done),
    done: progress,
    /** Those that come next. */
    coming: items.slice(at + 1, at + 4),
    /** The sitting is at its end, and there are more. */
    hasMore: isThere && items.length > 0,
    /** Opens the list where it was left. With a number it ends after so many items. */
    open: (most: number | null = null) => view.open({ kind: 'check', most }),
    close: () => {
      view.close('check')
      player?.pause()
      if (items.length > 0) return
      setProgressState(noProgress)
      keepProgress(id, null)
    },
    goTo,
    move: (steps: 1 | -1) => {
      if (item) goTo(items[(at + steps + items.length) % items.length])
    },
    play,
    accept,
    correct,
    alikeTo: (one: CheckItem): Alike => alikeTo(one, { turns, places }),
  }
}

/** The open panel of checking, and the number of words after which it ends. */
interface Sitting {
  of: Extract<Beside, { kind: 'check' }> | null
  goal: number | null
}

const wordsIn = (items: readonly CheckItem[]): number =>
  items.reduce((sum, { places }) => sum + places.length, 0)

/** Confirms all words that an item stands for. */
function acceptAll(
  { places }: CheckItem,
  { turns, edits }: { turns: ResultText['words']['turns']; edits: ResultText['edits'] },
): void {
  for (const [turn, words] of groupBy(places, (place) => place.turn)) {
    const owner = turns[turn]
    if (!owner) continue
    void edits?.accept(
      owner,
      words.map(({ index }) => index),
    )
  }
}

/** The places are named, and the case of each word stays. */
const EXACTLY = { matchCase: false, wholeWord: true }

/** The turns of these words, as they are now, and where in each the words begin. */
function seenIn(turns: ResultText['words']['turns'], { places }: Alike) {
  return [...groupBy(places, ({ turn }) => turn)].flatMap(([turn, some]) => {
    const owner = turns[turn]
    return owner
      ? [{ id: owner.id, revision: owner.revision, at: some.map((one) => one.wordFrom) }]
      : []
  })
}

/** Where the word that was shown last is, or the first one behind it; -1 where nothing is left. */
function placeIn(
  items: readonly CheckItem[],
  { word, atMs }: Progress,
  keyOf: (item: CheckItem) => string,
): number {
  const same = items.findIndex((item) => keyOf(item) === word)
  if (same >= 0) return same
  const next = items.findIndex(({ first }) => first.startMs >= atMs)
  return next < 0 ? items.length && 0 : next
}
