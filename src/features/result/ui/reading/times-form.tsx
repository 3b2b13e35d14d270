import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

import type { Times } from '#features/text/ui/free-time.ts'
import {
  meant,
  reasonAgainst,
  secondsIn,
  timeInWords,
  within,
} from '#features/text/ui/turn-times.ts'
import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

/** Where a turn begins and ends: typed, moved by arrow keys, or taken from the playhead. */
export function TimesForm({
  times,
  free,
  player,
  onSave,
  onClose,
}: {
  times: Times
  /** How far the turns beside it let it reach. */
  free: Times
  player: Player | null
  /** Answers whether it was saved. */
  onSave: (times: Times) => Promise<boolean>
  onClose: () => void
}) {
  const [texts, setTexts] = useState({
    start: timeInWords(times.start),
    end: timeInWords(times.end),
  })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  /** The time as it is typed, or the exact time where the field was not touched. */
  const wanted = (which: keyof Times) => {
    if (texts[which] === timeInWords(times[which])) return times[which]
    const seconds = secondsIn(texts[which])
    return seconds === null ? null : meant(seconds, free)
  }
  const set = (which: keyof Times, text: string) => {
    setTexts((before) => ({ ...before, [which]: text }))
    setProblem(null)
  }
  const move = (which: keyof Times, seconds: number) =>
    set(which, timeInWords(within(seconds, free)))
  const onKeyDown = (which: keyof Times) => (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      event.preventDefault()
      onClose()
    }
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    const step = (event.shiftKey ? 1 : 0.1) * (event.key === 'ArrowUp' ? 1 : -1)
    move(which, (wanted(which) ?? times[which]) + step)
  }
  const save = async () => {
    const [start, end] = [wanted('start'), wanted('end')]
    if (start === null || end === null) return setProblem('Write a time as 1:02.5.')
    const reason = reasonAgainst({ start, end }, free)
    if (reason) return setProblem(reason)
    setSaving(true)
    if (await onSave({ start, end })) onClose()
    else setSaving(false)
  }
  const field = (which: keyof Times, label: string) => (
    <div className="flex items-end gap-2">
      <TextField
        className="w-28 [&_input]:tabular-nums"
        label={label}
        value={texts[which]}
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => set(which, event.target.value)}
        onKeyDown={onKeyDown(which)}
      />
      {player ? (
        <Button
          size="small"
          className="sm:mb-1 pointer-coarse:mb-0"
          aria-label={`${label}: At playhead`}
          onClick={() => move(which, player.now())}
        >
          At playhead
        </Button>
      ) : null}
    </div>
  )
  return (
    <form
      ref={form}
      aria-label="Times of the turn"
      className="mt-3 rounded-panel border border-line bg-card p-4"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        {field('start', 'Begins')}
        {field('end', 'Ends')}
      </div>
      <p role="status" className="mt-2 text-small text-ink-2">
        {problem ? (
          <span className="text-danger">{problem}</span>
        ) : (
          `Between ${timeInWords(free.start)} and ${timeInWords(free.end)}. Its words move with it. ↑ ↓ a tenth, with Shift a second.`
        )}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        <Button size="small" variant="primary" type="submit" pending={isSaving}>
          Set times
        </Button>
        <Button size="small" onClick={onClose}>
          Leave them
        </Button>
        {player ? (
          <Button
            size="small"
            variant="quiet"
            onClick={() =>
              player.playFrom(wanted('start') ?? times.start, wanted('end') ?? times.end)
            }
          >
            Play
          </Button>
        ) : null}
      </div>
    </form>
  )
}
