/** What is given away from the page, as it is once the cuts are out. */
import type { Cuts } from '#features/cuts/contract.ts'
import { rangesOf } from '#features/cuts/ui/cutting.ts'
import { cuttingOf, summaryAsCut, turnAsCut } from '#features/cuts/without-cuts.ts'
import { unpackWords } from '#features/text/packed-words.ts'

import type { Open } from './text-of.ts'

/** Without what is cut, in the times of what is left. A turn whose words are not known goes whole or stays whole. */
export function openAsCut<Result extends Open>(open: Result, cuts: Cuts | undefined): Result {
  if (!cuts || cuts.cuts.length === 0) return open
  const cutting = cuttingOf(rangesOf(cuts))
  const turns = open.words.turns.flatMap((turn) => {
    const words = unpackWords(turn).map(({ from, to, startMs, endMs }) => ({
      text: turn.text.slice(from, to),
      startMs,
      endMs,
      confidence: null,
    }))
    const times = { startMs: Math.round(turn.start * 1000), endMs: Math.round(turn.end * 1000) }
    const left = turnAsCut({ ...times, speaker: turn.speaker, text: turn.text, words }, cutting)
    if (!left) return []
    const { startMs, endMs, text } = left
    return { ...turn, start: startMs / 1000, end: endMs / 1000, text, words: [] }
  })
  return {
    ...open,
    words: { ...open.words, turns },
    transcription: { ...open.transcription, ...summaryAsCut(open.transcription, cutting) },
  }
}
