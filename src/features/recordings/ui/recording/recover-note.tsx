import {
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { formatTime } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { getStatus } from '../../calls.ts'
import { isGone, shelfKey } from '../queries.ts'
import { filesLeft } from './files.ts'
import { startRecording } from './recorder.ts'
import { type Left, forget, forgetConfirmed, idsOf, leftBehind } from './shelf.ts'
import type { KeptRecording } from './state.ts'
import { handOn, heldRecordings } from './tabs.ts'
import { ThrowAway } from './throw-away.tsx'
import { gapWords, lackWords, lengthAndPrice, notRead, recordingTitle } from './words.ts'

const leftQuery = (userId: string) =>
  queryOptions({
    queryKey: [...shelfKey, userId],
    queryFn: async ({ signal }) => {
      const left = await leftBehind(userId)
      const isLost = await Promise.all(left.map(({ recording }) => isNotThere(recording, signal)))
      return left.filter((_, place) => isLost[place])
    },
    // The code of the page may come so much later.
    gcTime: 10_000,
    staleTime: 0,
    // Another tab may have gone on with one, or sent it.
    refetchOnWindowFocus: 'always',
  })

/** Looks for them before the note is drawn, so that it pushes nothing. A slow browser is not waited for. */
export const lookForLeft = (client: QueryClient, userId: string): Promise<unknown> =>
  Promise.race([
    client.prefetchQuery(leftQuery(userId)),
    new Promise((resolve) => setTimeout(resolve, 500)),
  ])

/** Offers what was recorded in this browser and not sent, by a page that crashed or by choice. */
export function RecoverNote({
  userId,
  onFiles,
}: {
  userId: string
  onFiles: (files: File[]) => void
}) {
  const client = useQueryClient()
  const { data } = useQuery(leftQuery(userId))
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
              await client.invalidateQueries({ queryKey: shelfKey })
            }}
          />
        ))}
      </ul>
      <p className="border-t border-rule py-3 text-small text-ink-2">
        Made in this browser and not transcribed. Kept here until you use it or throw it away.
      </p>
    </section>
  )
}

/**
 * Whether the server does not have a recording: it was never sent, or its upload was cancelled or waited
 * too long for its confirmation. One that is confirmed leaves the shelf.
 */
async function isNotThere(recording: KeptRecording, signal: AbortSignal): Promise<boolean> {
  const ids = idsOf(recording)
  if (!ids) return true
  const statuses = await Promise.all(
    ids.map((id) =>
      ask(getStatus, { params: { id }, signal }).then(
        ({ status }) => status,
        (error: unknown) => (isGone(error) ? 'gone' : 'uploading'),
      ),
    ),
  )
  if (statuses.includes('gone')) return true
  if (!statuses.includes('uploading')) await forgetConfirmed(ids)
  return false
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
