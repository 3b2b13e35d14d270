/**
 * The text of a running job, and of one that has just broken. Each answer of the server has what came since the one before, and that
 * is put at the end. So what somebody is reading stays as it is and where it is.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { addressOf } from '#shared/call.ts'
import { ApiError, ask } from '#web/api.ts'

import { getSoFar } from '../calls.ts'
import type { SoFar } from '../contract.ts'
import { chunkOf } from '../status.ts'
import { stepsFor } from './progress.ts'

export type ReadTurn = SoFar['turns'][number]
export type Read = Omit<SoFar, 'from'>

const soFarKey = (id: string) => [addressOf(getSoFar, { params: { id } })] as const
const nothing: Read = { next: 0, readTo: 0, isToldApart: false, isHeldBack: false, turns: [] }

export const soFarQuery = (id: string) =>
  queryOptions({
    queryKey: soFarKey(id),
    queryFn: async ({ client, signal }): Promise<Read> => {
      const before = client.getQueryData<Read>(soFarKey(id)) ?? nothing
      const readSince = ({ next, readTo }: Read) =>
        ask(getSoFar, { params: { id }, query: { from: next, readTo }, signal })
      try {
        const more = await readSince(before)
        const isNews = more.isToldApart && !before.isToldApart && before.turns.length > 0
        return added(isNews ? named(before, await readSince(nothing)) : before, more)
      } catch (error) {
        // The job has just ended, which the next poll tells.
        if (error instanceof ApiError && error.status === 409) return before
        throw error
      }
    },
  })

/** Asks for what came since, where a status says that something did. */
export function followReading(
  client: QueryClient,
  { id, status }: { id: string; status: string },
  before: string | undefined,
): void {
  if (status === 'completed') client.removeQueries({ queryKey: soFarKey(id), type: 'inactive' })
  else if (status !== before && (status === 'error' || hasNews(status)))
    void client.invalidateQueries({ queryKey: soFarKey(id) })
}

export function forgetReading(client: QueryClient, id: string): void {
  client.removeQueries({ queryKey: soFarKey(id) })
}

const hasNews = (status: string) => (chunkOf(status)?.done ?? 0) > 0 || !isBeingWritten(status)

/** Whether more words are to come. */
export const isBeingWritten = (status: string): boolean => stepsFor(status)[1]?.state === 'active'

/** A turn goes on after a pause this long; after a longer one it is another. */
const PAUSE_S = 1
const LONGEST_S = 12

/** Where the text was cut for the recogniser, a turn may go on. */
export function added(before: Read, { from, ...more }: SoFar): Read {
  if (from === 0) return more
  const last = before.turns.at(-1)
  const [first, ...rest] = more.turns
  const isOne =
    last !== undefined &&
    first !== undefined &&
    first.speaker === last.speaker &&
    first.start - last.end <= PAUSE_S &&
    first.end - last.start <= LONGEST_S
  const turns = isOne
    ? [
        ...before.turns.slice(0, -1),
        { ...last, end: first.end, text: `${last.text} ${first.text}` },
        ...rest,
      ]
    : [...before.turns, ...more.turns]
  return { ...more, turns }
}

/** A turn gets its speaker later if nearly all of it is one speaker's. */
const MOST_OF_IT = 0.8

/**
 * Turns that were read before the speakers were told apart, with their speakers. They stay as they
 * were cut, so that nothing moves; one in which several speak stays without a speaker.
 */
export function named(before: Read, all: Pick<SoFar, 'turns'>): Read {
  let first = 0
  const turns = before.turns.map((turn) => {
    const shares = new Map<number, number>()
    while ((all.turns[first]?.end ?? Infinity) <= turn.start) first += 1
    for (let at = first; at < all.turns.length; at++) {
      const { start, end, speaker } = all.turns[at] ?? turn
      if (start >= turn.end) break
      const shared = Math.min(end, turn.end) - Math.max(start, turn.start)
      if (speaker !== null) shares.set(speaker, (shares.get(speaker) ?? 0) + shared)
    }
    const sum = [...shares.values()].reduce((total, share) => total + share, 0)
    const [most] = [...shares].toSorted((a, b) => b[1] - a[1])
    return { ...turn, speaker: most && most[1] >= sum * MOST_OF_IT ? most[0] : null }
  })
  return { ...before, turns }
}
