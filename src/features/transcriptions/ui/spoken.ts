/** Turns and speakers as the results show them, kept current through edits. */
import { UNKNOWN_SPEAKER, speakerLabel } from '#features/speech/contract.ts'
import type { Edited, WordTurn, Words } from '#features/text/contract.ts'
import { confirmed } from '#features/text/packed-words.ts'
import { nameOf } from '#features/text/ui/speaker-name.ts'
import { talkTime } from '#shared/talk-time.ts'
import { groupBy } from '#web/group-by.ts'

import type { Transcription } from '../contract.ts'
import { parseSegments, speakerIndex } from './segments.ts'

/** Applies the server's answer to a change to the loaded words. */
export function withEdited(words: Words, edited: Edited): Words {
  const changed = new Map(edited.turns.map((turn) => [turn.id, turn]))
  const removed = new Set(edited.removed)
  const kept = words.turns.filter(({ id }) => !changed.has(id) && !removed.has(id))
  return {
    ...words,
    revision: edited.revision,
    speakers: edited.speakers,
    turns: [...kept, ...edited.turns].sort((a, b) => a.position - b.position),
  }
}

/** The turn with these words confirmed. */
export const withAccepted = (turn: WordTurn, words: readonly number[]): WordTurn => ({
  ...turn,
  words: confirmed(turn.words, words),
})

/**
 * Makes words from plain segments, where the server's word times are missing. They cannot be
 * edited.
 */
export function wordsFromSegments({
  speakerSegments,
}: Pick<Transcription, 'speakerSegments'>): Words {
  const segments = parseSegments(speakerSegments)
  const called = [...new Set(segments.map(({ speaker }) => speaker))]
  const given = called.filter((name) => name !== UNKNOWN_SPEAKER && speakerIndex(name) === null)
  const letters = called.flatMap((name) => speakerIndex(name) ?? [])
  // A speaker with a name takes a number that no letter stands for.
  const free = called.map((_, number) => number).filter((number) => !letters.includes(number))
  const numberOf = (name: string) => speakerIndex(name) ?? free[given.indexOf(name)] ?? null
  return {
    revision: 0,
    checkBelow: null,
    speakers: called.flatMap((name) => {
      const speaker = numberOf(name)
      if (speaker === null) return []
      const label = speakerLabel(speaker)
      return [{ speaker, label, name: given.includes(name) ? name : null, talkTime: 0 }]
    }),
    turns: segments.map(({ start, end, text, speaker }, position) => ({
      id: `segment-${position}`,
      position,
      revision: 0,
      speaker: numberOf(speaker),
      start,
      end,
      text,
      isEdited: false,
      words: [],
    })),
  }
}

/** Whether voices were told apart at all. */
export const isToldApart = ({ turns }: Pick<Words, 'turns'>): boolean =>
  turns.some(({ speaker }) => speaker !== null)

export interface Voice {
  speaker: number | null
  name: string
  seconds: number
  /** Whole percent of all talk; the shares of all voices add up to 100. */
  share: number
  turns: WordTurn[]
}

/** Every speaker with their talk time, in order of first speech. */
export function voicesOf({ turns, speakers }: Pick<Words, 'turns' | 'speakers'>): Voice[] {
  const bySpeaker = groupBy(turns, ({ speaker }) => speaker)
  const lengths = turns.map(({ speaker, start, end }) => ({
    voice: speaker,
    ms: 1000 * (end - start),
  }))
  return talkTime(lengths).map(({ voice: speaker, ms, share }) => ({
    speaker,
    name: nameOf(speaker, speakers),
    seconds: ms / 1000,
    share,
    turns: bySpeaker.get(speaker) ?? [],
  }))
}

const tickSteps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200]

/** Seconds at which the time axis is labelled: round ones, at most nine of them. */
export function ticksFor(durationSeconds: number): number[] {
  const step = tickSteps.find((step) => durationSeconds / step <= 8) ?? 14_400
  return Array.from({ length: Math.floor(durationSeconds / step) + 1 }, (_, index) => index * step)
}
