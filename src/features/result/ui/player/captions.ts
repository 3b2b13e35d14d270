/** The transcript as captions of its picture: a track of the video, as every browser draws them. */
import { useEffect, useEffectEvent } from 'react'

import { profileFor } from '#features/exports/captions/caption-profiles.ts'
import { type Cue, cuesInSteps } from '#features/exports/captions/cues.ts'
import type { Turn } from '#features/speech/contract.ts'
import type { WordTurn } from '#features/text/contract.ts'
import { unpackWords } from '#features/text/packed-words.ts'
import { isFromRight } from '#shared/direction.ts'

import { onCaptions, showCaptions } from './caption-switch.ts'

type Spoken = Pick<WordTurn, 'speaker' | 'start' | 'end' | 'text' | 'words'>

/** A corrected turn is another object, so the words of no other turn are unpacked again. */
const unpacked = new WeakMap<Spoken, Turn>()

function saidIn(turn: Spoken): Turn {
  const known = unpacked.get(turn)
  if (known) return known
  const { speaker, start, end, text } = turn
  const places = unpackWords(turn)
  const words = places.map(({ from, startMs, endMs, confidence }, index) => ({
    // Marks between two words belong to the one before.
    text: text.slice(index === 0 ? 0 : from, places[index + 1]?.from).trim(),
    startMs,
    endMs,
    confidence,
  }))
  const said = { speaker, startMs: start * 1000, endMs: end * 1000, text, words }
  unpacked.set(turn, said)
  return said
}

/**
 * The captions of a talk, as a file of captions has them unless it is asked for otherwise: where two
 * turns overlap in time one stands after the other. Made in steps, each of which takes a moment.
 */
export function* captionsOf(
  turns: readonly Spoken[],
  { language, endMs }: { language: string | null; endMs: number },
): Generator<undefined, Cue[]> {
  const said: Turn[] = []
  for (const turn of turns) {
    said.push(saidIn(turn))
    yield
  }
  const profile = profileFor('netflix', language ?? 'und')
  return yield* cuesInSteps(said, { profile, hasNames: false, endMs })
}

/** Lines as WebVTT writes them. One that begins with a foreign name says which side it is read from. */
export function asWebVtt({ lines }: Pick<Cue, 'lines'>, language: string | null): string {
  const side = (line: string) => (isFromRight(line, language ?? 'und') ? '\u200F' : '')
  const written = lines.map((line) => side(line) + line).join('\n')
  return written.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Hours of text take longer to cut than a page may stand still. */
const SLICE_MS = 8

/** Keeps the track of a video as the text is. `onChange` also hears of the browser's own switch. */
export function useCaptions(
  screen: HTMLVideoElement,
  {
    isShown,
    turns,
    language,
    duration,
    onChange,
  }: {
    isShown: boolean
    turns: readonly Spoken[]
    language: string | null
    duration: number
    onChange: (isShown: boolean) => void
  },
): void {
  useEffect(() => {
    const steps = captionsOf(turns, { language, endMs: duration * 1000 })
    let later: ReturnType<typeof setTimeout> | undefined
    const fill = () => {
      const until = performance.now() + SLICE_MS
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) return show(trackOf(screen, language), step.value, language)
        if (performance.now() > until) break
      }
      later = setTimeout(fill)
    }
    fill()
    return () => clearTimeout(later)
  }, [screen, turns, language, duration])
  useEffect(() => {
    trackOf(screen, language)
    showCaptions(screen, isShown)
  }, [screen, language, isShown])
  const tell = useEffectEvent(onChange)
  useEffect(() => onCaptions(screen, (isNowShown) => tell(isNowShown)), [screen])
}

/** Puts these into the track. Those that are as they were stay, also the one that is on the screen. */
function show(track: TextTrack, cues: readonly Cue[], language: string | null): void {
  const keyOf = (cue: VTTCue) => `${cue.startTime} ${cue.endTime} ${cue.text}`
  const old = new Map([...(track.cues ?? [])].map((cue) => [keyOf(cue as VTTCue), cue]))
  for (const { startMs, endMs, lines } of cues) {
    const cue = new VTTCue(startMs / 1000, endMs / 1000, asWebVtt({ lines }, language))
    if (!old.delete(keyOf(cue))) track.addCue(cue)
  }
  for (const cue of old.values()) track.removeCue(cue)
}

function trackOf(screen: HTMLVideoElement, language: string | null): TextTrack {
  const [known] = screen.textTracks
  if (known) return known
  const track = screen.addTextTrack('captions', 'Transcript', language ?? '')
  // A track that is switched off tells nobody its captions, so none could be taken out.
  track.mode = 'hidden'
  return track
}
