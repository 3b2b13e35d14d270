import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'

import { getMedia } from '#features/recordings/calls.ts'
import { PlayerRow } from '#features/recordings/ui/player-row.tsx'
import { oneKey } from '#features/recordings/ui/queries.ts'
import { peaksQuery } from '#features/text/ui/words-query.ts'
import { addressOf } from '#shared/call.ts'
import { createPlayer } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'

import { canPlay } from '../status.ts'
import type { Job } from './queries.ts'

/** Plays a recording that has no text: to be heard it needs none. Nothing once it is deleted. */
export function RecordingPlayer({ job, className }: { job: Job; className?: string }) {
  if (job.recordingKeptUntil === null) return null
  if (!canPlay(job))
    return (
      <p className={className}>
        Browsers cannot play this kind of recording. Saved, it opens in a media player.
      </p>
    )
  return <Kept key={job.id} job={job} className={className} />
}

function Kept({ job: { id, duration }, className }: { job: Job; className?: string | undefined }) {
  const { data } = useQuery(peaksQuery(id))
  const client = useQueryClient()
  const player = useMemo(
    () =>
      createPlayer({
        source: addressOf(getMedia, { params: { id } }),
        duration,
        media: new Audio(),
      }),
    [id, duration],
  )
  useEffect(() => {
    player.open()
    return player.close
  }, [player])
  const { isBroken } = useSyncExternalStore(player.subscribe, player.getState)
  // It may have been deleted meanwhile.
  useEffect(() => {
    if (isBroken) void client.invalidateQueries({ queryKey: oneKey(id) })
  }, [isBroken, client, id])
  if (isBroken)
    return (
      <div className={className}>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="alert">The recording cannot be played at the moment.</p>
          <Button size="small" onClick={player.reload}>
            Load it again
          </Button>
        </div>
      </div>
    )
  return (
    <PlayerRow
      player={player}
      seconds={duration}
      levels={data?.peaks ?? noPeaks}
      {...(className === undefined ? {} : { className })}
    />
  )
}

/** Always the same, so that the wave is not drawn anew. */
const noPeaks: readonly number[] = []
