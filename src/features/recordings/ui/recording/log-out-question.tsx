import { ConfirmAlert } from '#web/ui/dialog.tsx'

import { live } from './live.ts'
import { recorder } from './recorder.ts'
import { type Session, isOnPageAlone } from './state.ts'
import { tell } from './tell.ts'

/** The account is deleted: what is being recorded on this page goes, however that ends. */
export async function throwAway(): Promise<void> {
  await recorder()
    ?.throwAway()
    .catch(() => undefined)
  tell({ kind: 'left' })
}

/** Asked of who logs out while a recording is being made, or is on this page alone. */
export function LogOutQuestion({
  session,
  onAnswer,
}: {
  session: Session
  onAnswer: (goesOn: boolean) => void
}) {
  const logOut = () => {
    tell({ kind: 'left' })
    onAnswer(true)
  }
  if (isOnPageAlone(session))
    return (
      <ConfirmAlert
        title="This recording is not kept."
        description="This browser could not keep all of it. Logging out loses what is on this page alone. Use the recording first."
        keep="Stay signed in"
        verb="Lose it and log out"
        onKeep={() => onAnswer(false)}
        onAct={logOut}
      />
    )
  const isUnsaved = session.kind === 'running' && session.unsaved !== null
  return (
    <ConfirmAlert
      title="You are still recording."
      description={
        isUnsaved
          ? 'Logging out stops it. This browser could not keep all of it: you are asked again before anything is lost.'
          : 'Logging out stops it. What is recorded so far is kept in this browser for when you sign in again.'
      }
      keep="Go on recording"
      verb="Stop and log out"
      isPending={session.kind === 'closing'}
      onKeep={() => onAnswer(false)}
      onAct={() =>
        void recorder()
          ?.stop()
          // A recording that could not be kept is asked about again.
          .then(() => (isOnPageAlone(live.session()) ? undefined : logOut()))
      }
    />
  )
}
