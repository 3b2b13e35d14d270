/**
 * Makes captions from turns: it builds the cues, and writes them in two formats.
 *
 * - Every word stands in exactly one cue, in the order it was said, and cues follow its own times.
 * - Cues are sorted, never overlap, and each ends after it starts; times are whole milliseconds.
 * - No line is longer than the profile allows; a longer word goes on in the next line.
 * - A cue holds one speaker, and a pause ends it. Where two speak at once, their cues take turns.
 * - Reading speed and the shortest length are kept as far as the words' own times leave room: a cue
 *   stays longer, never later than the next one begins or the recording ends.
 *
 * The figures are those of caption-profiles.ts. Where what is said is too fast for them, mend-cues.ts
 * cuts and times it anew.
 */
import { isWithoutSpace, joinWords, type Turn, type Word } from '#features/speech/contract.ts'
import { isFromRight } from '#shared/direction.ts'
import { wordsIn } from '#shared/written.ts'

import { breakCosts } from './breaks.ts'
import {
  type CueProfile,
  LONGEST_MADE_MS,
  type Read,
  SHORTEST_MADE_MS,
  standardProfile,
} from './caption-profiles.ts'
import { readersNames, type SpeakerNames } from '../speaker-names.ts'

export interface Cue {
  startMs: number
  endMs: number
  speaker: number | null
  /** Null where the speaker is unknown, and for an only speaker whom nobody has named. */
  name: string | null
  /** The name as formats without voices write it; null where the same speaker spoke before. */
  label: { text: string; hasOwnLine: boolean } | null
  lines: string[]
  /** The name in front of each line, where two speakers share a cue; `lines` are theirs then. */
  voices?: (string | null)[]
  words: Word[]
}

export interface CueOptions {
  profile?: CueProfile
  names?: SpeakerNames
  /** Whether cues say who speaks; a change of speaker ends one either way. */
  hasNames?: boolean
  /** The format has a place of its own for who speaks, which takes no room and no time to read. */
  hasVoices?: boolean
  /** When the recording ends, where that is known. */
  endMs?: number | undefined
}

