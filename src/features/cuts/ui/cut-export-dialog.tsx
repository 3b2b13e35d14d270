import { useQuery } from '@tanstack/react-query'
import { Download, Share2, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'

import { PlayerRow } from '#features/recordings/ui/player-row.tsx'
import { peaksQuery } from '#features/text/ui/words-query.ts'
import { counted, formatBytes, formatDate, formatTime } from '#shared/format.ts'
import { type RenderFormat, renderFormats } from '#shared/render-formats.ts'
import { sentenceOf } from '#web/api.ts'
import { createPlayer } from '#web/player.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'

import type { Render, Renders } from '../contract.ts'
import { type Range, levelsWithout } from '../ranges.ts'
import { fileOf, rendersQuery, useOrderRender, useRemoveRender } from './renders.ts'

const names: Readonly<Record<RenderFormat, string>> = {
  mp4: 'Film, MP4',
  mp3: 'MP3',
  m4a: 'M4A',
  wav: 'WAV, without loss',
  flac: 'FLAC, without loss',
  ogg: 'OGG',
  opus: 'OPUS',
}

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
  const { data: peaks } = useQuery(peaksQuery(id))
  const levels = useMemo(
    () => levelsWithout(peaks?.peaks ?? noLevels, list, duration * 1000),
    [peaks, list, duration],
  )
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
                {names[format]}
                {format === data.usual ? ' (as it came)' : ''}
              </option>
            ))}
          </Select>
          <Button
            variant="primary"
            className="mt-3 w-full"
            pending={order.isPending}
            onClick={() => order.mutate(chosen)}
          >
            Make the file
          </Button>
          <p className="mt-1.5 text-small text-ink-2">
            Of {counted(Math.floor(data.secondsLeft / 60), 'minute')} of recordings files can still
            be made within 24 hours.
          </p>
          {order.error ? (
            <InlineError className="mt-3">{sentenceOf(order.error)}</InlineError>
          ) : null}
        </>
      )}
      {data.renders.length > 0 ? (
        <section className="mt-5">
          <h3 className="text-ui font-[650]">Files made</h3>
          <ul className="mt-1 border-t border-rule">
            {data.renders.map((made) => (
              <File key={made.id} {...{ made, levels, onShare }} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}

function File({
  made,
  levels,
  onShare,
}: {
  made: Render
  levels: readonly number[]
  onShare: (made: Render) => void
}) {
  const remove = useRemoveRender(made.transcriptionId)
  const { status, format, duration, isAsCut } = made
  const isThere = status === 'made'
  return (
    <li className="border-b border-rule py-3" aria-busy={status === 'making'}>
      <div className="flex flex-wrap items-center gap-2">
        <div className={isThere ? 'basis-full' : 'min-w-0 flex-1'}>
          <p className="text-ui tabular-nums">
            {names[format]} · {formatTime(duration)}
          </p>
          <State made={made} />
          {isThere && !isAsCut ? (
            <p className="text-small text-ink-2">The cuts have changed since.</p>
          ) : null}
        </div>
        {isThere ? (
          <ButtonLink
            reloadDocument
            size="small"
            icon={<Download />}
            href={fileOf(made, { isSaved: true })}
          >
            Download
          </ButtonLink>
        ) : null}
        {isThere ? (
          <IconButton label="Share this file" aria-haspopup="dialog" onClick={() => onShare(made)}>
            <Share2 />
          </IconButton>
        ) : null}
        <IconButton
          className="ml-auto"
          label={isThere ? 'Delete this file' : status === 'making' ? 'Stop' : 'Remove'}
          aria-busy={remove.isPending}
          onClick={() => {
            if (!remove.isPending) remove.mutate(made.id)
          }}
        >
          <Trash2 />
        </IconButton>
      </div>
      {isThere ? <Heard made={made} levels={isAsCut ? levels : noLevels} /> : null}
      {remove.error ? <InlineError className="mt-2">{sentenceOf(remove.error)}</InlineError> : null}
    </li>
  )
}

/** The file, to be heard before it is saved. */
function Heard({ made, levels }: { made: Render; levels: readonly number[] }) {
  const source = fileOf(made, { isSaved: false })
  const { duration } = made
  const player = useMemo(
    () => createPlayer({ source, duration, media: new Audio() }),
    [source, duration],
  )
  useEffect(() => {
    player.open()
    return player.close
  }, [player])
  return <PlayerRow className="mt-2" player={player} seconds={duration} levels={levels} />
}

const noLevels: readonly number[] = []

function State({ made }: { made: Render }) {
  const { status, progress, ahead, problem, sizeBytes, keptUntil } = made
  switch (status) {
    case 'making':
      return (
        <p className="text-small text-ink-2 tabular-nums">
          {ahead > 0
            ? `Waiting, ${ahead.toLocaleString('en-US')} ahead`
            : `Making the file… ${progress}%`}
        </p>
      )
    case 'made':
      return (
        <p className="text-small text-ink-2 tabular-nums">
          {[sizeBytes && formatBytes(sizeBytes), keptUntil && `kept until ${formatDate(keptUntil)}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )
    case 'failed':
      return (
        <p role="alert" className="text-small text-danger">
          {problem ?? 'The file could not be made. Nothing is lost: make it again.'}
        </p>
      )
  }
}
