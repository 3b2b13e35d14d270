/** Looks at captions as a reader sees them, and names every rule of a profile that one breaks. */
import type { CaptionRule } from '../formats.ts'
import type { CueProfile } from './caption-profiles.ts'
import { type Cue, readIn, shownLines, stopsOf, widthOf } from './cues.ts'

interface RuleBroken {
  /** The number of the cue, from 1. */
  cue: number
  startMs: number
  rule: CaptionRule
  /** The figure found and the one allowed: letters, lines or milliseconds. */
  is: number
  limit: number
}

const MOST_LINES = 2

/**
 * `hasVoices`: names stand beside the text, and are not read. `forgivenMs`: by how much a caption may
 * miss what a reader needs without being named. How captions follow each other is kept to the frame.
 */
export function checkCues(
  cues: readonly Cue[],
  profile: CueProfile,
  { hasVoices = false, forgivenMs = 0 }: { hasVoices?: boolean; forgivenMs?: number } = {},
): RuleBroken[] {
  const { lineCharacters, readingMs, shortestMs, longestMs, gapMs, closedGapMs } = profile
  const { earlyMs, lateMs, hangMs } = profile
  const stops = stopsOf(
    cues.flatMap(({ words }) => words),
    profile,
  )
  let reached = 0
  const broken: RuleBroken[] = []
  cues.forEach((cue, index) => {
    const { startMs, endMs, words } = cue
    const lines = shownLines(cue, hasVoices)
    const note = (rule: CaptionRule, is: number, limit: number) =>
      broken.push({ cue: index + 1, startMs, rule, is: Math.round(is), limit: Math.round(limit) })
    const widest = Math.max(...lines.map((line) => widthOf(line, profile.isWide)))
    if (widest > lineCharacters) note('line_too_long', widest, lineCharacters)
    if (lines.length > MOST_LINES) note('too_many_lines', lines.length, MOST_LINES)

    const lengthMs = endMs - startMs
    const leastMs = readingMs(readIn(lines, profile))
    if (shortestMs !== null && lengthMs + forgivenMs < shortestMs)
      note('too_short', lengthMs, shortestMs)
    if (longestMs !== null && lengthMs - forgivenMs > longestMs)
      note('too_long', lengthMs, longestMs)
    if (lengthMs + forgivenMs < leastMs) note('too_fast', lengthMs, leastMs)

    const gap = (cues[index + 1]?.startMs ?? Infinity) - endMs
    if (gap < 0) note('overlap', -gap, 0)
    else if (gap < gapMs) note('gap_too_short', gap, gapMs)
    else if (gap > gapMs && gap + forgivenMs < closedGapMs) note('gap_too_short', gap, closedGapMs)

    reached += words.length
    const saidMs = words[0]?.startMs ?? startMs
    const hungMs = endMs - Math.max(stops[reached - 1] ?? endMs, startMs)
    if (saidMs - startMs - forgivenMs > earlyMs) note('astray', saidMs - startMs, earlyMs)
    else if (startMs - saidMs - forgivenMs > lateMs) note('astray', startMs - saidMs, lateMs)
    else if (hangMs !== null && hungMs - forgivenMs > hangMs) note('astray', hungMs, hangMs)
  })
  return broken
}
