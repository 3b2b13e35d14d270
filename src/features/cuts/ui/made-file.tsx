import { useMutation } from '@tanstack/react-query'
import { Download, Share2, Trash2 } from 'lucide-react'
import { type Ref, useEffect, useMemo, useState } from 'react'

import { useLaterRooms } from '#features/library/ui/later-rooms.ts'
import { PlayerRow } from '#features/recordings/ui/player-row.tsx'
import type { ClipShape } from '#shared/clips.ts'
import { formatBytes, formatDate, formatTime } from '#shared/format.ts'
import type { RenderFormat } from '#shared/render-formats.ts'
import { sentenceOf } from '#web/api.ts'
import { createPlayer } from '#web/player.ts'
import { ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmAlert } from '#web/ui/confirm-alert.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { Render } from '../contract.ts'
import { fileOf, useRemoveRender } from './renders.ts'

export const formatNames: Readonly<Record<RenderFormat, string>> = {
  mp4: 'Film, MP4',
  mp3: 'MP3',
  m4a: 'M4A',
  wav: 'WAV, without loss',
  flac: 'FLAC, without loss',
  ogg: 'OGG',
  opus: 'OPUS',
}

export const shapeNames: Readonly<Record<ClipShape, string>> = {
  upright: 'Upright',
  square: 'Square',
  wide: 'Wide',
  sound: 'Sound',
}

/** A file in a list of those that were made: how far it is, and what can be done with it. */
export function MadeFile({
  ref,
  made,
  levels,
  onShare,
  onAgain,
}: {
  ref?: Ref<HTMLLIElement> | undefined
  made: Render
  /** Of the recording without its cuts. */
  levels: readonly number[]
  /** Gives a file away. */
  onShare?: ((made: Render) => void) | undefined
  /** Makes a clip again; null where that is not offered. */
  onAgain?: (() => void) | undefined
}) {
  const remove = useRemoveRender(made.transcriptionId)
  const { hasLinkTo } = useLaterRooms()
  const [isAsked, setAsked] = useState(false)
  const look = useMutation({
    mutationFn: () => hasLinkTo(made),
    onSuccess: (hasLink) => (hasLink ? setAsked(true) : remove.mutate(made.id)),
  })
  const error = remove.error ?? look.error
  const isBusy = remove.isPending || look.isPending
  const { status, format, duration, isAsCut, isAsWritten, clip } = made
  const isThere = status === 'made'
  return (
    <li ref={ref} className="border-b border-rule py-3" aria-busy={status === 'making'}>
      <div className="flex flex-wrap items-center gap-2">
        <div className={isThere ? 'basis-full' : 'min-w-0 flex-1'}>
          <p className="text-ui tabular-nums">
            {clip
              ? `Clip ${formatTime(clip.start)}, ${shapeNames[clip.shape].toLowerCase()}`
              : formatNames[format]}{' '}
            · {formatTime(duration)}
          </p>
          <State made={made} />
          {isThere && !(isAsCut && isAsWritten) ? (
            <p className="text-small text-ink-2">
              {isAsCut ? 'The text has changed since.' : 'The cuts have changed since.'}{' '}
              {onAgain ? (
                <button type="button" className="text-link" onClick={onAgain}>
                  Make it again
                </button>
              ) : null}
            </p>
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
        {isThere && onShare ? (
          <IconButton label="Share this file" aria-haspopup="dialog" onClick={() => onShare(made)}>
            <Share2 />
          </IconButton>
        ) : null}
        <IconButton
          className="ml-auto"
          label={isThere ? 'Delete this file' : status === 'making' ? 'Stop' : 'Remove'}
          aria-busy={isBusy}
          onClick={() => {
            if (isBusy) return
            if (isThere) look.mutate()
            else remove.mutate(made.id)
          }}
        >
          <Trash2 />
        </IconButton>
      </div>
      {isThere && clip && clip.shape !== 'sound' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- its captions are in its picture
        <video
          controls
          preload="metadata"
          src={fileOf(made, { isSaved: false })}
          aria-label={made.name}
          className="mt-2 max-h-72 max-w-full rounded-control bg-code-bg"
        />
      ) : isThere ? (
        <Heard made={made} levels={isAsCut ? levels : []} />
      ) : null}
      {isAsked ? (
        <ConfirmAlert
          title="Delete the file?"
          description="Its link ends."
          keep="Keep it"
          verb="Delete the file"
          isPending={remove.isPending}
          onKeep={() => setAsked(false)}
          onAct={() => remove.mutate(made.id, { onError: () => setAsked(false) })}
        >
          <p className="mt-4 font-[650] wrap-anywhere">{made.name}</p>
        </ConfirmAlert>
      ) : null}
      {error ? <InlineError className="mt-2">{sentenceOf(error)}</InlineError> : null}
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
