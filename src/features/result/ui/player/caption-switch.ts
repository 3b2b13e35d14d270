/** Captions over a picture, shown and hidden: in the app and on shared pages. */

export function showCaptions({ textTracks: [track] }: HTMLVideoElement, isShown: boolean): void {
  if (track) track.mode = isShown ? 'showing' : 'hidden'
}

/** Calls `act` when they are shown or hidden, also by the browser's own switch. */
export function onCaptions(
  { textTracks: tracks }: HTMLVideoElement,
  act: (isShown: boolean) => void,
): () => void {
  const listen = () => act(tracks[0]?.mode === 'showing')
  tracks.addEventListener('change', listen)
  return () => tracks.removeEventListener('change', listen)
}
