import { useLaterRooms } from '#features/library/ui/later-rooms.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'

import { peaksQuery } from '#features/text/ui/words-query.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { BRAND } from '#shared/business.ts'
import { formatDate } from '#shared/format.ts'
import type { Player } from '#web/player.ts'
import { useVeil } from '#web/ui/with-bars.tsx'

import type { Result } from '../result.ts'
import { PlayerBar, PlayerGone } from './player-bar.tsx'

/** The player at the foot of a result, or why there is none. */
export function Playback({
  result: { text, sound, cuts, view },
  marks,
  doubts,
  strip,
  onShortcuts,
  onChosen,
}: {
  result: Result
  marks: readonly number[]
  doubts: readonly WordPlace[]
  /** A line of news over it. */
  strip: ReactNode
  onShortcuts: () => void
  /** Somebody has chosen a second by the wave. */
  onChosen: (seconds: number) => void
}) {
  const { transcription, words } = text
  const { player } = sound
  const { HiddenSound } = useLaterRooms()
  const { id, duration, recordingDeletedAt, recordingKeptUntil } = transcription
  const veil = useVeil()
  useMediaSession(player, veil.hide(transcription.originalName))
  const { data } = useQuery({ ...peaksQuery(id), enabled: player !== null })
  const stretches = useMemo(
    () =>
      words.turns.map(({ start, end, speaker }) => ({
        start,
        end,
        lane: speaker,
        speaker: veil.say(nameOf(speaker, words.speakers)),
      })),
    [words, veil],
  )
  const points = useMemo(() => [...new Set(doubts.map(({ startMs }) => startMs / 1000))], [doubts])
  const isOpen = view.beside?.kind === 'tools'
  const shared = {
    strip,
    chapters: sound.chapters.list.length > 0 ? sound.chapters : null,
    tools: {
      isOpen,
      onPress: () => (isOpen ? view.close('tools') : view.open({ kind: 'tools' })),
    },
  }
  if (player)
    return (
      <PlayerBar
        player={player}
        duration={duration}
        peaks={data?.peaks ?? []}
        stretches={stretches}
        marks={marks}
        points={points}
        cuts={cuts.stretches}
        transcriptionId={id}
        onShortcuts={onShortcuts}
        onChosen={onChosen}
        {...shared}
      />
    )
  return (
    <PlayerGone {...shared}>
      {recordingKeptUntil !== null ? (
        'Browsers cannot play a recording of this kind. The text is all here.'
      ) : recordingDeletedAt ? (
        `The recording was deleted on ${formatDate(recordingDeletedAt)}. The text stays.`
      ) : (
        <HiddenSound id={id}>The recording was deleted. The text stays.</HiddenSound>
      )}
    </PlayerGone>
  )
}

/** Headphones, keyboards and lock screens show what plays, and can stop it. */
function useMediaSession(player: Player | null, title: string): void {
  useEffect(() => {
    if (!player || !('mediaSession' in navigator)) return
    const { mediaSession } = navigator
    mediaSession.metadata = new MediaMetadata({ title, artist: BRAND })
    const acts = {
      play: player.toggle,
      pause: player.pause,
      seekbackward: () => player.skip(-10),
      seekforward: () => player.skip(10),
      // Keys and pedals that know no others.
      previoustrack: () => player.skip(-10),
      nexttrack: () => player.skip(10),
    }
    const names = Object.keys(acts) as (keyof typeof acts)[]
    for (const name of names) mediaSession.setActionHandler(name, acts[name])
    return () => {
      mediaSession.metadata = null
      for (const name of names) mediaSession.setActionHandler(name, null)
    }
  }, [player, title])
}
