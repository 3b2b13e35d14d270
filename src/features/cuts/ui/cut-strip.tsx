import { Download, Scissors, Undo2 } from 'lucide-react'

import { formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { cutsInWords } from './cutting.ts'
import type { CutsState } from './use-cuts.ts'

/** Over the player once something is cut: how much is left, and whether it is played so. */
export function CutStrip({
  cuts: { stretches, remaining, isSkipped, setSkipped, undo },
  duration,
  onExport,
}: {
  cuts: CutsState
  /** Of the recording, in seconds. */
  duration: number
  onExport: (from: HTMLElement) => void
}) {
  return (
    // One strip at a time: what is worked on comes first, and on a phone what is done with selected words.
    <div
      role="group"
      aria-label="Cuts"
      className="border-t border-rule bg-paper-2 not-first:hidden in-[:root:has([data-strip])]:hidden"
    >
      <Container className="flex min-h-14 flex-wrap items-center gap-x-5 text-small text-ink-2 max-sm:py-1">
        <p className="flex flex-1 items-center gap-2.5 whitespace-nowrap tabular-nums max-sm:min-h-8 max-sm:basis-full">
          <Scissors size={20} aria-hidden="true" className="text-ink" />
          <span>
            <strong className="font-[650] text-ink">{cutsInWords(stretches.length)}</strong>
            {' · '}
            <span className="font-mono text-code">{formatTime(remaining)}</span> of{' '}
            <span className="font-mono text-code">{formatTime(duration)}</span> left
            <span className="max-lg:hidden"> · downloads follow</span>
          </span>
        </p>
        <Switch
          label="Play without the cuts"
          checked={isSkipped}
          onChange={setSkipped}
          className="text-ink max-sm:flex-1 [&>label]:flex-row-reverse [&>label]:justify-end [&>label]:gap-2.5 [&>label]:text-small"
        />
        {undo ? (
          <Button size="small" icon={<Undo2 />} onClick={undo}>
            Undo
          </Button>
        ) : null}
        <Button
          size="small"
          icon={<Download />}
          className="max-sm:hidden"
          onClick={({ currentTarget }) => onExport(currentTarget)}
        >
          Export the cut recording
        </Button>
      </Container>
    </div>
  )
}
