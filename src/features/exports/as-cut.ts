/**
 * What a file is made of, as it is once the cuts of a recording are out. The writers of formats do not know
 * of cuts. Pure. What this promises:
 *
 * - Every time is one of the cut recording.
 * - Where nothing is cut, nothing is changed.
 */
import { lengthOf } from '#features/cuts/ranges.ts'
import {
  type Cutting,
  type Moments,
  chaptersAsCut,
  cuttingOf,
  moved,
  summaryAsCut,
  turnAsCut,
} from '#features/cuts/without-cuts.ts'
import type { Turn } from '#features/speech/contract.ts'
import { respread } from '#features/text/in-turn.ts'
import { counted } from '#shared/format.ts'

import type { Source } from './source.ts'

/** What has words and times. */
type Cuttable = Pick<
  Source,
  'cuts' | 'spoken' | 'said' | 'chapters' | 'durationMs' | 'translation'
> & { summary: Moments }

/** Also the titles of the chapters that are left out, because nothing of them is left. */
export function asCut<Whole extends Cuttable>(
  source: Whole,
): { source: Whole; chaptersLeftOut: string[] } {
  const { cuts = [], spoken, said, chapters, durationMs } = source
  if (cuts.length === 0) return { source, chaptersLeftOut: [] }
  const cutting = cuttingOf(cuts)
  const left = new Map(spoken.map((turn) => [turn, turnAsCut(turn, cutting)]))
  const isLeft = (turn: Turn | null | undefined): turn is Turn => Boolean(turn)
  const { texts, whole } = saidAsCut({ spoken, said, left }, cutting)
  const { translation } = source
  const { list, leftOut } = chaptersAsCut({ chapters, spoken, durationMs }, cutting)
  return {
    source: {
      ...source,
      durationMs: durationMs - lengthOf(cuts),
      spoken: [...left.values()].filter(isLeft),
      said: texts.filter(isLeft),
      translation: translation && {
        ...translation,
        note: [
          translation.note,
          ...(whole > 0 ? [`Whole, although cut in part: ${counted(whole, 'turn')}.`] : []),
        ].join(' '),
      },
      chapters: list,
      summary: summaryAsCut(source.summary, cutting),
    },
    chaptersLeftOut: leftOut,
  }
}

/** Turns as they are read. Those of a translation have no times of words, and are taken out whole or not at all. */
function saidAsCut(
  {
    spoken,
    said,
    left,
  }: Pick<Source, 'spoken' | 'said'> & { left: ReadonlyMap<Turn, Turn | null> },
  { clock }: Cutting,
): { texts: (Turn | null)[]; whole: number } {
  let whole = 0
  const texts = said.map((turn, index) => {
    const own = left.get(turn)
    if (own !== undefined) return own
    const heard = spoken[index]
    const rest = heard && left.get(heard)
    if (!heard || !rest) return null
    if (rest.words.length === heard.words.length) return moved(turn, clock)
    whole += 1
    const { startMs, endMs } = rest
    return { ...turn, startMs, endMs, words: respread(turn.words, turn, { startMs, endMs }) }
  })
  return { texts, whole }
}
