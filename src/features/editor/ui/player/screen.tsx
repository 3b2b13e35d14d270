import { Captions, Maximize, Minimize, Pause, PictureInPicture2, Play, X } from 'lucide-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'

import { dirOf } from '#shared/direction.ts'
import { formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import type { WordTurn } from '../../contract.ts'
import { captionAt } from './captions.ts'
import { type FullScreen, useFullScreen } from './full-screen.ts'
import { type Player, usePlayerState } from './player.ts'
import { placeInWords } from './wave.ts'

/** Where a picture is: beside or above the text, small over another tab, or in a window of its own. */
export type ScreenPlace = 'beside' | 'above' | 'small' | 'window'

export interface CaptionsSetting {
  isOn: boolean
  set: (isOn: boolean) => void
}

/** White on 82 % black: above pictures of any colour, in either theme. */
const overPicture = 'bg-[rgb(0_0_0/0.82)] text-[#fff]'

/** The picture with its captions and buttons. A press on it plays or pauses. */
export function Screen({
  player,
  screen,
  place,
  name,
  duration,
  turns,
  language,
  captions,
  onWindow,
  onClose,
}: {
  player: Player
  screen: HTMLVideoElement
  place: ScreenPlace
  name: string
  duration: number
  turns: readonly WordTurn[]
  language: string | null
  captions: CaptionsSetting
  /** Gives the picture a window of its own, or ends that; null where the browser has none. */
  onWindow: (() => void) | null
  /** Closes the small picture. */
  onClose?: () => void
}) {
  const figure = useRef<HTMLElement>(null)
  const ground = useRef<HTMLDivElement>(null)
  const { picture, isBroken } = usePlayerState(player)
  const full = useFullScreen(figure, screen, { followsTurning: place === 'above' })
  const { isFull } = full
  const shape = useShape(screen)
  const isWaiting = useIsWaiting(screen)
  usePicture(screen, ground)
  usePress(ground, player)
  const hasFailed = isBroken || picture === 'failed'
  const captionsButton = (
    <Act
      label="Captions"
      isPressed={captions.isOn}
      onPress={() => captions.set(!captions.isOn)}
      icon={<Captions />}
    />
  )
  return (
    <figure
      ref={figure}
      aria-label={`Picture of ${name}`}
      data-full={isFull || undefined}
      style={isFull || place === 'window' ? undefined : { aspectRatio: shape }}
      className={classes(
        '@container w-full shrink-0 overflow-hidden bg-code-bg text-code-ink',
        isFull || place === 'window' ? 'fixed inset-0 z-30 size-full' : places[place],
      )}
    >
      <div
        ref={ground}
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
      {captions.isOn && !hasFailed && place !== 'small' ? (
        <CaptionLines
          player={player}
          turns={turns}
          language={language}
          className={isFull ? 'bottom-20' : place === 'beside' ? 'bottom-14' : 'bottom-3'}
        />
      ) : null}
      {isFull ? (
        <FullBar player={player} duration={duration} full={full}>
          {captionsButton}
        </FullBar>
      ) : place === 'small' ? (
        <Acts className="top-1.5">
          <Act label="Close the small picture" onPress={() => onClose?.()} icon={<X />} />
        </Acts>
      ) : (
        <Acts className={place === 'beside' ? 'bottom-1.5' : 'top-1.5'}>
          {captionsButton}
          {onWindow && place !== 'window' ? (
            <Act label="Picture in picture" onPress={onWindow} icon={<PictureInPicture2 />} />
          ) : null}
          {place === 'window' ? null : (
            <Act label="Full screen" onPress={full.toggle} icon={<Maximize />} />
          )}
        </Acts>
      )}
    </figure>
  )
}

const places: Record<Exclude<ScreenPlace, 'window'>, string> = {
  beside: 'relative max-h-[60dvh] rounded-panel',
  above: 'relative max-h-[40dvh]',
  small: 'relative max-h-[40dvh] rounded-panel',
}

const parking = document.createElement('div')
parking.hidden = true

/**
 * Puts the picture here. Between two places it waits in the page, unseen: a browser pauses what is
 * taken out of the page.
 */
function usePicture(screen: HTMLVideoElement, ground: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ground.current
    element?.append(screen)
    return () => {
      if (screen.parentNode !== element) return
      document.body.append(parking)
      parking.append(screen)
    }
  }, [screen, ground])
}

