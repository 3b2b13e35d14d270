import { type ReactNode, useState } from 'react'

import type { Decision } from './again-words.ts'
import { Button, type ButtonVariant } from '#web/ui/button.tsx'

export interface RowProps {
  /** "1 of 2" */
  place: string
  /** The first open row has the main button. */
  isFirst: boolean
  decide: (decision: Decision) => Promise<void>
}

/** One question of the panel: open with its answers, or folded to what was decided. */
export function QuestionRow({
  place,
  label,
  decision,
  head,
  decided,
  answers,
  isFirst,
  decide,
  play = null,
  children = null,
}: RowProps & {
  /** The subject of the row, for screen readers. */
  label: string
  decision: Decision
  head: ReactNode
  /** The words of a folded row for each decision. */
  decided: Record<Exclude<Decision, 'open'>, string>
  /** The words on the buttons. */
  answers: Record<Exclude<Decision, 'open'>, string>
  play?: ReactNode
  children?: ReactNode
}) {
  const [busy, setBusy] = useState<Decision | null>(null)
  const choose = async (wanted: Decision) => {
    if (busy !== null) return
    setBusy(wanted)
    await decide(wanted)
    setBusy(null)
  }
  if (decision !== 'open')
    return (
      <li className="flex min-h-13 flex-wrap items-center gap-x-3 border-t border-rule px-4 text-small">
        {head}
        <span className="text-ink-2">{decided[decision]}</span>
        <Button
          size="small"
          variant="quiet"
          className="-mr-3.5 ml-auto"
          aria-label={`Undo, ${label}`}
          pending={busy !== null}
          onClick={() => void choose('open')}
        >
          Undo
        </Button>
      </li>
    )
  const answer = (wanted: Exclude<Decision, 'open'>, variant: ButtonVariant) => (
    <Button
      size="small"
      variant={variant}
      pending={busy === wanted}
      onClick={() => void choose(wanted)}
    >
      {answers[wanted]}
    </Button>
  )
  return (
    <li
      tabIndex={-1}
      aria-label={`${place}, ${label}`}
      className="scroll-mt-20 border-t border-rule p-4 outline-offset-[-2px]!"
    >
      <div className="flex flex-wrap items-center gap-x-3">{head}</div>
      {children}
      <div className="mt-3 flex flex-wrap gap-2">
        {play}
        {answer('put', isFirst ? 'primary' : 'secondary')}
        {answer('left', 'secondary')}
      </div>
    </li>
  )
}