export function buildCues(turns: readonly Turn[], options: CueOptions = {}): Cue[] {
  const steps = cuesInSteps(turns, options)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, for a page that may not stand still meanwhile: cut run by run. */
export function* cuesInSteps(
  turns: readonly Turn[],
  {
    profile = standardProfile,
    names,
    hasNames = true,
    hasVoices = false,
    endMs = Infinity,
  }: CueOptions = {},
): Generator<undefined, Cue[]> {
  const nameOf = hasNames ? readersNames(turns, names) : () => null
  const runs = takingTurns(runsOf(turns, profile), {
    profile,
    nameOf: hasVoices ? () => null : nameOf,
  })
  const pieces: (LabelledRun & { name: string | null })[] = []
  for (const [index, run] of runs.entries()) {
    const name = nameOf(run.speaker)
    const isNew = index === 0 || runs[index - 1]?.speaker !== run.speaker
    const label = name !== null && isNew && !hasVoices ? labelOf(name, profile) : null
    const next = runs[index + 1]
    const nextMs = next ? startOf(next) : Infinity
    for (const piece of cut({ ...run, label, nextMs }, profile)) pieces.push({ ...piece, name })
    yield
  }
  return timed(pieces, { profile, endMs })
}

interface Run {
  speaker: number | null
  words: Word[]
  /** It is a cue as it is, of one who speaks while another does. The next one waits until it was seen. */
  isCue?: boolean
}

/** Words of one speaker without a pause. */
function runsOf(turns: readonly Turn[], profile: CueProfile): Run[] {
  const runs: Run[] = []
  let reachedMs = 0
  for (const { speaker, words } of turns.toSorted((a, b) => a.startMs - b.startMs)) {
    for (const word of heard(words, profile)) {
      const last = runs.at(-1)
      const isPause = word.startMs - reachedMs >= profile.pauseMs
      if (last && last.speaker === speaker && !isPause) last.words.push(word)
      else runs.push({ speaker, words: [word] })
      reachedMs = Math.max(reachedMs, word.endMs)
    }
  }
  return runs
}

const startOf = ({ words }: Run): number => words[0]?.startMs ?? 0
const lastStartOf = ({ words }: Run): number => words.at(-1)?.startMs ?? 0

/**
 * Runs in the order in which they begin. Where two speak at once, each run is cut into its cues, so that
 * a reply is shown when it is said and not when the other has ended. Each cue has room for a name.
 */
export function takingTurns(
  runs: readonly Run[],
  { profile, nameOf }: { profile: CueProfile; nameOf: (speaker: Run['speaker']) => string | null },
): Run[] {
  const inOrder = runs.toSorted((a, b) => startOf(a) - startOf(b))
  const atOnce = new Set<Run>()
  let longest = inOrder[0]
  for (const run of inOrder) {
    if (longest && run.speaker !== longest.speaker && startOf(run) < lastStartOf(longest))
      atOnce.add(longest).add(run)
    if (!longest || lastStartOf(run) > lastStartOf(longest)) longest = run
  }
  const cuesIn = (run: Run): Run[] => {
    const name = nameOf(run.speaker)
    const room = name === null ? 0 : widthOf(`${labelOf(name, profile)} `, profile.isWide)
    const { lineCharacters: most } = profile
    const narrow = { ...profile, lineCharacters: Math.max(Math.ceil(most / 2), most - room) }
    const pieces = cut({ ...run, label: null, nextMs: Infinity }, narrow)
    return pieces.map(({ speaker, words }) => ({ speaker, words, isCue: true }))
  }
  return inOrder
    .flatMap((run) => {
      // Also where a correction gave words odd times, those of one turn stay in their order.
      let fromMs = startOf(run)
      return (atOnce.has(run) ? cuesIn(run) : [run]).map((piece) => {
        fromMs = Math.max(fromMs, startOf(piece))
        return { piece, fromMs }
      })
    })
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .map(({ piece }) => piece)
}

/** The words that can be shown. One that is longer than a line becomes several. */
export const heard = (words: readonly Word[], profile: CueProfile): Word[] =>
  words
    .map(neat)
    .filter(({ text }) => text !== '')
    .flatMap((word) => inLines(word, profile))

/**
 * Where no spaces are written, what an engine calls a word may be a sentence: it is cut into words. A
 * word that is still too long fills lines, so that nothing is added where it is broken.
 */
function inLines(word: Word, profile: CueProfile): Word[] {
  const { lineCharacters, isWide } = profile
  if (widthOf(word.text, isWide) <= lineCharacters) return [word]
  const inWords = shared(word, wordsIn(word.text))
  if (inWords.length > 1) return inWords.flatMap((each) => inLines(each, profile))
  const parts: string[] = []
  let used = Infinity
  for (const { segment } of graphemes.segment(word.text)) {
    used += widthOf(segment, isWide)
    if (used > lineCharacters) {
      parts.push('')
      used = widthOf(segment, isWide)
    }
    parts[parts.length - 1] += segment
  }
  return shared(word, parts)
}

/** Parts of a word, each with its share of the time. */
function shared(word: Word, parts: readonly string[]): Word[] {
  const { startMs, endMs } = word
  const all = parts.reduce((sum, part) => sum + widthOf(part), 0)
  let passed = 0
  const timeOf = () => Math.round(startMs + ((endMs - startMs) * passed) / all)
  return parts.map((text) => {
    const from = timeOf()
    passed += widthOf(text)
    return { ...word, text, startMs: from, endMs: timeOf() }
  })
}

/** Rounds times to milliseconds, and removes what would end a line, a cue or its time. */
function neat({ text, startMs, endMs, confidence }: Word): Word {
  const start = Math.max(0, Math.round(startMs))
  return {
    text: oneLine(text),
    startMs: start,
    endMs: Math.max(start, Math.round(endMs)),
    confidence,
  }
}

const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/-{2,}>/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

export function labelOf(name: string, { lineCharacters, isWide }: CueProfile): string {
  const whole = oneLine(name)
  if (widthOf(whole, isWide) < lineCharacters) return `${whole}:`
  let kept = ''
  for (const { segment } of graphemes.segment(whole)) {
    if (widthOf(kept + segment, isWide) > lineCharacters - 2) break
    kept += segment
  }
  return `${kept}…:`
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]/u

/** Length as a reader counts it; where letters are wide, a narrow one is half of one. */
export function widthOf(text: string, isWide = false): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length / (isWide ? 2 : 1)
  let width = 0
  for (const { segment } of graphemes.segment(text))
    width += !isWide || wide.test(segment) ? 1 : 0.5
  return width
}

