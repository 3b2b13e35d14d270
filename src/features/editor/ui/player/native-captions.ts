/**
 * Captions where the browser draws the picture by itself and nothing of ours lies over it: on the
 * whole screen of a phone, and in its own picture in picture.
 */
import { useEffect, useState } from 'react'

import { captionsOf } from './captions.ts'

const begins = ['enterpictureinpicture', 'webkitbeginfullscreen']
const ends = ['leavepictureinpicture', 'webkitendfullscreen']

export function useNativeCaptions(
  screen: HTMLVideoElement,
  {
    isOn,
    turns,
    language,
  }: { isOn: boolean; turns: Parameters<typeof captionsOf>[0]; language: string | null },
): void {
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    const begin = () => setAway(true)
    const end = () => setAway(false)
    for (const name of begins) screen.addEventListener(name, begin)
    for (const name of ends) screen.addEventListener(name, end)
    return () => {
      for (const name of begins) screen.removeEventListener(name, begin)
      for (const name of ends) screen.removeEventListener(name, end)
    }
  }, [screen])
  useEffect(() => {
    return isAway && isOn ? showOn(screen, { turns, language }) : undefined
  }, [screen, isAway, isOn, turns, language])
}

function showOn(
  screen: HTMLVideoElement,
  { turns, language }: { turns: Parameters<typeof captionsOf>[0]; language: string | null },
): () => void {
  const track =
    screen.textTracks[0] ?? screen.addTextTrack('captions', 'Transcript', language ?? '')
  track.mode = 'showing'
  const cues = captionsOf(turns, language).map(
    ({ startMs, endMs, lines }) =>
      new VTTCue(startMs / 1000, endMs / 1000, escaped(lines.join('\n'))),
  )
  for (const cue of cues) track.addCue(cue)
  return () => {
    for (const cue of cues) track.removeCue(cue)
    track.mode = 'disabled'
  }
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
