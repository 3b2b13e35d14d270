/** What the tabs of a result share: its words, player and changes, and whose turns are shown. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'

import { useCarried } from '#features/again/ui/use-carried.ts'
import { useChapters } from '#features/chapters/ui/use-chapters.ts'
import { pathOf } from '#features/recordings/ui/queries.ts'
import type { Words } from '#features/text/contract.ts'
import { type CheckItem, itemsOf } from '#features/text/ui/check-items.ts'
import { placesOf, silencesOf, toCheckOf } from '#features/text/ui/word-places.ts'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { canPlay } from '#features/transcriptions/status.ts'
import { runOf } from '#features/transcriptions/ui/again-run.ts'
import { voicesOf, wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'

import { useAskPanel } from '#features/asking/ui/use-ask-panel.ts'
import { useDoubtNote } from './reading/doubt-note.tsx'
import { useEdits } from './edits.ts'
import { usePlayer } from './player/use-player.ts'
import type { Naming } from './speaker-form.tsx'

export type Reader = ReturnType<typeof useReader>['reader']

type SidePanelName = 'check' | 'ask'

const noChecks: readonly CheckItem[] = []

const noWords: Words = { revision: 0, checkBelow: null, speakers: [], turns: [] }

/** What `usePlayer` is asked for. */
export const playedOf = (transcription: Transcription) => ({
  duration: transcription.duration,
  hasPicture: transcription.picture === 'shown',
})

/** Puts together what the tabs share, and asks for the words with their times. */
export function useReader(
  transcription: Transcription,
  {
    isTextShown,
    show,
  }: {
    isTextShown: boolean
    /** Shows in the text what is said from this second on. */
    show: (seconds: number) => void
  },
) {
  const { id, speakerSegments } = transcription
  const carried = useCarried(id)
  const { edits, saved } = useEdits(id, carried.keptUntil)
  const wordsState = useQuery(wordsQuery(id))
  // The plain text, which may be hours long, is read only where the words are missing. While they are
  // loading, the text tab shows a placeholder.
  const isComing = wordsState.isPending && isTextShown
  const words = useMemo(
    () => wordsState.data ?? (isComing ? noWords : wordsFromSegments({ speakerSegments })),
    [wordsState.data, isComing, speakerSegments],
  )
  const places = useMemo(() => placesOf(words.turns), [words.turns])
  const toCheck = useMemo(() => toCheckOf(places, words.checkBelow), [places, words.checkBelow])
  const checks = useMemo(() => itemsOf(words.turns, toCheck), [words.turns, toCheck])
  const doubt = { words: places.length, inDoubt: toCheck.length }
  const note = useDoubtNote(id, words.isDoubtUnknown ? null : doubt)
  const voices = useMemo(() => voicesOf(words), [words])
  const source = canPlay(transcription) ? `${pathOf(id)}/media` : null
  const player = usePlayer(source, playedOf(transcription))
  useEffect(() => player?.setSilences(silencesOf(places)), [player, places])
  const [panelPlace, setPanelPlace] = useState<HTMLElement | null>(null)
  const [only, setOnly] = useState<number | null>(null)
  const [panel, setPanel] = useState<SidePanelName | null>(null)
  const asking = useAskPanel(id)
  const [isReplacing, setReplacing] = useState(false)
  const [asked, setAsked] = useState<Naming | null>(null)
  const anchor = useRef<HTMLElement>(null)
  const canEdit =
    wordsState.data !== undefined && runOf(transcription) === null && !carried.isNewElsewhere
  const chapters = useChapters(transcription, {
    player,
    canEdit,
    // Whoever hears it reads on in the tab that is open.
    show: (seconds) => {
      if (isTextShown || player === null) show(seconds)
    },
  })
  const reader = {
    transcription,
    words,
    places,
    /** The words in doubt, and what is to be checked of them one after the other. */
    toCheck,
    checks: canEdit ? checks : noChecks,
    note,
    carried,
    voices,
    chapters,
    /** Null where the recording cannot be played. */
    player,
    /** Where panels belong while a picture stands beside the text; null elsewhere. */
    panelPlace,
    setPanelPlace,
    /**
     * Null where the times of words could not be loaded, while a new text is written, and when another
     * tab has one: then the text can only be read.
     */
    edits: canEdit ? edits : null,
    saved,
    /** Whose turns are shown; null for everybody's, also when a speaker was joined with another. */
    only: voices.some(({ speaker }) => speaker === only) ? only : null,
    setOnly,
    /** What takes the place of the rail; null for nothing. */
    panel,
    setPanel,
    /** Questions to the recording. */
    asking,
    /** Whether the box for find and replace is open. */
    isReplacing: isReplacing && canEdit,
    setReplacing,
    /** Opens the form for a speaker's name, beside the button that was pressed. */
    askName: ({ from, ...naming }: Naming & { from: HTMLElement | null }) => {
      anchor.current = from
      setAsked(naming)
    },
  }
  const naming = { naming: asked, anchor, onClose: () => setAsked(null) }
  return { reader, wordsState, edits, naming }
}