/** Where each word begins in its run, and the space after each, which some writings do not have. */
export function placesOf(words: readonly Word[], { isWide }: CueProfile) {
  const space = widthOf(' ', isWide)
  const gaps = words.map(({ text }, index) => {
    const next = words[index + 1]
    return next && isWithoutSpace(text, next.text) ? 0 : space
  })
  const offsets = [0]
  words.forEach(({ text }, index) =>
    offsets.push((offsets.at(-1) ?? 0) + widthOf(text, isWide) + (gaps[index] ?? 0)),
  )
  return { offsets, gaps }
}

/** The width of a stretch, without the space after it. */
export const widthIn = (
  { offsets, gaps }: Pick<Text, 'offsets' | 'gaps'>,
  { from, to }: Stretch,
): number => (offsets[to] ?? 0) - (offsets[from] ?? 0) - (gaps[to - 1] ?? 0)

/** The cost of each cue. It makes short sentences share a cue in place of flashing by. */
export const CUE_COST = 12
/** The cost of a cue that is shown for half the time it needs, or less. */
const HURRY_COST = 30
/** The cost of a cue with almost no text, such as the last word of a sentence that did not fit. */
export const SCRAP_COST = 15
const SCRAP_CHARACTERS = 15

/** How much of a cue's text is lacking to one that is worth a look, from 0 to 1. */
export const scrapOf = (characters: number, { lineCharacters }: CueProfile): number =>
  Math.max(0, 1 - characters / Math.min(SCRAP_CHARACTERS, lineCharacters / 2))
/** The cost of two lines of very different length, and what is added when the upper is longer. */
const UNEVEN_COST = 6
const TOP_HEAVY_COST = 2

interface LabelledRun extends Run {
  label: Cue['label']
  lines: string[]
}

/** A run, with what the search for the best cuts asks again and again computed once. */
export interface Text {
  words: readonly Word[]
  /** The cost of a break after each word. */
  costs: readonly number[]
  /** Characters before each word, spaces included: the width of a stretch is one subtraction. */
  offsets: readonly number[]
  gaps: readonly number[]
  /** The width of the speaker's name and a space; 0 where no name is shown. */
  labelWidth: number
  /** When the next run begins: of somebody else, or of the same speaker after a pause. */
  nextMs: number
  profile: CueProfile
}

/** Cuts a run into the cues that read best, looking at all ways to cut it. */
function cut(
  { speaker, words, isCue = false, label, nextMs }: Run & { label: string | null; nextMs: number },
  profile: CueProfile,
): LabelledRun[] {
  const { isWide } = profile
  const labelWidth = label === null ? 0 : widthOf(label, isWide) + widthOf(' ', isWide)
  const text = {
    words,
    ...placesOf(words, profile),
    costs: breakCosts(words),
    labelWidth,
    nextMs,
    profile,
  }
  const ends = isCue ? [words.length] : bestEnds(text)

  const pieces: LabelledRun[] = []
  for (let from = 0; from < words.length;) {
    const to = ends[from] ?? words.length
    const laid = laidOut(words, { from, to, label, layout: lay(text, { from, to }) })
    pieces.push({ speaker, words: words.slice(from, to), isCue, ...laid })
    from = to
  }
  return pieces
}

/**
 * For each word: where a cue that begins with it ends best. It works from the last word to the
 * first, so that the best way to cut what follows a cue is already known. A run of one-letter words
 * has millions of possible cues, so only their cost is computed, and only the best one is kept.
 */
