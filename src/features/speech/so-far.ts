/**
 * The text of a job that still runs, as far as it can be read. Its words come in groups, each a stage
 * of its own; the groups before the first gap are made into turns as the whole will be at the end. A
 * voice has its number once the whole recording was heard, which is long before all of it is recognised.
 */
import type { SpeakerTurn, Turn } from './contract.ts'
import type { Region } from './engines/engine.ts'
import type { RecognisedGroup } from './engines/recognise.ts'
import type { RegionsStage } from './listen/hearing.ts'
import { mendJoins } from './text/joins.ts'
import { merge, mergeSides } from './text/merge.ts'

export interface SoFar {
  /** How many groups there are before the first gap. */
  groups: number
  /** Where the last of them ends; 0 before the first. */
  readToMs: number
  /** Whether it is known who speaks when. */
  isToldApart: boolean
  /** Whether there is more, which lies behind `untilMs`. */
  isHeldBack: boolean
  /** Of the groups from `from` on. */
  turns: Omit<Turn, 'words'>[]
}

/**
 * @param stages the stages `regions` and `speakers` where they are there, and `words:N` for each N
 * from the one before `from`
 * @param untilMs no group that ends later is answered
 * @returns null where what a reader has up to `from` is not what the job goes on with: another
 * engine began again, or cut the recording into other groups
 */
export function soFar(
  stages: ReadonlyMap<string, unknown>,
  { from, readToMs, untilMs = Infinity }: { from: number; readToMs: number; untilMs?: number },
): SoFar | null {
  const groupAt = (number: number) => stages.get(`words:${number}`) as RecognisedGroup | undefined
  const heard = stages.get('regions') as RegionsStage | undefined
  const speakers = stages.get('speakers') as SpeakerTurn[] | undefined
  let last = groupAt(from - 1)
  if (from > 0 && last?.toMs !== readToMs) return null

  const answer: SoFar = {
    groups: from,
    readToMs,
    isToldApart: speakers !== undefined,
    isHeldBack: false,
    turns: [],
  }
  for (
    let next = groupAt(from);
    next && follows(next, last, heard);
    next = groupAt(answer.groups)
  ) {
    const { toMs } = next
    if (toMs > untilMs) return { ...answer, isHeldBack: true }
    for (const { words: _words, ...turn } of turnsOf(next, heard, speakers)) answer.turns.push(turn)
    answer.isToldApart ||= next.lastFromMs !== undefined
    answer.groups += 1
    answer.readToMs = toMs
    last = next
  }
  return answer
}

function turnsOf(
  { fromMs, toMs, lastFromMs, words, hasPunctuation }: RecognisedGroup,
  heard: RegionsStage | undefined,
  speakers: readonly SpeakerTurn[] = [],
): Turn[] {
  const near = (regions: readonly Region[] = []) =>
    regions.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs)
  if (lastFromMs !== undefined) {
    const sides = heard?.sides?.map(({ regions }) => near(regions)) ?? []
    return mergeSides({ words, sides, hasPunctuation })
  }
  const regions = near(heard?.regions)
  const mended = hasPunctuation ? mendJoins(words, regions) : words
  return merge({ words: mended, speakers, regions, hasPunctuation })
}

/** An earlier try, by another engine or on another machine, may have left other groups behind. */
function follows(
  next: RecognisedGroup,
  last: RecognisedGroup | undefined,
  heard: RegionsStage | undefined,
): boolean {
  const isAlike = last === undefined || next.engine === last.engine
  const [fromMs, lastMs] = [next.fromMs, last?.lastFromMs ?? last?.toMs ?? 0]
  // Of several sides the chunks overlap: then it is known where the last one begins.
  const isAfter = (ms: number) => (last?.lastFromMs === undefined ? ms >= lastMs : ms > lastMs)
  const isMissing = heard?.chunks.some(({ startMs }) => isAfter(startMs) && startMs < fromMs)
  return !isMissing && fromMs >= lastMs && isAlike
}
