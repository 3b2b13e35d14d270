import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { TO_DASHBOARD } from '#web/paths.ts'
import { readShared } from '#web/shared-files.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

/** Why nothing is there of what was shared with the app. */
const problems: Record<string, string> = {
  missed:
    'What you shared did not arrive: this browser had not opened Quoth before. Now it is ready. Share it once more, or choose the file here.',
  none: 'What you shared is no audio or video file. Choose a file here.',
  lost: 'This browser had no room to keep what you shared. Nothing was uploaded. Choose the file here.',
}

/** Hands over what was shared with the app, or says why it is not there. */
export function SharedNote({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const query = new URLSearchParams(search)
  const shared = query.get('shared')
  const take = useEffectEvent((files: File[]) => {
    if (files.length === 0) return
    query.delete('shared')
    // A running job is not opened over them. Each file stays in the browser until it has arrived.
    void navigate({ search: query.toString() }, { replace: true, state: TO_DASHBOARD })
    onFiles(files)
  })
  useEffect(() => {
    let isWanted = true
    void readShared().then((files) => {
      if (isWanted) take(files)
      return undefined
    })
    return () => {
      isWanted = false
    }
  }, [])
  const problem = problems[shared ?? '']
  return problem ? (
    <InlineError tone="warn" className="mb-5 rounded-control border border-line p-3">
      {problem}
    </InlineError>
  ) : null
}