function bestEnds(text: Text): readonly number[] {
  const { words, costs, profile } = text
  const ends = words.map((_, index) => index + 1)
  const best = Array.from({ length: words.length + 1 }, () => 0)
  for (let from = words.length - 1; from >= 0; from--) {
    const startMs = words[from]?.startMs ?? 0
    let least = Infinity
    for (let to = from + 1; to <= words.length; to++) {
      const isLonger = (words[to - 1]?.endMs ?? 0) - startMs > longestOf(profile)
      const layout = lay(text, { from, to })
      // A single word is a cue whatever its length.
      if (to > from + 1 && (isLonger || layout === null)) break
      const own = CUE_COST + (costs[to - 1] ?? 0) + (layout?.cost ?? 0) + hurry(text, { from, to })
      const cost = own + (best[to] ?? 0)
      // Of two equally good ends, the later one is taken.
      if (cost <= least) {
        least = cost
        ends[from] = to
      }
    }
    best[from] = least
  }
  return ends
}

interface Stretch {
  from: number
  to: number
}

/** The cost of too little time until the next cue, and of too little text. */
function hurry(text: Text, { from, to }: Stretch): number {
  const { words, labelWidth, profile } = text
  const longestMs = longestOf(profile)
  const nextMs = words[to]?.startMs ?? text.nextMs
  const roomMs = Math.max(
    1,
    Math.min(longestMs, nextMs - profile.gapMs - (words[from]?.startMs ?? 0)),
  )
  const characters = widthIn(text, { from, to })
  const label = from === 0 ? labelWidth : 0
  const read = { characters: characters + label, words: to - from + (label > 0 ? 1 : 0) }
  const wantedMs = Math.max(shortestOf(profile), profile.easyReadingMs(read))
  const lack = Math.min(1, Math.max(0, wantedMs / roomMs - 1))
  return HURRY_COST * lack + SCRAP_COST * scrapOf(characters, profile)
}

export interface Layout {
  /** The word that begins the second line; the end of the stretch where there is one line. */
  at: number
  hasLabelLine: boolean
  cost: number
}

/** The lines of one cue; null when it does not fit. */
export function lay(text: Text, stretch: Stretch): Layout | null {
  const used = stretch.from === 0 ? text.labelWidth : 0
  const beside = wrap(text, stretch, used)
  if (beside || used === 0) return beside
  return fits(text, stretch, 0) ? { at: stretch.to, hasLabelLine: true, cost: 0 } : null
}

/** A stretch as it was laid out: its lines, and the speaker's name where it is the first. */
export function laidOut(
  words: readonly Word[],
  { from, to, label, layout }: Stretch & { label: string | null; layout: Layout | null },
): Pick<LabelledRun, 'label' | 'lines'> {
  const at = layout?.at ?? to
  return {
    label:
      from === 0 && label !== null
        ? { text: label, hasOwnLine: layout?.hasLabelLine ?? true }
        : null,
    lines: [words.slice(from, at), words.slice(at, to)]
      .filter(({ length }) => length > 0)
      .map(textOf),
  }
}

export const textOf = (words: readonly Word[]): string => joinWords(words.map(({ text }) => text))

/** Whether a stretch fits into one line. A single word always does, unless a name is before it. */
const fits = (text: Text, stretch: Stretch, used: number): boolean =>
  used + widthIn(text, stretch) <= text.profile.lineCharacters

/** Finds one line or the best two. In the first, a name takes `used` characters. */
function wrap(text: Text, { from, to }: Stretch, used: number): Layout | null {
  if (fits(text, { from, to }, used)) return { at: to, hasLabelLine: false, cost: 0 }
  const { offsets, costs, profile } = text
  const startsAt = (offsets[from] ?? 0) - used
  const endsAt = offsets[to] ?? 0
  let bestAt = -1
  let least = Infinity
  // Starts at the end and stops when the lower line is too long: from there it only gets longer.
  for (let at = to - 1; at > from && fits(text, { from: at, to }, 0); at--) {
    if (!fits(text, { from, to: at }, used)) continue
    const breaksAt = offsets[at] ?? 0
    const unevenness =
      (UNEVEN_COST * Math.abs(2 * breaksAt - startsAt - endsAt)) / profile.lineCharacters
    const isTopHeavy = 2 * breaksAt > startsAt + endsAt
    const cost = (costs[at - 1] ?? 0) + unevenness + (isTopHeavy ? TOP_HEAVY_COST : 0)
    // Of two equally good places, the earlier one is taken.
    if (cost <= least) {
      least = cost
      bestAt = at
    }
  }
  return bestAt === -1 ? null : { at: bestAt, hasLabelLine: false, cost: least }
}

