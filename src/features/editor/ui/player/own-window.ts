/**
 * Picture in picture. Where the browser has windows for documents, the captions come along; else it
 * draws the picture by itself (see native-captions.ts).
 */
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

interface PictureWindows {
  requestWindow: (size: { width: number; height: number }) => Promise<Window>
}

const windowsOf = () =>
  (globalThis as { documentPictureInPicture?: PictureWindows }).documentPictureInPicture

const WIDTH_PX = 480

export interface OwnWindow {
  /** Where the picture is drawn while it has a window of its own. */
  place: HTMLElement | null
  /** Opens it, or closes it again; null where the browser has none. */
  toggle: (() => void) | null
}

export function useOwnWindow(screen: HTMLVideoElement, name: string): OwnWindow {
  const [own, setOwn] = useState<Window | null>(null)
  useEffect(() => () => own?.close(), [own])
  const openDocument = async (windows: PictureWindows) => {
    const shape = (screen.videoHeight || 9) / (screen.videoWidth || 16)
    const size = { width: WIDTH_PX, height: Math.round(WIDTH_PX * Math.min(1, shape)) }
    const opened = await windows.requestWindow(size)
    for (const sheet of document.querySelectorAll('link[rel=stylesheet], style'))
      opened.document.head.append(sheet.cloneNode(true))
    opened.document.title = name
    // At once: afterwards the picture would be lost with its window.
    opened.addEventListener('pagehide', () => flushSync(() => setOwn(null)), { once: true })
    setOwn(opened)
  }
  const toggle = async () => {
    const windows = windowsOf()
    if (own) own.close()
    else if (document.pictureInPictureElement) await document.exitPictureInPicture()
    else if (windows) await openDocument(windows)
    else await screen.requestPictureInPicture()
  }
  // It may be refused, for example before anything of the picture is there.
  const press = () => void toggle().catch(() => undefined)
  const isOffered = windowsOf() !== undefined || document.pictureInPictureEnabled
  return { place: own?.document.body ?? null, toggle: isOffered ? press : null }
}
