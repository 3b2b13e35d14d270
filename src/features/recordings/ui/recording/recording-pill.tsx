import { useEffect, useState } from 'react'

import { alsoForget } from '#web/forget-account.ts'
import { later } from '#web/later.tsx'
import { guardLogOut } from '#web/log-out-guard.ts'
import type { RecordingNow } from '#web/ui/header-parts.tsx'

import { live, useIsInView, useSession } from './live.ts'
import { isOnPageAlone } from './state.ts'

const RunningPill = later(async () => (await import('./running-pill.tsx')).RunningPill)
const LogOutQuestion = later(async () => (await import('./log-out-question.tsx')).LogOutQuestion)

/** What the header of every page says of a recording. Who looks at the recording itself needs no pill. */
export function useRecordingNow(): RecordingNow {
  const session = useSession()
  const isOpen = useIsInView()
  return {
    isOpen,
    pill: session.kind === 'running' && !isOpen ? <RunningPill running={session} /> : null,
  }
}

alsoForget(async (userId) => {
  // First what would go on writing.
  if (live.session().kind !== 'idle') await (await import('./log-out-question.tsx')).throwAway()
  await (await import('./shelf.ts')).forgetAllOf(userId)
})

/** Asks a user who logs out first, also while a finished recording is on this page alone. */
export function AskBeforeLogOut() {
  const session = useSession()
  const [answer, setAnswer] = useState<((goesOn: boolean) => void) | null>(null)
  const isIdle = session.kind === 'idle'
  useEffect(() => {
    if (isIdle) return
    // Also for when the network is gone by then.
    LogOutQuestion.load()
    RunningPill.load()
  }, [isIdle])
  useEffect(
    () =>
      guardLogOut(async () => {
        const now = live.session()
        if (now.kind !== 'running' && !isOnPageAlone(now)) return true
        return new Promise((resolve) => setAnswer(() => resolve))
      }),
    [],
  )
  return answer ? (
    <LogOutQuestion
      session={session}
      onAnswer={(goesOn) => {
        setAnswer(null)
        answer(goesOn)
      }}
    />
  ) : null
}
