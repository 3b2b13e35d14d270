import { CloudOff } from 'lucide-react'

import type { Saved } from '#features/text/ui/undo-steps.ts'
import { formatClock } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'

import { type Edits, useDrafts } from './edits.ts'

/**
 * Says whether corrections are stored, being sent, or kept in this browser until the server is
 * back.
 */
export function SaveState({
  edits,
  saved,
  onUndo,
}: {
  edits: Edits
  saved: Saved
  onUndo: () => void
}) {
  const drafts = [...useDrafts(edits).values()]
  const isKept = drafts.some(({ status }) => status === 'kept')
  const isSending = drafts.some(({ status }) => status === 'typed' || status === 'sending')
  if (!isKept && !isSending && saved.at === null && saved.undoable === 0) return null
  return (
    <div className="ml-auto flex items-center gap-2 text-small text-ink-2">
      <p role="status" className="flex items-center gap-2">
        {isKept ? (
          <>
            <CloudOff size={18} className="shrink-0" />
            <span>
              <strong className="font-[650] text-ink">Not connected.</strong> Your changes are kept
              in this browser and sent when the connection is back.
            </span>
          </>
        ) : isSending ? (
          'Saving…'
        ) : saved.at ? (
          `Saved ${formatClock(saved.at)}`
        ) : null}
      </p>
      {isKept ? (
        <Button size="small" onClick={edits.drafts.retry}>
          Try now
        </Button>
      ) : null}
      {saved.undoable > 0 && !isKept ? (
        <Button size="small" variant="quiet" onClick={onUndo}>
          Undo
        </Button>
      ) : null}
    </div>
  )
}
