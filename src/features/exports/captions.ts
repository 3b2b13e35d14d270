/** A transcription as captions, by the rules of a profile, and which of them break one. */

import type { CaptionsChecked } from './contract.ts'
import { rates, readMs } from './frames.ts'
import type { Exported } from './writers/writer.ts'
import { buildCues, type Cue } from './captions/cues.ts'
import { profileFor } from './captions/caption-profiles.ts'
import { checkCues } from './captions/check-cues.ts'
import { mendCues } from './captions/mend-cues.ts'
import { readersNames } from './speaker-names.ts'

type Captioned = Pick<
  Exported,
  'said' | 'names' | 'speakers' | 'durationMs' | 'language' | 'captions'
>

interface Format {
  /** It has a place for names beside the text, where they take no time to be read. */
  hasVoices: boolean
}

export function cuesOf(
  { said, names, speakers, durationMs, language, captions }: Captioned,
  { hasVoices }: Format,
): Cue[] {
  const profile = profileFor(captions.profile, language)
  const options = { profile, names, hasNames: speakers, hasVoices, endMs: durationMs }
  return captions.mend ? mendCues(said, options) : buildCues(said, options)
}

/** How the file of captions is written. */
export const written = ({ title, language, translation, filmStart, markers }: Exported) => ({
  title,
  language,
  note: translation?.note ?? null,
  beginsMs: filmStart === null ? 0 : readMs(filmStart, rates[markers.frameRate]),
})

const MOST_PLACES = 100
/** Nobody sees a tenth of a second. */
const FORGIVEN_MS = 100

export function checked(captioned: Captioned, format: Format): CaptionsChecked {
  const cues = cuesOf(captioned, format)
  const profile = profileFor(captioned.captions.profile, captioned.language)
  const broken = checkCues(cues, profile, { ...format, forgivenMs: FORGIVEN_MS })
  return {
    cues: cues.length,
    broken: new Set(broken.map(({ cue }) => cue)).size,
    shortNames: shortened(cues, captioned),
    places: broken.slice(0, MOST_PLACES).map(({ startMs, ...place }) => ({
      ...place,
      start: startMs / 1000,
      text: cues[place.cue - 1]?.lines.join(' ') ?? '',
    })),
  }
}

/** Names in the text that were shortened, so that they can be read in time. */
function shortened(cues: readonly Cue[], { said, names }: Captioned): string[] {
  const wholeOf = readersNames(said, names)
  const whole = new Set(said.map(({ speaker }) => wholeOf(speaker)))
  const shown = new Set(cues.flatMap(({ name, voices }) => voices ?? [name]))
  return [...shown].filter((name) => name !== null && !whole.has(name)).map(String)
}
