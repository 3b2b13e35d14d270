/**
 * How good a transcription is, in the terms of the field: word error rate and diarization error
 * rate. Used by tests and benches; nothing in the product depends on it.
 */

import { spelledOut } from '../src/features/speech/text/numbers.ts'

export interface WordErrors {
  substitutions: number
  deletions: number
  insertions: number
  referenceWords: number
  /** (substitutions + deletions + insertions) / referenceWords, so it may exceed 1. */
  rate: number
}

/**
 * Words as they are compared: lower case, without punctuation, hyphens as spaces, without
 * `[noise]` marks and hesitations. Apostrophes inside a word stay. Numbers are spelled out, and the
 * "and" in them, which some say and some do not, is left out.
 */
export function normalizedWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\[[^\]]*\]|<[^>]*>/g, ' ')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(
      /(?<![\p{L}\d])\$?\d+(?:,\d{3})*%?(?![\p{L}\d])/gu,
      (written) => spelledOut(written)?.join(' ') ?? written,
    )
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .replaceAll(
      /\b(hundred|thousand) and (?=(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\p{L}+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b)/gu,
      '$1 ',
    )
    .split(' ')
    .map((word) => word.replaceAll(/^'+|'+$/g, ''))
    .filter((word) => word !== '' && !/^(u+h+|u+m+|e+r+m*|h+m+|m+h+m+|m{2,})$/.test(word))
}

/**
 * Fewest substitutions, deletions and insertions that turn the reference into the hypothesis; of
 * alignments with equally few, the one with most substitutions.
 */
export function wordErrors(reference: string, hypothesis: string): WordErrors {
  const said = normalizedWords(reference)
  const heard = normalizedWords(hypothesis)
  const none = { substitutions: 0, deletions: 0, insertions: 0 }
  /** Cheapest edits from the reference words so far to each beginning of what was heard. */
  let row = Array.from({ length: heard.length + 1 }, (_, n) => ({ ...none, insertions: n }))
  for (const [index, word] of said.entries()) {
    const above = row
    row = [{ ...none, deletions: index + 1 }]
    for (const [n, other] of heard.entries()) {
      const diagonal = above[n] ?? none
      const substituted =
        word === other ? diagonal : { ...diagonal, substitutions: diagonal.substitutions + 1 }
      const up = above[n + 1] ?? none
      const left = row[n] ?? none
      row.push(
        cheapest(
          substituted,
          { ...up, deletions: up.deletions + 1 },
          { ...left, insertions: left.insertions + 1 },
        ),
      )
    }
  }
  return withRate(row.at(-1) ?? none, said.length)
}

/**
 * For each heard word whether it was said: false for one that stands for another word or for none.
 * Among alignments with equally few errors it takes one in which most words are right. A word that is
 * compared as several ("42") is right when all of them are; one that is nothing but a mark or a
 * hesitation is not judged (null).
 */
export function rightWords(reference: string, heard: readonly string[]): (boolean | null)[] {
  const said = normalizedWords(reference)
  const pieces = heard.map((word) => normalizedWords(word))
  const flat = pieces.flatMap((parts, word) => parts.map((text) => ({ text, word })))
  const width = flat.length + 1
  // An error costs more than all the right words together can save.
  const ERROR = width + said.length
  const cost = new Float64Array((said.length + 1) * width)
  const pairCost = (row: number, column: number) =>
    said[row - 1] === flat[column - 1]?.text ? -1 : ERROR
  const at = (row: number, column: number) => cost[row * width + column] ?? 0
  for (let row = 0; row <= said.length; row += 1)
    for (let column = 0; column < width; column += 1) {
      if (row === 0 || column === 0) cost[row * width + column] = (row + column) * ERROR
      else
        cost[row * width + column] = Math.min(
          at(row - 1, column - 1) + pairCost(row, column),
          at(row - 1, column) + ERROR,
          at(row, column - 1) + ERROR,
        )
    }
  const judged = pieces.map((parts): boolean | null => (parts.length === 0 ? null : true))
  let [row, column] = [said.length, flat.length]
  while (column > 0) {
    const word = flat[column - 1]?.word ?? 0
    if (row > 0 && at(row, column) === at(row - 1, column - 1) + pairCost(row, column)) {
      if (pairCost(row, column) === ERROR) judged[word] = false
      row -= 1
      column -= 1
    } else if (row > 0 && at(row, column) === at(row - 1, column) + ERROR) row -= 1
    else {
      judged[word] = false
      column -= 1
    }
  }
  return judged
}

