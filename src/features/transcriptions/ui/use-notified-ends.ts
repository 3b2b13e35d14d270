import { useEffect, useEffectEvent } from 'react'

import { tellEnd, watch } from './notify.ts'

interface End {
  id: string
  title: string
  body: string
}

const idsIn = (ids: string): string[] => ids.split('.').filter((id) => id !== '')

/** Notifies people who asked for it of what has ended, and not while this page shows it. */
export function useNotifiedEnds({
  shown,
  ended,
}: {
  shown: readonly string[]
  ended: readonly End[]
}): void {
  const tell = useEffectEvent((ids: string) => {
    for (const end of ended) if (idsIn(ids).includes(end.id)) void tellEnd(end.id, end)
  })
  const endedIds = ended.map(({ id }) => id).join('.')
  useEffect(() => tell(endedIds), [endedIds])
  const shownIds = shown.join('.')
  useEffect(() => {
    const ends = idsIn(shownIds).map(watch)
    return () => {
      for (const end of ends) end()
    }
  }, [shownIds])
}
