import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import { actOfKey } from '#features/result/ui/keys/single-keys.ts'

import { later, useLoadedForKeys } from '#web/later.tsx'
import { type OpenTranscript, PaletteContext, opensPalette } from '#web/palette/palette.ts'
import { TO_DASHBOARD, dashboardPaths, paths } from '#web/paths.ts'
import { useWindowEvent } from '#web/use-window-event.ts'

const PaletteDialog = later(async () => (await import('./palette-dialog.tsx')).PaletteDialog)
const ShortcutsDialog = later(
  async () => (await import('#features/result/ui/keys/shortcuts-dialog.tsx')).ShortcutsDialog,
)
const openedByKeys = [PaletteDialog, ShortcutsDialog]

/**
 * Surrounds every page of the signed-in app. It holds the palette and the list of keys, listens to
 * their keys and to those that lead to a page, and opens both for the header.
 */
export default function PaletteLayout() {
  const { user } = useAuth()
  const lentRef = useRef<OpenTranscript | null>(null)
  const [opened, setOpened] = useState<{
    transcript: OpenTranscript | null
    from: Element | null
  } | null>(null)
  const [showsKeys, setShowsKeys] = useState(false)
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
      // A result has a list of its own.
      showKeys: () => (lentRef.current ? lentRef.current.showKeys() : setShowsKeys(true)),
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
  useLoadedForKeys(openedByKeys)
  useGoKeys()
  useWindowEvent('keydown', (event) => {
    if (!user || lentRef.current || !actOfKey(event, helpOf)) return
    setShowsKeys(true)
    event.preventDefault()
  })
  return (
    <PaletteContext value={palette}>
      <Outlet />
      {showsKeys ? <ShortcutsDialog open onOpenChange={setShowsKeys} /> : null}
      {user && opened ? <PaletteDialog onClose={close} {...opened} /> : null}
    </PaletteContext>
  )
}

const isHeld = ({
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>) => ctrlKey || metaKey || altKey

const helpOf = (pressed: Parameters<typeof isHeld>[0] & { key: string }) =>
  pressed.key === '?' && !isHeld(pressed) ? { kind: 'help' } : null

const GO_WITHIN_MS = 1500

/** G and then L, N or A: the library, the dashboard, the questions. Off where single keys are off. */
function useGoKeys(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const begun = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase()
    const isSecond = event.timeStamp - begun.current < GO_WITHIN_MS
    const act = actOfKey(event, (pressed) => {
      if (isHeld(pressed)) return null
      return key === 'g'
        ? { kind: 'go' }
        : isSecond && /^[lna]$/.test(key)
          ? { kind: 'page' }
          : null
    })
    begun.current = act?.kind === 'go' ? event.timeStamp : -Infinity
    if (act?.kind !== 'page') return
    event.preventDefault()
    if (key === 'l') void navigate(paths.library)
    else if (key === 'a') void navigate(paths.ask)
    else
      void navigate(dashboardPaths.includes(pathname) ? pathname : paths.dashboard, {
        state: TO_DASHBOARD,
      })
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    // Before the page's own keys, of which one may be the second letter.
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
}
