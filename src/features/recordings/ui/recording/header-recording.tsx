import { Suspense } from 'react'

import { lazyPart } from '#web/lazy-part.ts'

import { useSession } from './live.ts'

const RecordingPill = lazyPart(
  () => import('./recording-pill.tsx'),
  ({ RecordingPill }) => RecordingPill,
)

/** What the header of every page shows of a recording that is being made. */
export function HeaderRecording() {
  const session = useSession()
  const hasToLose =
    session.kind === 'running' || session.kind === 'closing' || session.kind === 'done'
  return hasToLose ? (
    <Suspense>
      <RecordingPill session={session} />
    </Suspense>
  ) : null
}