const longestOf = ({ longestMs }: CueProfile): number => longestMs ?? LONGEST_MADE_MS
const shortestOf = ({ shortestMs }: CueProfile): number => shortestMs ?? SHORTEST_MADE_MS

/** The text that these lines are read as. The end of a line is read like a space. */
export function readIn(lines: readonly string[], { isWide }: CueProfile): Read {
  const text = lines.join(isWide ? '' : ' ')
  // A dash tells two speakers apart; it is no word.
  return {
    characters: widthOf(text, isWide),
    words: text.split(' ').filter((word) => word !== '-').length,
  }
}

/** A cue is shown at least this long, even when the next speaker is already talking. */
export const GLIMPSE_MS = 200

/** When the speech that a word belongs to stops, for each of them. */
export function stopsOf(words: readonly Word[], { pauseMs }: CueProfile): number[] {
  const stops = words.map(({ endMs }) => endMs)
  for (let at = words.length - 2; at >= 0; at -= 1) {
    const spokenMs = words[at]?.endMs ?? 0
    if ((words[at + 1]?.startMs ?? Infinity) - spokenMs < pauseMs)
      stops[at] = Math.max(spokenMs, stops[at + 1] ?? 0)
  }
  return stops
}

function timed(
  pieces: readonly (LabelledRun & { name: string | null })[],
  { profile, endMs: recordingEndMs }: { profile: CueProfile; endMs: number },
): Cue[] {
  const { gapMs } = profile
  const longestMs = profile.longestMs ?? Infinity
  const shortestMs = shortestOf(profile)
  let freeMs = 0
  return pieces.map(({ isCue, ...piece }, index) => {
    const startMs = Math.max(piece.words[0]?.startMs ?? 0, freeMs)
    const spokenMs = piece.words.reduce((end, word) => Math.max(end, word.endMs), 0)
    const readMs = profile.easyReadingMs(readIn(srtLines(piece), profile))
    const nextMs = pieces[index + 1]?.words[0]?.startMs ?? Infinity
    const hungMs = spokenMs + (profile.hangMs ?? Infinity)
    const latestMs = Math.min(
      startMs + longestMs,
      nextMs - gapMs,
      Math.max(hungMs, startMs),
      recordingEndMs,
    )
    const wantedMs = Math.max(spokenMs, startMs + Math.ceil(Math.max(shortestMs, readMs)))
    const atOnceMs = Math.min(startMs + shortestMs, recordingEndMs)
    const leastMs = Math.max(startMs + GLIMPSE_MS, isCue ? atOnceMs : 0)
    const endMs = endBefore({ wantedMs, latestMs, nextMs, leastMs }, profile)
    freeMs = endMs + gapMs
    return { ...piece, startMs, endMs }
  })
}

interface End {
  wantedMs: number
  /** Not later, and not earlier than `leastMs`. */
  latestMs: number
  leastMs: number
  /** When the next cue begins. */
  nextMs: number
}

/** A cue ends when it has been read. A gap that would flicker is closed, or kept open for longer. */
export function endBefore(
  { wantedMs, latestMs, leastMs, nextMs }: End,
  { gapMs, closedGapMs }: CueProfile,
): number {
  const endMs = Math.min(wantedMs, latestMs)
  if (nextMs - endMs >= closedGapMs) return Math.max(leastMs, endMs)
  const isClosed = latestMs >= nextMs - gapMs
  return Math.max(leastMs, isClosed ? latestMs : Math.min(latestMs, nextMs - closedGapMs))
}

/** How a file of captions is written. */
export interface CaptionsFile {
  title?: string | null
  /** ISO 639-1: it says from which side lines are read. */
  language?: string | null
  /** A remark, which only WebVTT has a place for. */
  note?: string | null
  /** When the film begins, where that is not at 0. */
  beginsMs?: number
}