/** Errors of several recordings as those of one long recording. */
export function totalWordErrors(all: readonly WordErrors[]): WordErrors {
  const sum = (key: keyof WordErrors) => all.reduce((total, errors) => total + errors[key], 0)
  return withRate(
    {
      substitutions: sum('substitutions'),
      deletions: sum('deletions'),
      insertions: sum('insertions'),
    },
    sum('referenceWords'),
  )
}

type Edits = Pick<WordErrors, 'substitutions' | 'deletions' | 'insertions'>

function editCount({ substitutions, deletions, insertions }: Edits): number {
  return substitutions + deletions + insertions
}

function cheapest(first: Edits, ...others: Edits[]): Edits {
  return others.reduce((best, edits) => (editCount(edits) < editCount(best) ? edits : best), first)
}

function withRate(edits: Edits, referenceWords: number): WordErrors {
  const errors = editCount(edits)
  return { ...edits, referenceWords, rate: errors === 0 ? 0 : errors / referenceWords }
}

/** A stretch by one speaker; turns of different speakers may overlap. */
export interface LabelledTurn {
  speaker: string | number
  startMs: number
  endMs: number
}

export interface DiarizationErrors {
  /** Speaker time in the reference that was scored: two speaking at once count twice. */
  scoredMs: number
  missedMs: number
  falseAlarmMs: number
  confusedMs: number
  /** (missed + false alarm + confused) / scored. */
  rate: number
  /** Which speaker of the hypothesis stands for which of the reference. */
  mapping: Map<string | number, string | number>
}

/**
 * Diarization error rate as NIST's md-eval defines it: speakers are matched one to one so that they
 * agree longest, nothing is scored within `collarMs` of an edge of a reference turn, and overlapped
 * speech counts for each speaker.
 */
export function diarizationErrors(
  reference: readonly LabelledTurn[],
  hypothesis: readonly LabelledTurn[],
  { collarMs }: { collarMs: number },
): DiarizationErrors {
  const [said, heard] = [joinTouching(reference), joinTouching(hypothesis)]
  const spans = scoredSpans(said, heard, collarMs)
  // Speakers are matched over all speech, also where it is not scored.
  const mapping = bestMapping(scoredSpans(said, heard, 0))
  const errors = { scoredMs: 0, missedMs: 0, falseAlarmMs: 0, confusedMs: 0 }
  for (const { durationMs, said, heard } of spans) {
    const right = heard.filter((speaker) => {
      const meant = mapping.get(speaker)
      return meant !== undefined && said.includes(meant)
    }).length
    errors.scoredMs += durationMs * said.length
    errors.missedMs += durationMs * Math.max(0, said.length - heard.length)
    errors.falseAlarmMs += durationMs * Math.max(0, heard.length - said.length)
    errors.confusedMs += durationMs * (Math.min(said.length, heard.length) - right)
  }
  const wrongMs = errors.missedMs + errors.falseAlarmMs + errors.confusedMs
  return { ...errors, rate: wrongMs === 0 ? 0 : wrongMs / errors.scoredMs, mapping }
}

/** A stretch in which the same people speak. */
interface Span {
  durationMs: number
  said: (string | number)[]
  heard: (string | number)[]
}

