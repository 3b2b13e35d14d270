import { useState } from 'react'

const sizes = [
  { name: 'small', rem: 1 },
  { name: 'medium', rem: 1.125 },
  { name: 'large', rem: 1.3125 },
] as const
const SIZE_KEY = 'transcript-size'

/** How large the text is. This browser remembers it for all recordings. */
export function useTextSize(): [(typeof sizes)[number], () => void] {
  const [index, setIndex] = useState(() => {
    const kept = sizes.findIndex(({ name }) => name === localStorage.getItem(SIZE_KEY))
    return kept < 0 ? 1 : kept
  })
  const size = sizes[index] ?? sizes[1]
  return [
    size,
    () => {
      const next = (index + 1) % sizes.length
      localStorage.setItem(SIZE_KEY, sizes[next]?.name ?? '')
      setIndex(next)
    },
  ]
}
