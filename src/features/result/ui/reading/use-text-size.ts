import { useSyncExternalStore } from 'react'

import { keep, kept, onSet } from '../settings.ts'

export const textSizes = [
  { name: 'small', rem: 1 },
  { name: 'medium', rem: 1.125 },
  { name: 'large', rem: 1.3125 },
] as const
export type TextSize = (typeof textSizes)[number]
const SIZE_KEY = 'transcript-size'

const keptSize = (): TextSize =>
  textSizes.find(({ name }) => name === kept(SIZE_KEY)) ?? textSizes[1]

export const setTextSize = ({ name }: TextSize): void => keep(SIZE_KEY, name)

/** How large the text is. This browser remembers it for all recordings. */
export const useTextSize = (): TextSize => useSyncExternalStore(onSet, keptSize)
