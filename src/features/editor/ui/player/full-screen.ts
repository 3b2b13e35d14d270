/** The picture on the whole screen, or at least in the whole window. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** What phones have that give the whole screen to nothing but a video. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

/** A phone held sideways. */
const SIDEWAYS = '(orientation: landscape) and (height < 30rem) and (pointer: coarse)'

export interface FullScreen {
  isFull: boolean
  toggle: () => void
}

export function useFullScreen(
  figure: RefObject<HTMLElement | null>,
  screen: HTMLVideoElement,
  { followsTurning }: { followsTurning: boolean },
): FullScreen {
  const [isFull, setFull] = useState(false)
  const enter = async ({ isPressed }: { isPressed: boolean }) => {
    const element = figure.current
    if (!element) return
    try {
      await element.requestFullscreen()
    } catch {
      // Refused, or not known here.
      const { webkitEnterFullscreen } = screen as PhoneVideo
      if (isPressed && webkitEnterFullscreen) webkitEnterFullscreen.call(screen)
      else setFull(true)
    }
  }
  const leave = () => {
    setFull(false)
    if (document.fullscreenElement) void document.exitFullscreen()
  }
  const onTurn = useEffectEvent((isSideways: boolean) => {
    if (!isSideways) leave()
    // Whoever types has turned the phone for its larger keys.
    else if (!document.activeElement?.closest('input, textarea')) void enter({ isPressed: false })
  })
  useEffect(() => {
    if (!followsTurning) return
    const sideways = matchMedia(SIDEWAYS)
    const turn = () => onTurn(sideways.matches)
    sideways.addEventListener('change', turn)
    return () => sideways.removeEventListener('change', turn)
  }, [followsTurning])
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && isFull) leave()
  })
  useEffect(() => {
    const change = () => setFull(document.fullscreenElement === figure.current)
    const press = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('fullscreenchange', change)
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('fullscreenchange', change)
      document.removeEventListener('keydown', press)
    }
  }, [figure])
  return { isFull, toggle: isFull ? leave : () => void enter({ isPressed: true }) }
}
