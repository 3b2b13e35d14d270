import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { peaksQuery } from '#features/text/ui/words-query.ts'

import type { Render } from '../contract.ts'
import { type Range, levelsWithout } from '../ranges.ts'
import { MadeFile } from './made-file.tsx'

/** The files that were made of a recording; nothing where there are none. */
export function MadeFiles({
  id,
  list,
  duration,
  renders,
  onShare,
}: {
  id: string
  /** The cuts there are. */
  list: readonly Range[]
  /** Of the recording, in seconds. */
  duration: number
  renders: readonly Render[]
  /** Gives a file away. */
  onShare: (made: Render) => void
}) {
  const { data: peaks } = useQuery(peaksQuery(id))
  const levels = useMemo(
    () => levelsWithout(peaks?.peaks ?? noLevels, list, duration * 1000),
    [peaks, list, duration],
  )
  if (renders.length === 0) return null
  return (
    <section className="mt-5">
      <h3 className="text-ui font-[650]">Files made</h3>
      <ul className="mt-1 border-t border-rule">
        {renders.map((made) => (
          <MadeFile key={made.id} {...{ made, levels, onShare }} />
        ))}
      </ul>
    </section>
  )
}

const noLevels: readonly number[] = []
