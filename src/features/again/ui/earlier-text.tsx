import { useState } from 'react'

import { formatDate } from '#shared/format.ts'
import { ConfirmAlert } from '#web/ui/confirm-alert.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { useDropEarlier, useGoBack } from './again-queries.ts'

/** Until when the text from before is kept, and the way back to it. */
export function EarlierText({
  id,
  keptUntil,
  canDrop = false,
  className,
}: {
  id: string
  keptUntil: string
  /** Whether it can be deleted here before its time is over. */
  canDrop?: boolean
  className?: string
}) {
  const [asked, setAsked] = useState<'back' | 'drop' | null>(null)
  const onKeep = () => setAsked(null)
  const goBack = useGoBack(id, { onBack: onKeep })
  const drop = useDropEarlier(id, { onDropped: onKeep })
  return (
    <div className={className}>
      <p>The earlier text is kept until {formatDate(keptUntil)}.</p>
      <div className="flex flex-wrap gap-x-4">
        <Ask onPress={() => setAsked('back')}>Go back to the earlier text</Ask>
        {canDrop ? <Ask onPress={() => setAsked('drop')}>Delete the earlier text</Ask> : null}
      </div>
      <ConfirmAlert
        open={asked === 'back'}
        title="Go back?"
        description="The new text is kept for 30 days in its place."
        keep="Keep the new text"
        verb="Go back"
        isPending={goBack.isPending}
        onKeep={onKeep}
        onAct={() => goBack.mutate()}
      >
        <p className="mt-2 text-ui text-ink-2">No credits come back for it.</p>
        <Failure error={goBack.error} />
      </ConfirmAlert>
      <ConfirmAlert
        open={asked === 'drop'}
        title="Delete the earlier text?"
        description="Then there is no way back to it, or to the corrections in it."
        keep="Keep it"
        verb="Delete it"
        isPending={drop.isPending}
        onKeep={onKeep}
        onAct={() => drop.mutate()}
      >
        <Failure error={drop.error} />
      </ConfirmAlert>
    </div>
  )
}

function Ask({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button type="button" className="min-h-6 text-link pointer-coarse:min-h-11" onClick={onPress}>
      {children}
    </button>
  )
}
