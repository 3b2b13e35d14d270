import {
  type ComponentProps,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Outlet } from 'react-router'

import { useAuth } from '#features/account/ui/auth.tsx'
import { lazyPart } from '#web/lazy-part.ts'
import { type OpenTranscript, PaletteContext, opensPalette } from '#web/palette.ts'

import type { PaletteDialog } from './palette-dialog.tsx'

type Props = ComponentProps<typeof PaletteDialog>

const Palette = lazyPart<{ PaletteDialog: typeof PaletteDialog }, Props>(
  () => import('./palette-dialog.tsx'),
  ({ PaletteDialog }) => PaletteDialog,
)

/** Round every page of the signed-in app: the palette, its key, and what the header's button calls. */
export default function PaletteLayout() {
  const { user } = useAuth()
  const lentRef = useRef<OpenTranscript | null>(null)
  const [opened, setOpened] = useState<Pick<Props, 'transcript' | 'from'> | null>(null)
  const close = () => setOpened(null)
  const palette = useMemo(
    () => ({
      open: (from: Element | null) => {
        // A menu that is open closes, and its entries go with it.
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
    // Another dialog has asked something, and is answered first.
    else if (user && !document.querySelector('[data-scrim]')) palette.open(document.activeElement)
    else return false
    return true
  })
  return (
    <PaletteContext value={palette}>
      <Outlet />
      {user && opened ? (
        <Suspense>
          <Palette user={user} onClose={close} {...opened} />
        </Suspense>
      ) : null}
    </PaletteContext>
  )
}

/** Everywhere, also while something is typed; the handler says whether it did something. */
function usePaletteKey(handle: () => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    if (opensPalette(event) && handle()) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
