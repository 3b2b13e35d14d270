import { useEffect, useMemo } from 'react'

import { createPlayer } from '#web/player.ts'

import { PlayerRow } from '../player-row.tsx'

/**
 * Plays a recording of this device, or one that has arrived. The length and the wave are told, because
 * the file of a recorder says neither.
 */
export function SoundPlayer({
  file,
  seconds,
  levels,
}: {
  /** Or its address. */
  file: File | string
  seconds: number
  levels: readonly number[]
}) {
  const player = useMemo(() => createPlayer({ duration: seconds, media: new Audio() }), [seconds])
  useEffect(() => {
    const source = typeof file === 'string' ? file : URL.createObjectURL(file)
    player.open(source)
    return () => {
      player.close()
      if (source !== file) URL.revokeObjectURL(source)
    }
  }, [file, player])
  return <PlayerRow className="mt-5" player={player} seconds={seconds} levels={levels} />
}
