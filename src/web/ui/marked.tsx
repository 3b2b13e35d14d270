import type { ReactNode } from 'react'

type Span = readonly [from: number, to: number]

/**
 * A text with the places that a search has found. Words in doubt are underlined, as in a transcript,
 * where they are not marked. Both lists are in order, and none of their places overlap.
 */
export function Marked({
  text,
  marks,
  doubts = [],
}: {
  text: string
  marks: readonly Span[]
  doubts?: readonly Span[]
}) {
  const isMarked = ([from, to]: Span) => marks.some((mark) => mark[0] < to && from < mark[1])
  const places = [
    ...marks.map((span) => ({ span, className: 'marked' })),
    ...doubts.filter((span) => !isMarked(span)).map((span) => ({ span, className: 'to-check' })),
  ].toSorted((one, other) => one.span[0] - other.span[0])
  const parts: ReactNode[] = []
  let end = 0
  for (const { span, className } of places) {
    const [from, to] = span
    const words = text.slice(from, to)
    parts.push(
      text.slice(end, from),
      className === 'marked' ? (
        <mark key={from} className={className}>
          {words}
        </mark>
      ) : (
        <span key={from} className={className}>
          {words}
        </span>
      ),
    )
    end = to
  }
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  )
}
