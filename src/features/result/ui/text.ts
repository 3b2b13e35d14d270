/** The text of a result: its words, the doubts about them, and the changes made to them. */
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { useCarried } from '#features/again/ui/use-carried.ts'
import type { Words } from '#features/text/contract.ts'
import { type CheckItem, itemsOf } from '#features/text/ui/check-items.ts'
import { placesOf, toCheckOf } from '#features/text/ui/word-places.ts'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { Doubt } from '#features/text/words-in-doubt.ts'
import { runOf } from '#features/transcriptions/ui/again-run.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { voicesOf, wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'

import { useEdits } from './edits.ts'

export type ResultText = ReturnType<typeof useText>

const noChecks: readonly CheckItem[] = []

const noWords: Words = { revision: 0, checkBelow: null, speakers: [], turns: [] }

/** Asks for the words with their times, and puts together what is known of them. */
export function useText(transcription: Job, { isShown }: { isShown: boolean }) {
  const { id, speakerSegments } = transcription
  const carried = useCarried(id)
  const { edits, saved } = useEdits(id, carried.keptUntil)
  const asked = useQuery(wordsQuery(id))
  // The plain text, which may be hours long, is read only where the words are missing. While they are
  // loading, the text tab shows a placeholder.
  const isComing = asked.isPending && isShown
  const words = useMemo(
    () => asked.data ?? (isComing ? noWords : wordsFromSegments({ speakerSegments })),
    [asked.data, isComing, speakerSegments],
  )
  const places = useMemo(() => placesOf(words.turns), [words.turns])
  const toCheck = useMemo(() => toCheckOf(places, words.checkBelow), [places, words.checkBelow])
  const checks = useMemo(() => itemsOf(words.turns, toCheck), [words.turns, toCheck])
  const voices = useMemo(() => voicesOf(words), [words])
  const doubt: Doubt | null = words.isDoubtUnknown
    ? null
    : { words: places.length, inDoubt: toCheck.length }
  const [wasInDoubt, setWasInDoubt] = useState(false)
  if (toCheck.length > 0 && !wasInDoubt) setWasInDoubt(true)
  const canEdit =
    asked.data !== undefined && runOf(transcription) === null && !carried.isNewElsewhere
  return {
    transcription,
    words,
    /** How the words with their times are loaded. */
    asked,
    places,
    /** The words in doubt, and what is to be checked of them one after the other. */
    toCheck,
    checks: canEdit ? checks : noChecks,
    /** Null where the engine does not say how sure it is. */
    doubt,
    /** There were words in doubt since this was opened. */
    wasInDoubt,
    carried,
    voices,
    /**
     * Null where the times of words could not be loaded, while a new text is written, and when another
     * tab has one: then the text can only be read.
     */
    edits: canEdit ? edits : null,
    /** The changes also while the text can only be read: for news of a job, or the name of a speaker. */
    anyEdits: edits,
    saved,
  }
}
