import { useEffect, useMemo } from 'react'

import { createPlayer } from '#web/player.ts'

import { PlayerRow } from '../player-row.tsx'

/**
 * Plays a recording of this device. The length and the wave come from the recorder, because its file
 * says neither.
 */
export function SoundPlayer({
  file,
  seconds,
  levels,
}: {
  file: File
  seconds: number
  levels: readonly number[]
}) {
  const player = useMemo(() => createPlayer({ duration: seconds, media: new Audio() }), [seconds])
  useEffect(() => {
    const source = URL.createObjectURL(file)
    player.open(source)
    return () => {
      player.close()
      URL.revokeObjectURL(source)
    }
  }, [file, player])
  return <PlayerRow className="mt-5" player={player} seconds={seconds} levels={levels} />
}
