import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { formatTime } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { filesLeft } from './files.ts'
import { startRecording } from './recorder.ts'
import { type Left, forget, leftBehind } from './shelf.ts'
import { handOn, heldRecordings } from './tabs.ts'
import { ThrowAway } from './throw-away.tsx'
import { gapWords, lackWords, lengthAndPrice, notRead, recordingTitle } from './words.ts'

const KEY = ['recordings left behind']

/** Offers what was recorded in this browser and not sent, by a page that crashed or by choice. */
export function RecoverNote({
  userId,
  onFiles,
}: {
  userId: string
  onFiles: (files: File[]) => void
}) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [...KEY, userId],
    queryFn: () => leftBehind(userId),
    gcTime: 0,
    staleTime: 0,
    // Another tab may have gone on with one, or sent it.
    refetchOnWindowFocus: 'always',
  })
  if (!data || data.length === 0) return null
  return (
    <section
      aria-label="Recording left behind"
      className="mb-5 rounded-control border border-line bg-card px-4"
    >
      <ul className="divide-y divide-rule">
        {data.map((left) => (
          <Row
            key={left.recording.id}
            left={left}
            onFiles={onFiles}
            onThrow={async () => {
              await forget(left.recording.id)
              await client.invalidateQueries({ queryKey: KEY })
            }}
          />
        ))}
      </ul>
      <p className="border-t border-rule py-3 text-small text-ink-2">
        Made in this browser and not sent. Kept here until you send it or throw it away.
      </p>
    </section>
  )
}

function Row({
  left,
  onFiles,
  onThrow,
}: {
  left: Left
  onFiles: (files: File[]) => void
  onThrow: () => Promise<void>
}) {
  const { recording, seconds } = left
  const title = recordingTitle(recording.startedAt)
  const take = useMutation({
    // The list may be older than what another tab does.
    mutationFn: async () =>
      (await heldRecordings()).has(recording.id) ? null : await filesLeft(left),
    onSuccess: (files) => {
      if (!files) return
      handOn(recording.id)
      onFiles(files)
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 py-4">
      <div className="min-w-52 flex-1">
        <p className="font-[650]">{title}</p>
        <p className="text-small text-ink-2 tabular-nums">{lengthAndPrice(seconds)}</p>
        {recording.gaps?.map((gap) => (
          <p key={gap.placeMs} className="text-small text-ink-2">
            {gapWords(gap)}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button
          size="small"
          variant="primary"
          pending={take.isPending}
          onClick={() => take.mutate()}
        >
          Use it
        </Button>
        <Button size="small" onClick={() => void startRecording({ recording })}>
          Go on recording
        </Button>
        <ThrowAway size="small" title={title} length={formatTime(seconds)} onThrow={onThrow} />
        {take.isError || take.data === null ? (
          <InlineError className="basis-full">
            {take.isError ? notRead : lackWords.elsewhere}
          </InlineError>
        ) : null}
      </div>
    </li>
  )
}
