import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import { ask, request } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { completeUpload, dropUpload, getUpload } from '../calls.ts'
import type { UploadInParts } from '../contract.ts'
import { leftBy } from './left.ts'
import { isGone, refreshUserAndList } from './queries.ts'
import { arrivedOf } from './send-file.ts'
import { bytesSent } from './sent.ts'

const KEY = ['uploads left behind']

/**
 * Says which files were sent in part by a page that is gone, and how the rest gets there. It stands here
 * from the start, because what it stands above is pressed: the server is asked only how much has arrived.
 */
export function LeftNote({ userId }: { userId: string }) {
  const client = useQueryClient()
  const left = leftBy(userId)
  const { data } = useQuery({
    queryKey: [...KEY, userId],
    queryFn: async ({ signal }) => {
      const begun = left.read()
      const found = await Promise.all(begun.map(({ id }) => unfinished(client, id, signal)))
      for (const [at, { id }] of begun.entries())
        if (found[at] === 'completed' || found[at] === 'gone') left.forget(id)
      return found.filter((each) => each !== null && each !== 'completed' && each !== 'gone')
    },
    gcTime: 0,
    staleTime: 0,
  })
  const throwAway = async (id: string) => {
    left.forget(id)
    await request(dropUpload, { params: { id } }).catch(() => undefined)
    await client.invalidateQueries({ queryKey: KEY })
  }
  const noted = data
    ? data.map((upload) => ({ ...upload, arrivedBytes: arrivedOf(upload) }))
    : left.read().map(({ size, ...begun }) => ({ ...begun, sizeBytes: size, arrivedBytes: null }))
  return noted.map(({ id, name, sizeBytes: totalBytes, arrivedBytes }) => (
    <section
      key={id}
      aria-label={noted.length === 1 ? 'Upload left unfinished' : `Upload left unfinished: ${name}`}
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-card p-4"
    >
      <p className="min-w-60 flex-1 wrap-anywhere">
        {name} was not sent completely.{' '}
        {/* A line of its own, which has its place before it is known. */}
        <span className={classes('block', arrivedBytes === null && 'invisible')}>
          {bytesSent({ sentBytes: arrivedBytes ?? 0, totalBytes })} have arrived.
        </span>
        <span className="block text-small text-ink-2">
          Choose the same file again, and only the rest is sent. What has arrived is kept for a day.
        </span>
      </p>
      <Button
        size="small"
        onClick={() => void throwAway(id)}
        {...(noted.length === 1 ? {} : { 'aria-label': `Throw away ${name}` })}
      >
        Throw away
      </Button>
    </section>
  ))
}

/**
 * What is missing of an upload. One of which all has arrived is completed, and then waits for its
 * confirmation. One that the server does not have was dropped after a day. Null where nobody knows.
 */
async function unfinished(
  client: QueryClient,
  id: string,
  signal: AbortSignal,
): Promise<UploadInParts | 'completed' | 'gone' | null> {
  const found = await ask(getUpload, { params: { id }, signal }).catch((error: unknown) =>
    isGone(error) ? 'gone' : null,
  )
  if (found === null || found === 'gone' || found.parts.length > 0) return found
  const answer = await ask(completeUpload, { params: { id }, signal }).catch(() => null)
  if (answer) refreshUserAndList(client)
  return answer && 'transcriptionId' in answer ? 'completed' : null
}
