import { useQueryClient } from '@tanstack/react-query'
import { List, RotateCcw, RotateCw } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'

import { ChapterNames, ChapterTicks } from '#features/chapters/ui/chapter-wave.tsx'
import type { ChaptersState } from '#features/chapters/ui/use-chapters.ts'
import { oneKey } from '#features/recordings/ui/queries.ts'
import { formatTime } from '#shared/format.ts'
import type { Player, Stretches } from '#web/player.ts'
import { Button, type ButtonSize, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { laterMenu } from '#web/ui/later-menu.tsx'
import { PlayButton } from '#web/ui/play-button.tsx'
import { type Stretch, WaveSlider } from '#web/ui/wave-slider.tsx'
import { useVeil } from '#web/ui/with-bars.tsx'
import { tellHeight } from '#web/tell-height.ts'

import { usePlayerState } from './use-player.ts'

const SKIP_SECONDS = 10

/** The list of what else there is, on a narrow screen. */
interface Tools {
  isOpen: boolean
  onPress: () => void
}

/** Play, the wave and the speed, at the bottom of a result whichever tab is open. */
export function PlayerBar({
  player,
  duration,
  peaks,
  stretches,
  marks = [],
  points = [],
  cuts,
  chapters = null,
  tools = null,
  strip = null,
  transcriptionId,
  onShortcuts,
  onChosen,
}: {
  player: Player
  duration: number
  peaks: readonly number[]
  stretches: readonly Stretch[]
  marks?: readonly number[]
  points?: readonly number[]
  /** What is left out, in seconds. */
  cuts?: Stretches
  /** Null where there are none. */
  chapters?: ChaptersState | null
  /** Null where there is no such list. */
  tools?: Tools | null
  /** A line of news over it. */
  strip?: ReactNode
  transcriptionId: string
  /** Null where no keys are listened to. */
  onShortcuts: (() => void) | null
  /** Somebody has chosen a second by the wave. */
  onChosen?: (seconds: number) => void
}) {
  const { isPlaying, isBroken } = usePlayerState(player)
  const { say } = useVeil()
  useWhyBroken(isBroken, transcriptionId)
  if (isBroken)
    return (
      <Bar {...{ tools, strip }}>
        <p role="alert" className="min-w-0 flex-1 text-small">
          The recording cannot be played at the moment. The text is all here.
        </p>
        <Button size="small" onClick={player.reload}>
          Try again
        </Button>
      </Bar>
    )
  return (
    <Bar hasNames={chapters !== null} {...{ tools, strip }}>
      <PlayButton
        label={isPlaying ? 'Pause' : 'Play'}
        isPlaying={isPlaying}
        onPress={player.toggle}
      />
      <div className="hidden shrink-0 lg:flex">
        <IconButton label="Back 10 seconds" onClick={() => player.skip(-SKIP_SECONDS)}>
          <RotateCcw />
        </IconButton>
        <IconButton label="Forward 10 seconds" onClick={() => player.skip(SKIP_SECONDS)}>
          <RotateCw />
        </IconButton>
      </div>
      <Clock player={player} duration={duration} />
      <div className="relative min-w-0 flex-1">
        <WaveSlider
          {...{ player, duration, peaks, stretches, marks, points, onChosen }}
          {...(cuts ? { cuts } : {})}
          {...(chapters
            ? { chapters: chapters.list.map((one) => ({ ...one, title: say(one.title) })) }
            : {})}
        />
        {chapters ? <ChapterTicks chapters={chapters} /> : null}
        {chapters ? <ChapterNames chapters={chapters} /> : null}
      </div>
      <div className={tools ? 'max-lg:hidden' : undefined}>
        <SpeedMenu player={player} onShortcuts={onShortcuts} />
      </div>
    </Bar>
  )
}

/**
 * Loads the transcription again when playing fails, because the recording may have been deleted.
 */
function useWhyBroken(isBroken: boolean, transcriptionId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    if (isBroken) void client.invalidateQueries({ queryKey: oneKey(transcriptionId) })
  }, [isBroken, client, transcriptionId])
}

/** Shown in place of the player when there is no recording any more. */
export function PlayerGone({
  tools,
  strip,
  children,
}: {
  tools: Tools
  strip: ReactNode
  children: ReactNode
}) {
  return (
    <Bar {...{ tools, strip }}>
      <p className="min-w-0 flex-1 text-small text-ink-2">{children}</p>
    </Bar>
  )
}

/** Tells the page its height, so that the footer stays above it. */
function Bar({
  hasNames = false,
  tools,
  strip,
  children,
}: {
  /** Names of chapters stand above the wave, where there is room. */
  hasNames?: boolean
  tools: Tools | null
  strip: ReactNode
  children: ReactNode
}) {
  const bar = useRef<HTMLElement>(null)
  const news = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [own, over] = [bar.current, news.current]
    if (!own || !over) return undefined
    return tellHeight('--player-height', own, () => own.offsetHeight + over.offsetHeight, over)
  }, [])
  return (
    <div
      data-foot
      className="fixed inset-x-0 bottom-0 z-20 border-t border-rule bg-card pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      {/* Over it, so that it does not move when there is news. */}
      <div ref={news} data-foot className="absolute inset-x-0 bottom-full">
        {strip}
      </div>
      <section ref={bar} id="player" tabIndex={-1} aria-label="Player">
        <Container
          className={classes(
            'flex h-16 items-center gap-3 sm:h-18 sm:gap-4',
            hasNames && 'lg:tall:h-24 lg:tall:pt-6',
          )}
        >
          {children}
          {tools ? (
            <IconButton
              label="Tools"
              className="-mr-2 lg:hidden"
              aria-expanded={tools.isOpen}
              onClick={tools.onPress}
            >
              <List className="size-6!" />
            </IconButton>
          ) : null}
        </Container>
      </section>
    </div>
  )
}

function Clock({ player, duration }: { player: Player; duration: number }) {
  const clock = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      player.onTick((seconds) => {
        const text = formatTime(seconds)
        if (clock.current && clock.current.textContent !== text) clock.current.textContent = text
      }),
    [player],
  )
  return (
    <p className="shrink-0 font-mono text-fine whitespace-nowrap tabular-nums">
      <span ref={clock}>0:00</span>
      <span className="max-sm:hidden">{` / ${formatTime(duration)}`}</span>
    </p>
  )
}

const LaterSpeed = laterMenu(async () => (await import('./speed-menu.tsx')).SpeedMenu)

export function SpeedMenu({
  player,
  size = 'small',
  onShortcuts,
}: {
  player: Player
  size?: ButtonSize
  onShortcuts: (() => void) | null
}) {
  const { rate } = usePlayerState(player)
  return (
    <LaterSpeed
      {...{ player, onShortcuts }}
      trigger={
        <Button
          size={size}
          aria-label={`Speed ${rate}×`}
          data-tip="Speed of playing, and keys"
          className="min-w-12 px-2.5! tabular-nums"
        >
          {rate}×
        </Button>
      }
    />
  )
}
