import { rangeAt } from '#features/cuts/ranges.ts'
import { turnIndexAt } from '#features/text/ui/word-places.ts'
import { Timecode } from '#web/ui/timecode.tsx'

import { type Passage, passageFrom } from './passages.ts'
import type { Result } from './result.ts'

/** So many fit an episode; the rest are key points like others. */
const MOST = 5

/** Passages of which a clip is proposed below show notes: those that key points were taken from, without what is cut. */
export function BestMoments({
  result: { text, sound, cuts },
  onClip,
}: {
  result: Result
  onClip: (passage: Passage) => void
}) {
  const { transcription, words } = text
  const { player } = sound
  const moments = transcription.keyPoints.flatMap((point, place) => {
    const at = transcription.keyPointTimes[place] ?? null
    const turn = at === null ? undefined : words.turns[turnIndexAt(words.turns, at)]
    const isLeft = at !== null && rangeAt(cuts.list, at * 1000) === null
    return isLeft && turn ? [{ point, at, turn }] : []
  })
  if (!player || moments.length === 0) return null
  return (
    <section aria-labelledby="best-moments" className="pt-6 print:hidden">
      <h4 id="best-moments" className="mb-1 text-ui font-semibold">
        Best moments
      </h4>
      <ul className="border-t border-rule">
        {moments.slice(0, MOST).map(({ point, at, turn }) => (
          <li
            key={at}
            className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-3 border-b border-rule py-2 text-small last:border-0 sm:grid-cols-[auto_minmax(0,1fr)_auto]"
          >
            <button
              type="button"
              className="relative min-w-11 text-left text-ink-2 after:absolute after:-inset-x-1 after:-inset-y-3 after:content-[''] hover:text-ink hover:underline"
              onClick={() => player.playFrom(at)}
            >
              <span className="sr-only">Play from </span>
              <Timecode s={at} />
            </button>
            <span dir="auto" className="wrap-anywhere">
              {point}
            </span>
            <button
              type="button"
              className="relative min-h-6 text-left text-link after:absolute after:-inset-x-1 after:-inset-y-2.5 after:content-[''] max-sm:col-start-2"
              onClick={() => onClip(passageFrom(at, turn))}
            >
              Make a clip…<span className="sr-only"> of “{point}”</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
