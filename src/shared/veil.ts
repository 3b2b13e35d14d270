/**
 * Words that are hidden for others, on the pages of who has hidden them: bars are put over a text when it
 * is drawn. Pure.
 */
import { SAID, type Veil, forGoodIn, noVeil } from './bars.ts'
import { hidingOf, marks, together, written } from './hidden-words.ts'

/** Words as their owner has hidden them. */
export interface HiddenForOthers {
  words: string[]
  mark: keyof typeof marks
}

/** @param language of what is said in the recording, as ISO 639-1; null where nobody knows */
export function veilOf(hidden: readonly HiddenForOthers[], language: string | null): Veil {
  const [first, ...others] = hidden.map(({ words, mark }) =>
    hidingOf(words, { userId: '', transcriptionId: '', mark: marks[mark], language }),
  )
  if (!first) return noVeil
  const { hitsIn, markFor, hide, isUnsure } = together([first, ...others])
  const barsIn: Veil['barsIn'] = (text) => {
    const bars = hitsIn(text).map(([from, to]) => ({
      from,
      to,
      mark: markFor(text.slice(from, to)),
      isForGood: false,
    }))
    return [...bars, ...forGoodIn(text)].toSorted((a, b) => a.from - b.from)
  }
  return {
    isEmpty: false,
    barsIn,
    hide,
    say: (text) =>
      written(
        text,
        barsIn(text).map(({ from, to }) => [from, to]),
        () => SAID,
      ),
    isUnsure,
  }
}
