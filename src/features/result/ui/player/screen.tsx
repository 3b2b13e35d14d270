import { Captions, Maximize, PictureInPicture2, X } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { captions } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { usePlayerState } from './use-player.ts'

/** Where a picture is: beside or above the text, or small over another tab. */
export type ScreenPlace = 'beside' | 'above' | 'small'

/** The picture with its buttons. A press on it plays or pauses. */
export function Screen({
  player,
  screen,
  place,
  name,
  onClose,
}: {
  player: Player
  screen: HTMLVideoElement
  place: ScreenPlace
  name: string
  /** Closes the small picture. */
  onClose: () => void
}) {
  const ground = useRef<HTMLDivElement>(null)
  const { picture, isBroken } = usePlayerState(player)
  const shape = useShape(screen)
  const isWaiting = useIsWaiting(screen)
  const hasCaptions = useSetting(captions)
  usePicture(screen, ground)
  useFullScreen(screen, { followsTurning: place === 'above' })
  const hasFailed = isBroken || picture === 'failed'
  return (
    <figure
      aria-label={`Picture of ${name}`}
      style={{ aspectRatio: shape }}
      className={classes(
        'relative w-full shrink-0 overflow-hidden bg-code-bg text-code-ink',
        place === 'beside' ? 'max-h-[60dvh] rounded-panel' : 'max-h-[40dvh]',
        place === 'small' && 'rounded-panel',
      )}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the keyboard has Space for it, wherever the focus is */}
      <div
        ref={ground}
        onClick={() => {
          // On the whole screen the browser's controls do it.
          if (!document.fullscreenElement) player.toggle()
        }}
        className="size-full cursor-pointer *:size-full *:object-contain"
        hidden={hasFailed}
      />
      {hasFailed ? (
        <div
          role="alert"
          className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-4 text-center text-small"
        >
          <p>The picture cannot be shown at the moment.</p>
          <Button
            size="small"
            className="border-current! bg-transparent! text-inherit!"
            onClick={player.reload}
          >
            Try again
          </Button>
        </div>
      ) : picture === 'loading' || isWaiting ? (
        <p className="pointer-events-none absolute inset-0 grid animate-appear place-items-center [animation-delay:300ms]">
          <Spinner className="size-8!" />
          <span className="sr-only">The picture is loading.</span>
        </p>
      ) : null}
      {/* White on 82 % black: above pictures of any colour, in either theme, and out of the captions' way. */}
      <div className="absolute top-1.5 right-1.5 flex rounded-control bg-[rgb(0_0_0/0.82)] text-[#fff]">
        {place === 'small' ? (
          <Act label="Close the small picture" onPress={onClose} icon={<X />} />
        ) : (
          <>
            <Act
              label="Captions"
              isPressed={hasCaptions}
              onPress={() => captions.set(!hasCaptions)}
              icon={<Captions />}
            />
            {document.pictureInPictureEnabled ? (
              <Act
                label="Picture in picture"
                onPress={() => void toggleWindow(screen)}
                icon={<PictureInPicture2 />}
              />
            ) : null}
            <Act
              label="Full screen"
              onPress={() => void enterFullScreen(screen)}
              icon={<Maximize />}
            />
          </>
        )}
      </div>
    </figure>
  )
}

/** It may be refused, for example before anything of the picture is there. */
const toggleWindow = (screen: HTMLVideoElement): Promise<unknown> =>
  (document.pictureInPictureElement === screen
    ? document.exitPictureInPicture()
    : screen.requestPictureInPicture()
  ).catch(() => undefined)

/** The method of phones that give the whole screen only to a video. */
type PhoneVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

async function enterFullScreen(screen: PhoneVideo): Promise<void> {
  try {
    if ('requestFullscreen' in screen) await screen.requestFullscreen()
    else (screen as PhoneVideo).webkitEnterFullscreen?.()
  } catch {
    // Refused: it stays where it is.
  }
}

/** A phone held sideways. */
const SIDEWAYS = '(orientation: landscape) and (height < 30rem) and (pointer: coarse)'

/** On the whole screen the browser's own controls are there. */
function useFullScreen(
  screen: HTMLVideoElement,
  { followsTurning }: { followsTurning: boolean },
): void {
  useEffect(
    () =>
      listenTo(screen, ['fullscreenchange'], () => {
        screen.controls = document.fullscreenElement === screen
      }),
    [screen],
  )
  useEffect(() => {
    if (!followsTurning) return
    const sideways = matchMedia(SIDEWAYS)
    const turn = () => {
      // A user who types has turned the phone for its larger keys.
      const isTyping = document.activeElement?.closest('input, textarea')
      if (sideways.matches && !isTyping) void enterFullScreen(screen)
      else if (!sideways.matches && document.fullscreenElement) void document.exitFullscreen()
    }
    sideways.addEventListener('change', turn)
    return () => sideways.removeEventListener('change', turn)
  }, [screen, followsTurning])
}

const parking = document.createElement('div')
parking.hidden = true

/**
 * Puts the picture here. Between two places it waits in the page, unseen: a browser pauses what is
 * taken out of the page, and most take a picture that is only moved for one that is taken out.
 */
function usePicture(screen: HTMLVideoElement, ground: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ground.current
    if (element) move(screen, element)
    return () => {
      if (screen.parentNode !== element) return
      document.body.append(parking)
      move(screen, parking)
    }
  }, [screen, ground])
}

/** Keeps a window of its own open, where the browser can move what is in the page. */
function move(screen: HTMLVideoElement, to: HTMLElement): void {
  if (screen.isConnected && 'moveBefore' in to) to.moveBefore(screen, null)
  else to.append(screen)
}

/** Width to height, as CSS writes it. */
function useShape(screen: HTMLVideoElement): string {
  return useSyncExternalStore(
    (listener) => listenTo(screen, ['loadedmetadata', 'resize'], listener),
    () => (screen.videoWidth > 0 ? `${screen.videoWidth} / ${screen.videoHeight}` : '16 / 9'),
  )
}

/** It plays, and the next pictures have not come yet. */
function useIsWaiting(screen: HTMLVideoElement): boolean {
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    const stops = [
      listenTo(screen, ['waiting'], () => setWaiting(true)),
      listenTo(screen, ['playing', 'pause', 'canplay', 'emptied'], () => setWaiting(false)),
    ]
    return () => stops.forEach((stop) => stop())
  }, [screen])
  return isWaiting
}

export function listenTo(
  element: HTMLElement,
  names: readonly string[],
  act: () => void,
): () => void {
  for (const name of names) element.addEventListener(name, act)
  return () => {
    for (const name of names) element.removeEventListener(name, act)
  }
}

function Act({
  label,
  icon,
  isPressed,
  onPress,
}: {
  label: string
  icon: ReactNode
  isPressed?: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      onClick={onPress}
      className="grid size-11 shrink-0 place-items-center rounded-control outline-offset-[-3px]! outline-[#fff]! hover:bg-[rgb(255_255_255/0.14)] aria-pressed:bg-[rgb(255_255_255/0.24)] [&_svg]:size-5"
    >
      {icon}
    </button>
  )
}