/** The keyboard has Space for it, wherever the focus is. */
function usePress(ground: RefObject<HTMLElement | null>, player: Player): void {
  useEffect(() => {
    const element = ground.current
    element?.addEventListener('click', player.toggle)
    return () => element?.removeEventListener('click', player.toggle)
  }, [ground, player])
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

function listenTo(element: HTMLElement, names: readonly string[], act: () => void): () => void {
  for (const name of names) element.addEventListener(name, act)
  return () => {
    for (const name of names) element.removeEventListener(name, act)
  }
}

/** Drawn without React, which need not look at every frame. Screen readers have the text itself. */
function CaptionLines({
  player,
  turns,
  language,
  className,
}: {
  player: Player
  turns: readonly WordTurn[]
  language: string | null
  className: string
}) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let shown: string | null = null
    return player.onTick((seconds) => {
      const lines = captionAt(turns, seconds, language)
      const next = lines.join('\n')
      if (next === shown || !box.current) return
      shown = next
      box.current.replaceChildren(
        ...lines.map((line) => {
          const element = document.createElement('span')
          element.dir = dirOf(line, language)
          element.textContent = line
          return element
        }),
      )
    })
  }, [player, turns, language])
  return (
    <div
      ref={box}
      aria-hidden="true"
      className={classes(
        'pointer-events-none absolute inset-x-2 flex flex-col items-center text-[clamp(17px,3cqw,44px)] leading-[1.35]',
        '*:bg-[rgb(0_0_0/0.82)] *:px-[0.45em] *:py-[0.1em] *:text-center *:text-[#fff] *:first:rounded-t-badge *:last:rounded-b-badge',
        className,
      )}
    />
  )
}

function Acts({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className={classes('absolute right-1.5 flex rounded-control', overPicture, className)}>
      {children}
    </div>
  )
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

/** On the whole screen the player bar is out of sight, so that the picture has its own. */
function FullBar({
  player,
  duration,
  full,
  children,
}: {
  player: Player
  duration: number
  full: FullScreen
  children: ReactNode
}) {
  const { isPlaying } = usePlayerState(player)
  const clock = useRef<HTMLSpanElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  useEffect(
    () =>
      player.onTick((seconds) => {
        const whole = String(Math.floor(seconds))
        if (!slider.current || !clock.current || slider.current.dataset['at'] === whole) return
        slider.current.dataset['at'] = whole
        slider.current.value = whole
        slider.current.setAttribute('aria-valuetext', placeInWords(seconds, duration, undefined))
        clock.current.textContent = formatTime(seconds)
      }),
    [player, duration],
  )
  return (
    <div
      className={classes(
        'absolute inset-x-0 bottom-0 flex items-center gap-2 px-3 py-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]',
        overPicture,
      )}
    >
      <Act
        label={isPlaying ? 'Pause' : 'Play'}
        onPress={player.toggle}
        icon={isPlaying ? <Pause /> : <Play />}
      />
      <p className="font-mono text-fine whitespace-nowrap tabular-nums">
        <span ref={clock}>0:00</span>
        {` / ${formatTime(duration)}`}
      </p>
      <input
        ref={slider}
        type="range"
        aria-label="Playback position"
        min={0}
        max={Math.max(1, Math.floor(duration))}
        defaultValue={0}
        onChange={(event) => player.seek(Number(event.target.value))}
        className="h-11 min-w-0 flex-1 accent-playhead outline-[#fff]!"
      />
      {children}
      <Act label="Leave full screen" onPress={full.toggle} icon={<Minimize />} />
    </div>
  )
}
