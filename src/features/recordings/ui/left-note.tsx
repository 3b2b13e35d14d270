import { useQuery, useQueryClient } from '@tanstack/react-query'

import { get, request } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'

import type { UploadInParts } from '../contract.ts'
import { left } from './left.ts'
import { bytesSent } from './sent.ts'

const KEY = ['upload left behind']

/** Says that a file was sent in part by a page that is gone, and how the rest gets there. */
export function LeftNote() {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const found = left.read()
      // Nobody's, another user's, or dropped after a day.
      return found && get<UploadInParts>(`/api/uploads/${found.id}`, signal).catch(() => null)
    },
    gcTime: 0,
    staleTime: 0,
  })
  if (!data) return null
  const { id, name, sizeBytes, partBytes, parts } = data
  const missing = parts.map(
    ({ number, keptBytes }) =>
      Math.min(partBytes, sizeBytes - (number - 1) * partBytes) - keptBytes,
  )
  const sentBytes = missing.reduce((all, one) => all - one, sizeBytes)
  const throwAway = async () => {
    left.forget()
    await request('DELETE', `/api/uploads/${id}`).catch(() => undefined)
    await client.invalidateQueries({ queryKey: KEY })
  }
  return (
    <section
      aria-label="Upload left unfinished"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-card p-4"
    >
      <p className="min-w-60 flex-1 wrap-anywhere">
        {name} was not sent completely: {bytesSent({ sentBytes, totalBytes: sizeBytes })} have
        arrived.
        <span className="block text-small text-ink-2">
          Choose the same file again, and only the rest is sent. What has arrived is kept for a day.
        </span>
      </p>
      <Button size="small" onClick={() => void throwAway()}>
        Throw away
      </Button>
    </section>
  )
}
