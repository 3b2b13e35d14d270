import { useEffect, useRef, useSyncExternalStore } from 'react'

import { formatTime } from '#shared/format.ts'
import type { Player } from '#web/player.ts'
import { classes } from '#web/ui/classes.ts'
import { PlayButton } from '#web/ui/play-button.tsx'
import { WaveSlider } from '#web/ui/wave-slider.tsx'

/** A player in its place on a page: play, the time, and the wave of a recording without a text. */
export function PlayerRow({
  player,
  seconds,
  levels,
  className,
}: {
  player: Player
  seconds: number
  levels: readonly number[]
  className?: string
}) {
  const { isPlaying } = useSyncExternalStore(player.subscribe, player.getState)
  const clock = useRef<HTMLSpanElement>(null)
  useEffect(
    () =>
      player.onTick((at) => {
        if (clock.current) clock.current.textContent = formatTime(at)
      }),
    [player],
  )
  return (
    <div className={classes('flex items-center gap-3 sm:gap-4', className)}>
      <PlayButton
        label={isPlaying ? 'Pause the recording' : 'Play the recording'}
        isPlaying={isPlaying}
        onPress={player.toggle}
      />
      <p className="shrink-0 font-mono text-fine whitespace-nowrap tabular-nums">
        <span ref={clock}>0:00</span>
        <span className="max-sm:hidden">{` / ${formatTime(seconds)}`}</span>
      </p>
      <WaveSlider
        player={player}
        duration={seconds}
        peaks={levels}
        stretches={nobody}
        tone="fill-ink"
        className="min-w-0 flex-1"
      />
    </div>
  )
}

/** Nobody is told apart yet. */
const nobody: [] = []
