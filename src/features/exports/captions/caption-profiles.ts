/**
 * Reading rules of captions, by whose guide they come from. The figures are those for adults who read
 * English; `profileFor` has those of other writings. Rules about shots are not among them: nobody here has seen the film.
 *
 * - `netflix`: Netflix Partner Help Center, "English (USA) Timed Text Style Guide" (42 characters a
 *   line, 20 a second), "Timed Text Style Guide: General Requirements" (two lines, 5/6 s to 7 s) and
 *   "Subtitle Timing Guidelines" (two frames between captions, or half a second and more).
 * - `bbc`: BBC Subtitle Guidelines 1.2.5, March 2026: 37 characters a line (3.1), two lines (3.3), 160
 *   to 180 words a minute and never less than about 0.3 s a word (4, 4.1), no gap or one of a second
 *   and more (4.5), at most 1.5 s before what is said or after speech has stopped (5.2), and never
 *   later than 2 s after its words (5.4).
 * - `plain`: TED Translators, "TED Talks subtitling guidelines": 42 characters a line, two lines, 21
 *   characters a second, 1 s to 7 s, at most 0.1 s before what is said. Readable captions may come
 *   late; 2 s is our limit.
 */
import type { CaptionProfile } from '../formats.ts'

export interface CueProfile {
  /** Letters are as wide as in Japanese: one, and those of other writings half of one. */
  isWide?: boolean
  /** A cue has two lines; a speaker's name may need one to itself. */
  lineCharacters: number
  /** The least time in which this can be read: a cue shown for less breaks the rules. */
  readingMs: (read: Read) => number
  /** The time that is aimed at where there is room. */
  easyReadingMs: (read: Read) => number
  /** Null where the guide has no rule. */
  shortestMs: number | null
  longestMs: number | null
  /** Between two cues at least, so that the eye sees the change. */
  gapMs: number
  /** A shorter gap flickers, so the cue before it is shown longer until only `gapMs` is left. */
  closedGapMs: number
  /** How long before its words a cue may appear, and how long after them. */
  earlyMs: number
  lateMs: number
  /** How long a cue may stay after speech has stopped. */
  hangMs: number | null
  /** A pause that ends a cue. */
  pauseMs: number
}

/** The text to read in a cue. */
export interface Read {
  characters: number
  words: number
}

const charactersPerSecond =
  (most: number) =>
  ({ characters }: Read): number =>
    (characters / most) * 1000

const perWord =
  (ms: number) =>
  ({ words }: Read): number =>
    words * ms

export const captionProfiles: Record<CaptionProfile, CueProfile> = {
  netflix: {
    lineCharacters: 42,
    readingMs: charactersPerSecond(20),
    easyReadingMs: charactersPerSecond(20),
    // Five sixths of a second, and two frames of the slowest film.
    shortestMs: 834,
    longestMs: 7000,
    gapMs: 84,
    closedGapMs: 500,
    earlyMs: 1000,
    lateMs: 1000,
    hangMs: null,
    pauseMs: 600,
  },
  bbc: {
    lineCharacters: 37,
    readingMs: perWord(300),
    easyReadingMs: perWord(60_000 / 170),
    shortestMs: null,
    longestMs: null,
    gapMs: 0,
    closedGapMs: 1000,
    earlyMs: 1500,
    lateMs: 2000,
    hangMs: 1500,
    pauseMs: 600,
  },
  plain: {
    lineCharacters: 42,
    readingMs: charactersPerSecond(21),
    easyReadingMs: charactersPerSecond(21),
    shortestMs: 1000,
    longestMs: 7000,
    gapMs: 0,
    closedGapMs: 0,
    earlyMs: 100,
    lateMs: 2000,
    hangMs: null,
    pauseMs: 600,
  },
}

/**
 * Netflix's guides of these languages, for captions in the language that is spoken: letters a line, and
 * letters a second. The other two guides have no figures for them, so these hold in every profile.
 */
const byLanguage: Readonly<Record<string, readonly [lineCharacters: number, perSecond: number]>> = {
  ja: [13, 7],
  zh: [16, 11],
  yue: [16, 11],
  ko: [16, 14],
  th: [35, 20],
}

/** The rules of a guide for what is spoken in this language (ISO 639-1). */
export function profileFor(name: CaptionProfile, language: string): CueProfile {
  const profile = captionProfiles[name]
  const [code = ''] = language.toLowerCase().split(/[-_]/)
  const own = byLanguage[code]
  if (!own) return profile
  const [lineCharacters, perSecond] = own
  const readingMs = charactersPerSecond(perSecond)
  return {
    ...profile,
    lineCharacters,
    readingMs,
    easyReadingMs: readingMs,
    isWide: code !== 'th',
  }
}

export const standardProfile: CueProfile = captionProfiles.netflix

/** No caption is made longer where a guide has no rule. */
export const LONGEST_MADE_MS = 7000
/** Nor shorter, where there is room. */
export const SHORTEST_MADE_MS = 834
