import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'

import { formatTime } from '#shared/format.ts'
import { createPlayer } from '#web/player.ts'
import { PlayButton } from '#web/ui/play-button.tsx'
import { WaveSlider } from '#web/ui/wave-slider.tsx'

/**
 * Plays a recording of this device. The length and the wave come from the recorder, because its file
 * says neither.
 */
export function SoundPlayer({
  file,
  seconds,
  levels,
}: {
  file: File
  seconds: number
  levels: readonly number[]
}) {
  const player = useMemo(() => createPlayer({ duration: seconds, media: new Audio() }), [seconds])
  useEffect(() => {
    const source = URL.createObjectURL(file)
    player.open(source)
    return () => {
      player.close()
      URL.revokeObjectURL(source)
    }
  }, [file, player])
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
    <div className="mt-5 flex items-center gap-3 sm:gap-4">
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
