import { useQuery, useQueryClient } from '@tanstack/react-query'

import { Button } from '#web/ui/button.tsx'

import { type KeptRecording, fileOf, forget, leftBehind } from './shelf.ts'

const KEY = ['recording left behind']

/** Offers a recording that a crash or a closed tab has left in this browser. */
export function RecoverNote({ userId, onFile }: { userId: string; onFile: (file: File) => void }) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: [...KEY, userId],
    queryFn: () => leftBehind(userId),
    gcTime: 0,
  })
  if (!data) return null
  const remove = async (recording: KeptRecording) => {
    await forget(recording.id)
    await client.invalidateQueries({ queryKey: KEY })
  }
  return (
    <section
      aria-label="Recording left behind"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-card p-4"
    >
      <p className="min-w-60 flex-1">
        Recover the recording from{' '}
        {new Intl.DateTimeFormat('en-US', {
          month: 'short',
          day: 'numeric',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }).format(data.startedAt)}
        ?
        <span className="block text-small text-ink-2">
          It was made in this browser and not sent. It is kept until you decide.
        </span>
      </p>
      <Button
        size="small"
        variant="primary"
        onClick={() => void fileOf(data).then((file) => onFile(file))}
      >
        Recover
      </Button>
      <Button size="small" onClick={() => void remove(data)}>
        Throw away
      </Button>
    </section>
  )
}
