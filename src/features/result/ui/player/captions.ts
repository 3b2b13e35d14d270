/** The transcript as captions of its picture: a track of the video, as every browser draws them. */
import { useEffect, useEffectEvent } from 'react'

import { profileFor } from '#features/exports/captions/caption-profiles.ts'
import { type Cue, buildCues } from '#features/exports/captions/cues.ts'
import type { WordTurn } from '#features/text/contract.ts'
import { unpackWords } from '#features/text/packed-words.ts'
import { isFromRight } from '#shared/direction.ts'

type Spoken = Pick<WordTurn, 'speaker' | 'start' | 'end' | 'text' | 'words'>

export function captionsOf(turn: Spoken, language: string | null): Cue[] {
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
  // Two lines of 37 letters at most: they fit over a picture of 320 px.
  const profile = profileFor('bbc', language ?? 'und')
  return buildCues([said], { profile, hasNames: false })
}

/** Lines as WebVTT writes them. One that begins with a foreign name says which side it is read from. */
export function asWebVtt({ lines }: Pick<Cue, 'lines'>, language: string | null): string {
  const side = (line: string) => (isFromRight(line, language ?? 'und') ? '\u200F' : '')
  const written = lines.map((line) => side(line) + line).join('\n')
  return written.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** A corrected turn is another object, so no other turn is cut again. */
const made = new WeakMap<Spoken, readonly VTTCue[]>()

function cuesOf(turn: Spoken, language: string | null): readonly VTTCue[] {
  const known = made.get(turn)
  if (known) return known
  const cues = captionsOf(turn, language).map(
    (cue) => new VTTCue(cue.startMs / 1000, cue.endMs / 1000, asWebVtt(cue, language)),
  )
  made.set(turn, cues)
  return cues
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
    onChange,
  }: {
    isShown: boolean
    turns: readonly Spoken[]
    language: string | null
    onChange: (isShown: boolean) => void
  },
): void {
  useEffect(() => {
    const track = trackOf(screen, language)
    const old = new Set(track.cues)
    let at = 0
    let later: ReturnType<typeof setTimeout> | undefined
    const fill = () => {
      const until = performance.now() + SLICE_MS
      for (const turn of turns.slice(at)) {
        if (performance.now() > until) {
          later = setTimeout(fill)
          return
        }
        at += 1
        for (const cue of cuesOf(turn, language)) if (!old.delete(cue)) track.addCue(cue)
      }
      for (const cue of old) track.removeCue(cue)
    }
    fill()
    return () => clearTimeout(later)
  }, [screen, turns, language])
  useEffect(() => {
    trackOf(screen, language).mode = isShown ? 'showing' : 'hidden'
  }, [screen, language, isShown])
  const tell = useEffectEvent(() => onChange(trackOf(screen, language).mode === 'showing'))
  useEffect(() => {
    const listen = () => tell()
    screen.textTracks.addEventListener('change', listen)
    return () => screen.textTracks.removeEventListener('change', listen)
  }, [screen])
}

function trackOf(screen: HTMLVideoElement, language: string | null): TextTrack {
  const [known] = screen.textTracks
  if (known) return known
  const track = screen.addTextTrack('captions', 'Transcript', language ?? '')
  // A track that is switched off tells nobody its captions, so none could be taken out.
  track.mode = 'hidden'
  return track
}
