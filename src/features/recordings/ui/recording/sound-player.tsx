import { useEffect, useMemo, useRef, useState } from 'react'

import { formatTime } from '#shared/format.ts'
import { PlayButton } from '#web/ui/play-button.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

const BARS = 72

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
  const { isPlaying, place, toggle, seek } = useSound(file)
  const heights = useMemo(() => heightsOf(levels), [levels])
  return (
    <div className="mt-5 flex items-center gap-3 sm:gap-4">
      <PlayButton
        label={isPlaying ? 'Pause the recording' : 'Play the recording'}
        isPlaying={isPlaying}
        onPress={toggle}
      />
      <p className="shrink-0 font-mono text-fine whitespace-nowrap tabular-nums">
        {formatTime(place)}
        <span className="max-sm:hidden">{` / ${formatTime(seconds)}`}</span>
      </p>
      <div className="relative min-w-0 flex-1">
        <WaveFigure
          heights={heights}
          height={40}
          playedTo={seconds > 0 ? Math.min(1, place / seconds) : 0}
          tone="ink"
        />
        <input
          type="range"
          aria-label="Playback position"
          aria-valuetext={`${formatTime(place)} of ${formatTime(seconds)}`}
          min={0}
          max={Math.max(1, Math.floor(seconds))}
          step={1}
          value={Math.floor(place)}
          onChange={(event) => seek(Number(event.target.value))}
          className="absolute inset-0 size-full cursor-pointer appearance-none rounded-mark bg-transparent [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
        />
      </div>
    </div>
  )
}

/** As many bars as there is room for, each as high as the loudest of what it stands for. */
function heightsOf(levels: readonly number[]): number[] {
  const loudest = Math.max(0.01, ...levels)
  return Array.from({ length: BARS }, (_, bar) => {
    const from = Math.floor((bar * levels.length) / BARS)
    const to = Math.max(from + 1, Math.floor(((bar + 1) * levels.length) / BARS))
    return Math.max(0, ...levels.slice(from, to)) / loudest
  })
}

const told = ['timeupdate', 'seeked', 'play', 'pause', 'ended'] as const

function useSound(file: File) {
  const media = useRef<HTMLAudioElement>(null)
  const [{ isPlaying, place }, tell] = useState({ isPlaying: false, place: 0 })
  useEffect(() => {
    const url = URL.createObjectURL(file)
    const sound = new Audio(url)
    media.current = sound
    const listen = () => tell({ isPlaying: !sound.paused, place: sound.currentTime })
    for (const name of told) sound.addEventListener(name, listen)
    return () => {
      for (const name of told) sound.removeEventListener(name, listen)
      sound.pause()
      URL.revokeObjectURL(url)
    }
  }, [file])
  return {
    isPlaying,
    place,
    toggle: () => {
      if (media.current?.paused) void media.current.play()
      else media.current?.pause()
    },
    seek: (seconds: number) => {
      if (media.current) media.current.currentTime = seconds
    },
  }
}
