import { useSession } from './live.ts'
import { RecordingPill } from './recording-pill.tsx'

/** What the header of every page shows of a recording that is being made. */
export function HeaderRecording() {
  const session = useSession()
  const hasToLose =
    session.kind === 'running' || session.kind === 'closing' || session.kind === 'done'
  return hasToLose ? <RecordingPill session={session} /> : null
}
