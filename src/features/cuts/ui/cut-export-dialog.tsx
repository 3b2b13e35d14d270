import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { counted } from '#shared/format.ts'
import { type RenderFormat, renderFormats } from '#shared/render-formats.ts'
import { sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'

import type { Render, Renders } from '../contract.ts'
import type { Range } from '../ranges.ts'
import { formatNames } from './made-file.tsx'
import { MadeFiles } from './made-files.tsx'
import { rendersQuery, useOrderRender } from './renders.ts'

/** The recording without its cuts, as a file: ordered, waited for, heard and downloaded. */
export function CutExportDialog({
  id,
  list,
  duration,
  onClose,
  onShare,
  onExport,
  focusAfter,
}: {
  id: string
  /** The cuts there are. */
  list: readonly Range[]
  /** Of the recording, in seconds. */
  duration: number
  onClose: () => void
  /** Gives a file away. */
  onShare: (made: Render) => void
  /** Leads to captions, chapters and text, which follow the cuts. */
  onExport: () => void
  focusAfter: () => void
}) {
  const { data, error, isFetching, refetch } = useQuery(rendersQuery(id))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={list.length > 0 ? 'Export the cut recording' : 'Files made'}
      // Its top stays where it is: files that come later push nothing.
      className="max-sm:h-[calc(100dvh-2rem)] sm:mt-[max(1rem,calc(50dvh-18rem))]! sm:mb-auto!"
      description="The recording stays as it is. This costs no credits."
    >
      {data ? (
        <>
          <Files {...{ id, list, duration, data, onShare }} />
          {list.length > 0 ? (
            <p className="mt-4 text-small text-ink-2">
              Captions, chapters and text without the cuts are in{' '}
              <button type="button" className="text-link" onClick={onExport}>
                Export
              </button>
              .
            </p>
          ) : null}
        </>
      ) : error ? (
        <NotLoaded className="mt-4" isAsking={isFetching} askAgain={refetch}>
          {sentenceOf(error, 'The files could not be loaded.')}
        </NotLoaded>
      ) : (
        <p role="status" className="mt-4 h-[9.5rem] text-small text-ink-2">
          Loading the files…
        </p>
      )}
    </Dialog>
  )
}

function Files({
  id,
  list,
  duration,
  data,
  onShare,
}: {
  id: string
  list: readonly Range[]
  duration: number
  data: Renders
  onShare: (made: Render) => void
}) {
  const [chosen, setChosen] = useState<RenderFormat>(data.usual)
  const order = useOrderRender(id)
  // A film is what a film is made into.
  const offered = renderFormats
    .filter((format) => format !== 'mp4' || data.usual === 'mp4')
    .toReversed()
  return (
    <>
      {list.length === 0 ? null : (
        <>
          <Select
            label="Kind of file"
            className="mt-4"
            value={chosen}
            onChange={({ target }) => {
              order.reset()
              setChosen(offered.find((format) => format === target.value) ?? data.usual)
            }}
          >
            {offered.map((format) => (
              <option key={format} value={format}>
                {formatNames[format]}
                {format === data.usual ? ' (as it came)' : ''}
              </option>
            ))}
          </Select>
          <Button
            variant="primary"
            className="mt-3 w-full"
            pending={order.isPending}
            onClick={() => order.mutate({ format: chosen })}
          >
            Make the file
          </Button>
          {/* With room for a refusal, so that the files stay where they are. */}
          <div className="mt-1.5 min-h-12 text-small text-ink-2 max-sm:min-h-18">
            {order.error ? (
              <InlineError>{sentenceOf(order.error)}</InlineError>
            ) : (
              `${counted(Math.floor(data.secondsLeft / 60), 'minute')} left today for making files.`
            )}
          </div>
        </>
      )}
      <MadeFiles {...{ id, list, duration, onShare }} renders={data.renders} />
    </>
  )
}
