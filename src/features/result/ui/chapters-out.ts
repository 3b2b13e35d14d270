import { useMemo } from 'react'

import type { ChaptersOut } from '#features/chapters/ui/chapter-list.tsx'
import { stretchOf } from '#features/chapters/ui/chapters.ts'
import { without } from '#features/cuts/ranges.ts'

import type { Result } from './result.ts'

/** The chapters of which all is cut. */
export function useChaptersOut({
  sound: {
    chapters: { list, duration },
  },
  cuts: { list: cuts },
}: Pick<Result, 'sound' | 'cuts'>): ChaptersOut {
  return useMemo(() => {
    const isOut = (start: number) => {
      const stretch = stretchOf(list, { start, duration })
      return stretch !== null && without([stretch], cuts).length === 0
    }
    return new Set(list.map(({ start }) => start).filter(isOut))
  }, [list, duration, cuts])
}
