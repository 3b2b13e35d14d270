import { Question } from '#web/ui/dialog.tsx'

import { recorder } from './recorder.ts'
import { tell } from './tell.ts'

/** Asked of who logs out while a recording is being made. */
export function LogOutQuestion({ onAnswer }: { onAnswer: (goesOn: boolean) => void }) {
  return (
    <Question
      title="You are still recording."
      description="Logging out stops it. What is recorded so far is kept in this browser for when you sign in again."
      keep="Go on recording"
      verb="Stop and log out"
      onKeep={() => onAnswer(false)}
      onAct={() =>
        void recorder()
          ?.stop()
          .then(() => {
            tell({ kind: 'left' })
            return onAnswer(true)
          })
      }
    />
  )
}
