import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'

import { ask, request } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { completeUpload, dropUpload, getUpload } from '../calls.ts'
import { type Left, leftBy } from './left.ts'
import { isGone, refreshUserAndList } from './queries.ts'
import { arrivedOf } from './send-file.ts'
import { bytesSent } from './sent.ts'

const KEY = ['uploads left behind']

/**
 * Says which files were sent in part by a page that is gone, and how the rest gets there. It is drawn with
 * the page, from what this browser knows: when it came later, it pushed down the buttons that it speaks of.
 */
export function LeftNote({ userId }: { userId: string }) {
  const client = useQueryClient()
  const left = leftBy(userId)
  const { data } = useQuery({
    queryKey: [...KEY, userId],
    queryFn: async ({ signal }) => {
      const noted = left.read().map(async (begun) => {
        const arrived = await arrivedNow(client, begun.id, signal)
        if (arrived === 'over') left.forget(begun.id)
        return arrived === 'over' || arrived === 'whole' ? [] : noteOf(begun, arrived)
      })
      return (await Promise.all(noted)).flat()
    },
    gcTime: 0,
    staleTime: 0,
  })
  const throwAway = async (id: string) => {
    left.forget(id)
    await request(dropUpload, { params: { id } }).catch(() => undefined)
    await client.invalidateQueries({ queryKey: KEY })
  }
  const noted = data ?? left.read().flatMap((begun) => noteOf(begun, null))
  return noted.map(({ id, name, totalBytes, arrivedBytes }) => (
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

/** Without an answer of the server it says nothing of a file that has arrived, which may be measured now. */
const noteOf = ({ id, name, size, hasArrived }: Left, arrivedBytes: number | null) =>
  hasArrived && arrivedBytes === null ? [] : [{ id, name, totalBytes: size, arrivedBytes }]

/**
 * How many bytes of an upload have arrived; null where the server cannot be asked. One that has arrived as
 * a whole is completed here, and is over when it waits for its confirmation. So is one that the server
 * does not have: it was dropped after a day.
 */
async function arrivedNow(
  client: QueryClient,
  id: string,
  signal: AbortSignal,
): Promise<number | 'whole' | 'over' | null> {
  const found = await ask(getUpload, { params: { id }, signal }).catch((error: unknown) =>
    isGone(error) ? 'over' : null,
  )
  if (found === null || found === 'over') return found
  if (found.parts.length > 0) return arrivedOf(found)
  const answer = await ask(completeUpload, { params: { id }, signal }).catch(() => null)
  if (answer) refreshUserAndList(client)
  return answer && 'transcriptionId' in answer ? 'over' : 'whole'
}
