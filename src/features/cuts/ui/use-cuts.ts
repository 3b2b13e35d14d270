import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import type { OtherSteps } from '#features/text/ui/undo-steps.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { groupBy } from '#web/group-by.ts'
import type { Player, Stretches } from '#web/player.ts'

import { type Range, isCut, joined, without } from '../ranges.ts'
import { type Change, type Letters, struckLetters, toCut, toPutBack, wordsIn } from './cut-words.ts'
import { createCutting, durationOf, rangesOf } from './cutting.ts'
import type { Proposal } from './proposals.ts'
import { cutsQuery } from './queries.ts'

export type CutsState = ReturnType<typeof useCuts>

/** The one act that words offer: cutting, or putting back where all of them are cut. */
export interface CutAct {
  label: 'Cut' | 'Put back'
  run: () => void
}

/** Stretches that are proposed: they are marked in the text, and left out by the player where that is tried. */
interface Tried {
  ranges: readonly Range[]
  isPlayed: boolean
}

const noRanges: readonly Range[] = []
const noStretches: Stretches = []

const stretchesOf = (list: readonly Range[]): Stretches =>
  list.map(({ startMs, endMs }) => [startMs / 1000, endMs / 1000])

/** The cuts of a recording, as they lie in its text and as they are played. */
export function useCuts(
  id: string,
  {
    turns,
    places,
    player,
    canChange,
    steps,
  }: {
    turns: readonly WordTurn[]
    places: readonly WordPlace[]
    /** Null where the recording cannot be played. */
    player: Player | null
    canChange: boolean
    steps: OtherSteps
  },
) {
  const client = useQueryClient()
  const { data } = useQuery(cutsQuery(id))
  /** What was done last, for who does not see it. */
  const [said, say] = useState('')
  const [cutting] = useState(() => createCutting(client, { id, steps, say }))
  /** For as long as the page is open. */
  const [isSkipped, setSkipped] = useState(true)
  const list = useMemo(() => (data ? rangesOf(data) : noRanges), [data])
  const [tried, setTried] = useState<Tried | null>(null)
  const stretches = useMemo(() => stretchesOf(list), [list])
  useEffect(() => {
    const played = tried?.isPlayed ? stretchesOf(joined([...list, ...tried.ranges])) : null
    player?.setCuts(played ?? (isSkipped ? stretches : noStretches))
  }, [player, list, tried, isSkipped, stretches])
  const struck = useMemo(() => struckLetters(list, { turns, places }), [list, turns, places])
  const proposed = useMemo(
    () => struckLetters(tried?.ranges ?? noRanges, { turns, places }),
    [tried, turns, places],
  )
  const sentences = useMemo(
    () => sentencesOf([...wordsOf(struck, 'Cut'), ...wordsOf(proposed, 'Proposed cut')], turns),
    [struck, proposed, turns],
  )
  // What is cut can be put back for the text, also where nothing can be heard any more.
  const canPutBack = data !== undefined && canChange
  const canAct = canPutBack && player !== null
  const durationMs = data ? durationOf(data) : 0
  const cuts = { words: places, list, durationMs }
  const changeFor = useCallback(
    (proposals: readonly Proposal[]): Change => {
      // Each by itself: two that follow each other leave the pause between them.
      const cuts = proposals.flatMap((each) =>
        each.kind === 'pause'
          ? each.range
          : toCut({ words: places, list: noRanges, durationMs }, each.words).cut,
      )
      return { cut: joined(cuts), restore: [] }
    },
    [places, durationMs],
  )
  const cut = (words: readonly WordPlace[]) => cutting.act(toCut(cuts, words))
  const putBack = (words: readonly WordPlace[]) => cutting.act(toPutBack(cuts, words))
  /** Does it with the words of these letters; null where nothing can be done with them. */
  const actOn = (letters: readonly Letters[]) => {
    const words = canPutBack ? wordsIn(places, letters) : []
    return words.length === 0
      ? null
      : { words, cut: canAct ? () => cut(words) : null, putBack: () => putBack(words) }
  }
  return {
    said,
    /** As the server has them, with what is on its way; undefined before they are loaded. */
    now: data,
    list,
    /** Whether anything can be cut or put back. */
    canAct,
    /** In seconds. */
    stretches,
    remaining: data?.remaining ?? 0,
    /** How many files were made. They outlast their cuts. */
    files: data?.files ?? 0,
    /** The letters of words that are cut. */
    struck,
    /** What is cut in a turn, in words, by the place of the turn. */
    sentences,
    /** The letters of words that are proposed. */
    proposed,
    setTried,
    changeFor,
    act: cutting.act,
    isSkipped,
    setSkipped,
    actOn,
    /** What is offered for the words of these letters. */
    offerFor: (letters: readonly Letters[]): CutAct | null => {
      const acts = actOn(letters)
      if (!acts) return null
      if (acts.words.every((word) => isCut(list, word)))
        return { label: 'Put back', run: acts.putBack }
      return acts.cut ? { label: 'Cut', run: acts.cut } : null
    },
    /** Cuts a stretch as a whole; one that is out already is put back. */
    toggle: (stretch: Range): void => {
      const isOut = without([stretch], list).length === 0
      cutting.act(isOut ? { cut: [], restore: [stretch] } : { cut: [stretch], restore: [] })
    },
    undo: canAct && data.canUndo ? cutting.undo : null,
  }
}

/** Marks are not read out: what is cut in a turn is said after it. */
function sentencesOf(
  marked: readonly { turn: number; word: string; all: readonly Letters[] }[],
  turns: readonly WordTurn[],
): ReadonlyMap<number, string> {
  const sentences = new Map<number, string>()
  for (const { turn, word, all } of marked) {
    const quotes = all.map(({ from, to }) => `“${turns[turn]?.text.slice(from, to) ?? ''}”`)
    const before = sentences.get(turn)
    sentences.set(turn, `${before ? `${before} ` : ''}${word}: ${quotes.join(', ')}.`)
  }
  return sentences
}

const wordsOf = (letters: readonly Letters[], word: string) =>
  [...groupBy(letters, ({ turn }) => turn)].map(([turn, all]) => ({ turn, word, all }))
