/** A transcription as captions, by the rules of a profile, and which of them break one. */
import * as speech from '#features/speech/speech.ts'

import type { CaptionsChecked } from './contract.ts'
import { rates, readMs } from './frames.ts'
import type { Exported } from './writers/writer.ts'

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
): speech.Cue[] {
  const profile = speech.profileFor(captions.profile, language)
  const options = { profile, names, hasNames: speakers, hasVoices, endMs: durationMs }
  return captions.mend ? speech.mendCues(said, options) : speech.buildCues(said, options)
}

/** How the file of captions is written. */
export const written = ({ title, language, filmStart, markers }: Exported) => ({
  title,
  language,
  beginsMs: filmStart === null ? 0 : readMs(filmStart, rates[markers.frameRate]),
})

const MOST_PLACES = 100

export function checked(captioned: Captioned, format: Format): CaptionsChecked {
  const cues = cuesOf(captioned, format)
  const profile = speech.profileFor(captioned.captions.profile, captioned.language)
  const broken = speech.checkCues(cues, profile, format)
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
function shortened(cues: readonly speech.Cue[], { said, names }: Captioned): string[] {
  const wholeOf = speech.readersNames(said, names)
  const whole = new Set(said.map(({ speaker }) => wholeOf(speaker)))
  const shown = new Set(cues.flatMap(({ name, voices }) => voices ?? [name]))
  return [...shown].filter((name) => name !== null && !whole.has(name)).map(String)
}
