import { useMemo, useRef, useState } from 'react'
import { Outlet } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'

import { type OpenTranscript, PaletteContext, opensPalette } from '#web/palette/palette.ts'
import { useWindowEvent } from '#web/use-window-event.ts'

import { PaletteDialog } from './palette-dialog.tsx'

/**
 * Surrounds every page of the signed-in app. It holds the palette, listens to its key, and opens it
 * for the header's button.
 */
export default function PaletteLayout() {
  const { user } = useAuth()
  const lentRef = useRef<OpenTranscript | null>(null)
  const [opened, setOpened] = useState<{
    transcript: OpenTranscript | null
    from: Element | null
  } | null>(null)
  const close = () => setOpened(null)
  const palette = useMemo(
    () => ({
      open: (from: Element | null) => {
        // An open menu closes now, so the focus cannot go back to one of its entries.
        const stays = from?.closest('[role=menu]') ? null : from
        setOpened({ transcript: lentRef.current, from: stays })
      },
      lend: (transcript: OpenTranscript | null) => {
        lentRef.current = transcript
      },
    }),
    [],
  )
  // Also while somebody types.
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.repeat || !opensPalette(event)) return
    if (opened) close()
    // While a dialog is open the key does nothing: the dialog must be answered first.
    else if (user && !document.querySelector('[data-scrim]')) palette.open(document.activeElement)
    else return
    event.preventDefault()
  })
  return (
    <PaletteContext value={palette}>
      <Outlet />
      {user && opened ? <PaletteDialog onClose={close} {...opened} /> : null}
    </PaletteContext>
  )
}
