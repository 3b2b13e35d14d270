import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Outlet } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import * as library from '#features/library/ui/library-address.ts'

import { type OpenTranscript, PaletteContext, opensPalette } from '#web/palette/palette.ts'
import { PaletteDialog } from './palette-dialog.tsx'

/**
 * Surrounds every page of the signed-in app. It holds the palette, listens to its key, and opens it
 * for the header's button. It hands the palette what that shows of the rooms.
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
  usePaletteKey(() => {
    if (opened) close()
    // While a dialog is open the key does nothing: the dialog must be answered first.
    else if (user && !document.querySelector('[data-scrim]')) palette.open(document.activeElement)
    else return false
    return true
  })
  return (
    <PaletteContext value={palette}>
      <Outlet />
      {user && opened ? (
        <PaletteDialog
          library={library}
          credits={user.credits}
          canUpgrade={user.planType !== 'enterprise'}
          isOperator={user.isOperator}
          onClose={close}
          {...opened}
        />
      ) : null}
    </PaletteContext>
  )
}

/** Listens everywhere, also while somebody types; the handler says whether it did something. */
function usePaletteKey(handle: () => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat) return
    if (opensPalette(event) && handle()) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
