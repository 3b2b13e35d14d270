/** The recording of a result: its player, and its chapters as ways about in it. */
import { useEffect } from 'react'

import { useChapters } from '#features/chapters/ui/use-chapters.ts'
import { getMedia } from '#features/recordings/calls.ts'
import { sentenceStart, silencesOf } from '#features/text/ui/word-places.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { canPlay } from '#features/transcriptions/status.ts'
import { addressOf } from '#shared/call.ts'

import type { ResultText } from './text.ts'
import { usePlayer } from './player/use-player.ts'
import type { View } from './view.ts'

export type Sound = ReturnType<typeof useSound>

/** The arguments of `usePlayer`. */
export const playedOf = (transcription: Transcription) => ({
  duration: transcription.duration,
  hasPicture: transcription.picture === 'shown',
})

export function useSound(
  {
    transcription,
    words: { turns },
    places,
    edits,
  }: Pick<ResultText, 'transcription' | 'words' | 'places' | 'edits'>,
  {
    view,
    isTextShown,
    show,
  }: {
    view: View
    isTextShown: boolean
    /** Shows in the text what is said from this second on. */
    show: (seconds: number) => void
  },
) {
  const source = canPlay(transcription)
    ? addressOf(getMedia, { params: { id: transcription.id } })
    : null
  const player = usePlayer(source, playedOf(transcription))
  useEffect(() => player?.setSilences(silencesOf(places)), [player, places])
  const chapters = useChapters(transcription, {
    player,
    sentenceAt: (seconds) => sentenceStart(turns, places, seconds * 1000) / 1000,
    canEdit: edits !== null,
    isOpen: view.beside?.kind === 'chapters',
    onOpen: () => view.open({ kind: 'chapters' }),
    onClose: () => view.close('chapters'),
    // A user who hears the moment reads on in the open tab.
    show: (seconds) => {
      if (isTextShown || player === null) show(seconds)
    },
  })
  return {
    /** Null where the recording cannot be played. */
    player,
    chapters,
  }
}
