/** Sentences that somebody has changed: whether the words that were quoted for them prove them still. */
import { claimsOf } from './claims.ts'
import type { WritingTurn } from './contract.ts'
import { proverOf } from './proof.ts'

interface Recorded {
  turns: readonly WritingTurn[]
  /** The language of the recording, and that of the sentences, as ISO 639-1. */
  spoken: string
  written: string
}

/** Answers by the comparison that sentences of a model have to pass. It goes through the whole text. */
export function stillProven(recorded: Recorded): (sentence: string, quote: string) => boolean {
  const prover = proverOf(recorded.turns)
  const claims = claimsOf(recorded, prover)
  return (sentence, quote) => {
    const source = prover.find(quote, [])
    return (
      source !== null && claims.hold(sentence) && claims.proves(source, sentence, [source.turn])
    )
  }
}