/** SubRip; the speaker is named where somebody else spoke before. */
export function toSrt(cues: readonly Cue[], { language, beginsMs = 0 }: CaptionsFile = {}): string {
  return cues
    .map((cue, index) => {
      const [from, to] = [cue.startMs + beginsMs, cue.endMs + beginsMs]
      const lines = directed(srtLines(cue).map(withoutTags), language)
      return `${index + 1}\n${timecode(from, ',')} --> ${timecode(to, ',')}\n${lines.join('\n')}\n\n`
    })
    .join('')
}

/** Players take what stands in such brackets for a style or a place, and show nothing of it. */
const withoutTags = (line: string): string =>
  line.replace(/<(?=[\p{L}/!?])([^<>]*)>/gu, '‹$1›').replace(/\{(\\[^}]*)\}/g, '($1)')

/** Players go by the first letter of a line; with this mark in front it is read from the right. */
const directed = (lines: readonly string[], language: string | null | undefined): string[] =>
  lines.map((line) => (isFromRight(lines.join(' '), language ?? 'und') ? `\u200f${line}` : line))

export function srtLines({
  label,
  lines,
  voices,
}: Pick<Cue, 'label' | 'lines' | 'voices'>): string[] {
  if (voices)
    return lines.map((line, at) => (voices[at] ? `${oneLine(voices[at])}: ${line}` : `- ${line}`))
  if (label === null) return lines
  if (label.hasOwnLine) return [label.text, ...lines]
  return lines.map((line, index) => (index === 0 ? `${label.text} ${line}` : line))
}

/** The text of a cue that is read. With voices the names stand beside it. */
export const shownLines = (
  cue: Pick<Cue, 'label' | 'lines' | 'voices'>,
  hasVoices: boolean,
): string[] =>
  hasVoices
    ? cue.lines.map((line, at) => (cue.voices && !cue.voices[at] ? `- ${line}` : line))
    : srtLines(cue)

/** WebVTT; the speaker is a voice span. It needs no end tag, because it spans the whole cue. */
export function toVtt(
  cues: readonly Cue[],
  { title, language, note, beginsMs = 0 }: CaptionsFile = {},
): string {
  const notes = [
    ...(title ? [`Title: ${oneLine(title)}`] : []),
    ...(language ? [`Language: ${oneLine(language)}`] : []),
    ...(note ? [oneLine(note)] : []),
  ]
  const blocks = cues.map(({ startMs, endMs, name, lines, voices }) => {
    const times = `${timecode(startMs + beginsMs, '.')} --> ${timecode(endMs + beginsMs, '.')}`
    const said = directed(lines, language)
    if (voices) return [times, ...said.map((line, at) => spoken(line, voices[at]))].join('\n')
    return `${times}\n${voiceOf(name)}${said.map(escapeVtt).join('\n')}`
  })
  const header = notes.length > 0 ? [['NOTE', ...notes].join('\n')] : []
  return `${['WEBVTT', ...header, ...blocks].join('\n\n')}\n`
}

/** One of two speakers. A dash stands for a name that nobody knows. */
const spoken = (line: string, name: string | null | undefined): string =>
  name ? `${voiceOf(name)}${escapeVtt(line)}</v>` : `- ${escapeVtt(line)}`

function voiceOf(name: string | null): string {
  // Some players end a voice's name at the first `>`, even at an escaped one.
  const who = name === null ? '' : escapeVtt(oneLine(name.replaceAll('>', '')))
  // A name that ends in `--` would make an arrow with the bracket, as it stands between two times.
  return who === '' ? '' : `<v ${who}${who.endsWith('--') ? ' ' : ''}>`
}

const escapeVtt = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Rounds to milliseconds first, so that 59.9996 s becomes a full minute. */
export function timecode(atMs: number, point: ',' | '.'): string {
  const whole = Math.round(atMs)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = [whole / 3_600_000, (whole / 60_000) % 60, (whole / 1000) % 60].map(two).join(':')
  return `${clock}${point}${String(whole % 1000).padStart(3, '0')}`
}
