import { Pause, Play } from 'lucide-react'

import { formatTime } from '#shared/format.ts'
import { InlineScript } from '#web/ui/inline-script.tsx'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { DEMO_START_SECONDS } from './demo-player.ts'
// oxlint-disable-next-line import/default -- made by the plugin in vite.config.ts
import demoScript from './demo-script.ts?script'
import { Said } from './examples.tsx'
import { nameOf, sample, sampleLanes, samplePeaks, sampleUrl } from './sample.ts'
import { Wave } from './wave.tsx'

/** Hundredths of a second from the beginning of each word to that of the next. */
const stepsOf = (words: readonly { startMs: number }[]): string =>
  words
    .map(({ startMs }) => Math.round(startMs / 10))
    .map((at, index, all) => at - (all[index - 1] ?? 0))
    .join(' ')

const turnAtStart = sample.turns.findLastIndex(
  ({ startMs }) => startMs / 1000 <= DEMO_START_SECONDS,
)

/**
 * Our own sample with its transcript: readable as it is, playable with a script of its own. The
 * recording is not fetched before somebody wants to hear it.
 */
export function Demo() {
  return (
    <>
      <figure
        id="sample"
        data-demo
        aria-label="Sample transcript"
        className="min-w-0 overflow-hidden rounded-panel border border-rule bg-card shadow-float"
      >
        <figcaption className="flex flex-wrap items-baseline gap-x-3 border-b border-rule px-5 py-3 text-small">
          <span className="font-[650] max-sm:w-full">{sample.name}</span>
          <span className="text-ink-2">
            <Timecode s={sample.seconds} /> · {sample.speakers.length} speakers
          </span>
          <span className="ml-auto font-semibold">{sample.credits} credit</span>
        </figcaption>
        <div className="relative px-5 pt-3">
          <Wave
            id="sample-wave"
            heights={samplePeaks}
            speakers={sampleLanes}
            playedTo={DEMO_START_SECONDS / sample.seconds}
            className="my-4 h-[68px]"
          />
          <input
            type="range"
            data-demo-seek
            min={0}
            max={sample.seconds}
            step={1}
            defaultValue={DEMO_START_SECONDS}
            aria-label="Playback position"
            aria-valuetext={`${Math.floor(DEMO_START_SECONDS)} seconds of ${sample.length}`}
            className="absolute inset-x-5 top-3 bottom-0 h-[100px] w-[calc(100%-2.5rem)] cursor-pointer appearance-none rounded-control opacity-0 focus-visible:opacity-100 noscript:hidden [&]:bg-transparent [&::-moz-range-thumb]:opacity-0 [&::-webkit-slider-thumb]:opacity-0"
          />
        </div>
        {/* Scrolls inside; the height holds the three turns round the beginning. */}
        <div
          role="region"
          aria-label="Transcript of the sample"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must be able to
          tabIndex={0}
          data-demo-text
          className="relative mx-2 h-[238px] overflow-y-auto px-3 text-body -outline-offset-2!"
        >
          {sample.turns.map((turn, index) => (
            <div
              key={turn.startMs}
              data-demo-turn={stepsOf(turn.words)}
              className="grid grid-cols-[48px_1fr] items-baseline py-2 sm:grid-cols-[52px_52px_1fr]"
            >
              <Timecode s={turn.startMs / 1000} className="text-ink-2" />
              <div className="sm:contents">
                <span {...speakerColours(turn.speaker)} className="mr-2 font-[650] text-speaker">
                  {nameOf(turn.speaker)}
                </span>
                <p className="inline cursor-text sm:block">
                  <Said turn={turn} mark={index === turnAtStart ? 'record every meeting' : ''} />
                </p>
              </div>
            </div>
          ))}
        </div>
        <div className="flex items-center gap-3 border-t border-rule bg-paper-2 px-5 py-3 noscript:hidden">
          <button
            type="button"
            data-demo-play
            aria-label="Play the sample"
            className="group grid size-11 shrink-0 place-items-center rounded-full bg-primary text-primary-fg hover:bg-primary-hover"
          >
            <Play size={20} fill="currentColor" className="ml-0.5 group-data-playing:hidden" />
            <Pause size={20} fill="currentColor" className="hidden group-data-playing:block" />
          </button>
          <p className="font-mono text-code whitespace-nowrap tabular-nums">
            <span data-demo-time>{formatTime(DEMO_START_SECONDS)}</span> / {sample.length}
          </p>
          <p data-demo-note aria-live="polite" className="ml-auto text-right text-small text-ink-2">
            <span className="max-sm:hidden">Click any word to hear it</span>
            <span className="sm:hidden">Tap any word</span>
          </p>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its transcript stands above it */}
        <audio
          controls
          preload="none"
          src={sampleUrl}
          data-demo-audio
          className="hidden w-full noscript:block"
        />
      </figure>
      <InlineScript code={demoScript} />
    </>
  )
}
