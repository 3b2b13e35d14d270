import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'

import { hiddenQuery } from './queries.ts'

/** Said in the place of the player while words are taken out of the sound; else what is said there. */
export function HiddenSound({ id, children }: { id: string; children: ReactNode }) {
  const client = useQueryClient()
  const { data } = useQuery(hiddenQuery(id))
  const making = data?.hidden.find((each) => each.for === 'good' && each.sound === 'making')
  const isMaking = making !== undefined
  const wasMaking = useRef(false)
  useEffect(() => {
    // The recording is there again, as it is now.
    if (wasMaking.current && !isMaking) void client.invalidateQueries()
    wasMaking.current = isMaking
  }, [isMaking, client])
  if (!data) return null
  if (!making) return children
  return `The sound is being redacted. ${making.progress}%`
}
