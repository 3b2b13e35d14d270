import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useLayoutEffect, useState } from 'react'

import { copyText } from '#web/copy-text.ts'
import type { Draft } from '#features/text/ui/drafts.ts'
import { Button } from '#web/ui/button.tsx'

interface Props {
  draft: Draft
  /** The turn is not in the transcript any more. */
  isGone: boolean
  onMine: () => void
  onTheirs: () => void
}

/** Shows a text that could not be stored beside the stored turn, and lets the user choose. */
export function ConflictBox(props: Props) {
  const { status } = props.draft
  return status === 'conflict' || status === 'refused' || props.isGone ? <Box {...props} /> : null
}

function Box({ draft, isGone, onMine, onTheirs }: Props) {
  useKeptLine()
  const theirs = draft.status === 'conflict' ? draft.current : null
  return (
    <div
      role="alert"
      className="my-3 max-w-[66ch] rounded-control border border-line bg-warn-tint p-4 text-ui"
    >
      <p className="flex gap-2.5 font-[650]">
        <TriangleAlert size={20} className="mt-px shrink-0 text-warn" />
        {headOf(draft, isGone)}
      </p>
      <dl className="mt-3 space-y-3">
        <Version name="Typed here">{draft.text}</Version>
        {theirs ? <Version name="Stored meanwhile">{theirs.text}</Version> : null}
      </dl>
      <div className="mt-4 flex flex-wrap gap-3">
        {theirs ? (
          <Button size="small" variant="primary" onClick={onMine}>
            Keep what I typed
          </Button>
        ) : (
          <Button
            size="small"
            onClick={() => void copyText(draft.text, 'Failed to copy transcription to clipboard')}
          >
            Copy what I typed
          </Button>
        )}
        <Button size="small" onClick={onTheirs}>
          {theirs ? 'Take what is stored' : 'Drop what I typed'}
        </Button>
      </div>
    </div>
  )
}

/** The box comes late, and often above the turn that is typed into by then: that one stays in its place. */
function useKeptLine(): void {
  const [{ typed, top }] = useState(() => {
    const typed = document.activeElement?.closest('[data-turn]')
    return { typed, top: topOf(typed) }
  })
  useLayoutEffect(() => {
    if (typed?.isConnected && top > 0 && top < innerHeight)
      scrollBy({ top: topOf(typed) - top, behavior: 'instant' })
  }, [typed, top])
}

const topOf = (typed: Element | null | undefined): number => typed?.getBoundingClientRect().top ?? 0

function headOf({ status, problem }: Draft, isGone: boolean): string {
  if (status === 'refused') return problem ?? 'This change could not be saved.'
  return isGone
    ? 'The turn you were correcting is not there any more: it was joined or restored elsewhere.'
    : 'This turn was changed in another tab or on another device. Nothing was overwritten.'
}

function Version({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-small text-ink-2">{name}</dt>
      <dd dir="auto" className="wrap-anywhere">
        {children}
      </dd>
    </div>
  )
}
