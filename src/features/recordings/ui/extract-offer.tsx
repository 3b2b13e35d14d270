import { useEffect, useRef, useState } from 'react'

import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

type State =
  | { kind: 'offered' }
  | { kind: 'working'; share: number }
  | { kind: 'failed'; problem: string }

/** A video over the limit: its sound alone is much smaller, and can be taken out on this device. */
export function ExtractOffer({ video, onFile }: { video: File; onFile: (file: File) => void }) {
  const [state, setState] = useState<State>({ kind: 'offered' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    setState({ kind: 'working', share: 0 })
    try {
      const { extractSound } = await import('./extract-sound.ts')
      const sound = await extractSound(video, {
        signal: controller.signal,
        onProgress: (share) => setState({ kind: 'working', share }),
      })
      if (controller.signal.aborted) return
      if (sound.size > MAX_UPLOAD_BYTES)
        return setState({
          kind: 'failed',
          problem: `Its sound alone is ${formatBytes(sound.size)}, still more than 100 MB. Cut the recording in two, then upload the parts.`,
        })
      onFile(sound)
    } catch {
      // The browser cannot open this kind of video, or it has no sound.
      if (!controller.signal.aborted)
        setState({
          kind: 'failed',
          problem:
            'This browser could not take the sound out of this video. Another program can save it as MP3 or M4A.',
        })
    }
  }
  return (
    <div className="mt-4 max-w-[66ch] rounded-control border border-line bg-card p-4">
      <p className="font-[650] wrap-anywhere">{video.name}</p>
      {state.kind === 'working' ? (
        <div className="mt-3 flex flex-wrap items-center gap-4">
          <progress
            className="h-2 min-w-40 flex-1 accent-ink-2"
            aria-label="Taking out the sound"
            value={state.share}
            max={1}
          />
          <span className="text-small text-ink-2 tabular-nums">
            {Math.floor(state.share * 100)}%
          </span>
          <Button
            size="small"
            onClick={() => {
              running.current?.abort()
              setState({ kind: 'offered' })
            }}
          >
            Cancel
          </Button>
        </div>
      ) : (
        <>
          <p className="mt-1 text-small text-ink-2">
            Only its sound is needed. It can be taken out here, in your browser; the video stays on
            this device.
          </p>
          {state.kind === 'failed' ? (
            <InlineError className="mt-3">{state.problem}</InlineError>
          ) : (
            <Button variant="primary" className="mt-3 max-sm:w-full" onClick={() => void start()}>
              Take out the sound
            </Button>
          )}
        </>
      )}
    </div>
  )
}
