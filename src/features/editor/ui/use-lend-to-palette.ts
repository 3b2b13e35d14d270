import { useContext, useEffect } from 'react'

import { type OpenTranscript, PaletteContext } from '#web/palette.ts'

/** Keeps what the palette knows of the open result as it is on the page now. */
export function useLendToPalette(transcript: OpenTranscript): void {
  const lend = useContext(PaletteContext)?.lend
  useEffect(() => {
    lend?.(transcript)
    return () => lend?.(null)
  })
}
