/**
 * Applies an account's vocabulary to a new transcription: its fixed replacements are made in the
 * order in which they stand, and its terms are looked for. A replacement may find what another one
 * has written, so a text could grow without end: one that would make it too long is left out.
 */
import { setImmediate } from 'node:timers/promises'

import type { Turn } from '#features/speech/contract.ts'
import type { FixedReplacement } from '#features/vocabulary/contract.ts'
import { hitsOf } from '#shared/hits.ts'

import { replacer } from './replacing.ts'

/** A turn as it reads with the replacements; `position` is its place among the turns. */
export interface FixedTurn extends Pick<Turn, 'text' | 'words'> {
  position: number
}

export interface Fixed {
  turns: Turn[]
  changed: FixedTurn[]
  /** How many places. */
  replaced: number
}

/** How many letters all replacements together may add, beyond doubling the text. */
const MOST_ADDED = 20_000

/** Hours of talk and hundreds of replacements take a while: other work goes on in between. */
const AT_ONCE_MS = 20

function pauses(): { isDue: () => boolean; take: () => Promise<void> } {
  let since = performance.now()
  return {
    isDue: () => performance.now() - since > AT_ONCE_MS,
    async take() {
      await setImmediate()
      since = performance.now()
    },
  }
}

export async function fix(
  turns: readonly Turn[],
  replacements: readonly FixedReplacement[],
): Promise<Fixed> {
  if (replacements.length === 0) return { turns: [...turns], changed: [], replaced: 0 }
  const makers = replacements.map(({ from: find, to: replaceWith, ...how }) =>
    replacer({ find, replaceWith, ...how }),
  )
  const done: Fixed = { turns: [], changed: [], replaced: 0 }
  let lettersLeft = turns.reduce((sum, { text }) => sum + text.length, MOST_ADDED)
  const pause = pauses()
  for (const [position, turn] of turns.entries()) {
    let now = turn
    let replaced = 0
    for (const make of makers) {
      if (pause.isDue()) await pause.take()
      const { text, words, ...made } = make(now, { most: now.text.length + lettersLeft })
      lettersLeft -= text.length - now.text.length
      if (made.replaced > 0) now = { ...now, text, words }
      replaced += made.replaced
    }
    done.turns.push(now)
    done.replaced += replaced
    if (replaced > 0) done.changed.push({ position, text: now.text, words: now.words })
  }
  return done
}

/** Those of the terms that somebody says. */
export async function termsSaid(
  turns: readonly Pick<Turn, 'text'>[],
  terms: readonly string[],
): Promise<string[]> {
  const text = turns.map((turn) => turn.text).join('\n')
  const said: string[] = []
  const pause = pauses()
  for (const term of terms) {
    if (pause.isDue()) await pause.take()
    const find = hitsOf({ find: term, matchCase: false, wholeWord: true })
    if (find(text).length > 0) said.push(term)
  }
  return said
}