function scoredSpans(
  reference: LabelledTurn[],
  hypothesis: LabelledTurn[],
  collarMs: number,
): Span[] {
  const edges = reference.flatMap(({ startMs, endMs }) => [startMs, endMs])
  const cuts = new Set([
    ...edges.flatMap((edge) => [edge - collarMs, edge, edge + collarMs]),
    ...hypothesis.flatMap(({ startMs, endMs }) => [startMs, endMs]),
  ])
  const sorted = [...cuts].sort((a, b) => a - b)
  const speakersAt = (turns: LabelledTurn[], ms: number) =>
    turns.filter(({ startMs, endMs }) => startMs <= ms && ms < endMs).map((turn) => turn.speaker)

  return sorted.flatMap((startMs, index) => {
    const endMs = sorted[index + 1]
    if (endMs === undefined) return []
    const middleMs = (startMs + endMs) / 2
    if (edges.some((edge) => Math.abs(middleMs - edge) < collarMs)) return []
    const said = speakersAt(reference, middleMs)
    const heard = speakersAt(hypothesis, middleMs)
    return [{ durationMs: endMs - startMs, said, heard }]
  })
}

/** A speaker's turns that touch or overlap are one, so no edge lies inside his speech. */
function joinTouching(turns: readonly LabelledTurn[]): LabelledTurn[] {
  const latest = new Map<string | number, LabelledTurn>()
  const joined: LabelledTurn[] = []
  for (const turn of [...turns].sort((a, b) => a.startMs - b.startMs)) {
    const last = latest.get(turn.speaker)
    if (last && turn.startMs <= last.endMs) last.endMs = Math.max(last.endMs, turn.endMs)
    else {
      const copy = { ...turn }
      latest.set(turn.speaker, copy)
      joined.push(copy)
    }
  }
  return joined
}

/** All ways are compared: recordings have few speakers. */
function bestMapping(spans: Span[]): Map<string | number, string | number> {
  const saidBy = [...new Set(spans.flatMap(({ said }) => said))]
  const heardBy = [...new Set(spans.flatMap(({ heard }) => heard))]
  const sharedMs = heardBy.map((hypothesis) =>
    saidBy.map((reference) =>
      spans
        .filter(({ said, heard }) => said.includes(reference) && heard.includes(hypothesis))
        .reduce((sum, { durationMs }) => sum + durationMs, 0),
    ),
  )
  interface Match {
    ms: number
    pairs: [row: number, column: number][]
  }
  const known = new Map<string, Match>()
  /** The best for the rows from this one on, with the columns whose bits are not taken. */
  const bestFrom = (row: number, taken: number): Match => {
    if (row === heardBy.length) return { ms: 0, pairs: [] }
    const key = `${row} ${taken}`
    let best = known.get(key)
    if (best) return best
    best = bestFrom(row + 1, taken)
    for (const [column, ms] of (sharedMs[row] ?? []).entries()) {
      if (ms === 0 || taken & (1 << column)) continue
      const rest = bestFrom(row + 1, taken | (1 << column))
      if (ms + rest.ms > best.ms) best = { ms: ms + rest.ms, pairs: [[row, column], ...rest.pairs] }
    }
    known.set(key, best)
    return best
  }
  const mapping = new Map<string | number, string | number>()
  for (const [row, column] of bestFrom(0, 0).pairs) {
    const [hypothesis, reference] = [heardBy[row], saidBy[column]]
    if (hypothesis !== undefined && reference !== undefined) mapping.set(hypothesis, reference)
  }
  return mapping
}

/** Turns from NIST's RTTM: `SPEAKER file channel start duration <NA> <NA> name …` in seconds. */
export function parseRttm(text: string): LabelledTurn[] {
  return text.split('\n').flatMap((line) => {
    const [type, , , start, duration, , , speaker] = line.trim().split(/\s+/)
    if (type !== 'SPEAKER' || speaker === undefined) return []
    const startMs = Math.round(Number(start) * 1000)
    return [{ speaker, startMs, endMs: startMs + Math.round(Number(duration) * 1000) }]
  })
}
