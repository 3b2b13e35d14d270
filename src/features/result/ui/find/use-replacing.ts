import { useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import { MOST_SEEN_TURNS, hitsOf } from '#shared/hits.ts'

import type { Hit } from './find.ts'
import type { Edits } from '../edits.ts'
import type { Result } from '../result.ts'
import type { Search } from './use-search.ts'

/** How long the toast offers to take all of it back. */
const UNDO_MS = 10_000

/** Replaces the hits of a search, one after the other or all at once. */
export function useReplacing(
  { text: { words, edits }, view: { only } }: Result,
  { wanted, options, hits, at, show }: Search,
) {
  const { turns } = words
  const [replaceWith, setReplaceWith] = useState('')
  const [remember, setRemember] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [done, setDone] = useState<Done | null>(null)

  const send = async (seen: Parameters<Edits['replace']>[0]['turns']) => {
    setBusy(true)
    setDone(null)
    const isAll = seen === undefined || seen.some((turn) => turn.at === undefined)
    const replacement = { find: wanted, replaceWith, ...options, remember }
    const answer = await edits?.replace(
      seen ? { ...replacement, turns: seen } : replacement,
      ({ replaced = 0 }) =>
        isAll
          ? {
              title: `${replaced.toLocaleString('en-US')} ${actOf(replaceWith)}`,
              durationMs: UNDO_MS,
            }
          : undefined,
    )
    setBusy(false)
    if (!answer) return null
    const left = new Set(answer.left)
    const isLeft = ({ turn }: Hit) => left.has(turns[turn]?.id ?? '')
    setDone({
      replaced: answer.replaced ?? 0,
      left: isAll ? hits.filter(isLeft).length : left.size,
      isRemembered: remember && (answer.replaced ?? 0) > 0,
    })
    return answer
  }

  return {
    replaceWith,
    setReplaceWith,
    remember,
    setRemember,
    isBusy,
    /** The outcome of the last replacement; null before the first and while one is made. */
    done,
    forget: () => setDone(null),
    /** Replaces the hit that is shown, or the first, and goes to the next. */
    one: async () => {
      const place = Math.max(0, at ?? 0)
      const hit = hits[place]
      const turn = hit && turns[hit.turn]
      if (!hit || !turn || isBusy) return
      const answer = await send([{ id: turn.id, revision: turn.revision, at: [hit.from] }])
      if (!answer) return
      const now = answer.turns.find(({ id }) => id === turn.id)
      const next = nextHit({ hit, turn, now, hits, find: hitsOf({ find: wanted, ...options }) })
      if (next) show(next)
    },
    all: async () => {
      if (isBusy) return
      const places = [...new Set(hits.map(({ turn }) => turn))]
      const seen = places.flatMap((place) => {
        const turn = turns[place]
        return turn ? [{ id: turn.id, revision: turn.revision }] : []
      })
      // More do not fit a request: then whatever has hits by then is changed.
      const isMany = seen.length > MOST_SEEN_TURNS
      await send(isMany && only === null ? undefined : seen.slice(0, MOST_SEEN_TURNS))
    },
  }
}

interface Done {
  replaced: number
  /** Places that somebody changed meanwhile. */
  left: number
  isRemembered: boolean
}

const actOf = (replaceWith: string): string => (replaceWith.trim() === '' ? 'removed' : 'replaced')

/** The hit after one that was replaced; what was written in its place is passed over. */
function nextHit({
  hit,
  turn,
  now,
  hits,
  find,
}: {
  hit: Hit
  turn: WordTurn
  now: WordTurn | undefined
  hits: readonly Hit[]
  find: ReturnType<typeof hitsOf>
}): Hit | undefined {
  const text = now?.text ?? turn.text
  const written = hit.to + (now ? text.length - turn.text.length : 0)
  const inTurn = find(text).map(([from, to]): Hit => ({ turn: hit.turn, from, to }))
  const others = hits.filter((other) => other.turn !== hit.turn)
  return (
    inTurn.find(({ from }) => from >= written) ??
    others.find((other) => other.turn > hit.turn) ??
    others[0] ??
    inTurn[0]
  )
}
