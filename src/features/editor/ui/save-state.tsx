import { CloudOff } from 'lucide-react'

import { Button } from '#web/ui/button.tsx'

import { type Edits, useDrafts, useEditsState } from './edits.ts'

/** Where the corrections are: stored, on their way, or kept in this browser until the server is back. */
export function SaveState({ edits }: { edits: Edits }) {
  const { savedAt, undoable } = useEditsState(edits)
  const drafts = [...useDrafts(edits).values()]
  const isKept = drafts.some(({ status }) => status === 'kept')
  const isSending = drafts.some(({ status }) => status === 'typed' || status === 'sending')
  if (!isKept && !isSending && savedAt === null && undoable === 0) return null
  return (
    <div className="ml-auto flex items-center gap-2 text-small text-ink-2">
      <p role="status" className="flex items-center gap-2">
        {isKept ? (
          <>
            <CloudOff aria-hidden="true" size={18} strokeWidth={1.75} className="shrink-0" />
            <span>
              <strong className="font-[650] text-ink">Not connected.</strong> Your changes are kept
              in this browser and sent when the connection is back.
            </span>
          </>
        ) : isSending ? (
          'Saving…'
        ) : savedAt ? (
          `Saved ${clock(savedAt)}`
        ) : null}
      </p>
      {isKept ? (
        <Button size="small" onClick={edits.drafts.retry}>
          Try now
        </Button>
      ) : null}
      {undoable > 0 && !isKept ? (
        <Button size="small" variant="quiet" onClick={edits.undo}>
          Undo
        </Button>
      ) : null}
    </div>
  )
}

const clock = (date: Date) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(date)
