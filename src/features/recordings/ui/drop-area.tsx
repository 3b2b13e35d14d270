import { useQuery } from '@tanstack/react-query'
import { Mic, Upload } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'

import { uploadHint } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

import { accept } from './file-rules.ts'
import { enginesQuery } from './queries.ts'
import { takeFocus } from './take-focus.ts'
import { WhatFits } from './what-fits.tsx'

/** Where files are dropped or chosen. A problem with it stays in view until the next try. */
export function DropArea({
  problem,
  help,
  isBack,
  isOver,
  onFiles,
  onRecord,
}: {
  problem: string | null
  /** What can be done about the problem. It is the main act then. */
  help: ReactNode
  /** Another file was here before, so the button that chooses the next one takes the focus. */
  isBack: boolean
  /** A file is held over the page. */
  isOver: boolean
  onFiles: (files: File[]) => void
  onRecord: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className={classes(
        'relative flex flex-col overflow-hidden rounded-panel border-2 p-4 pt-5 sm:p-8 sm:pb-5 lg:min-h-[270px]',
        isOver ? 'border-solid border-ink' : 'border-dashed border-line bg-card',
      )}
    >
      <input
        ref={input}
        id="upload-file"
        type="file"
        multiple
        accept={accept}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Without this, choosing the same file again would be no change.
          event.target.value = ''
        }}
      />
      {/* The whole area can be pressed; what stands on it lies above. */}
      <label htmlFor="upload-file" className="absolute inset-0 cursor-pointer">
        <span className="sr-only">Audio or video file</span>
      </label>
      <h2
        id="upload-heading"
        className="pointer-events-none relative font-display text-section font-semibold max-sm:text-[1.375rem]! lg:text-[1.75rem]!"
      >
        Upload audio or video file
      </h2>
      <p className="pointer-events-none relative mt-1 text-ui leading-6! text-ink-2">
        {isOver ? (
          'Drop your file here'
        ) : (
          <>
            {/* Nothing can be dropped where a finger points. */}
            <span className="max-sm:hidden pointer-coarse:hidden">
              Drag and drop your file here, or click to browse
            </span>
            <span className="sm:hidden pointer-coarse:inline">
              Choose a file on this device, or record one
            </span>
          </>
        )}
      </p>
      <div className="relative mt-4.5 flex flex-wrap gap-3 max-sm:*:h-12 max-sm:*:flex-1 sm:mt-5.5 sm:self-start">
        <Button
          ref={isBack ? takeFocus : undefined}
          variant={help ? 'secondary' : 'primary'}
          icon={<Upload />}
          onClick={() => input.current?.click()}
        >
          Choose file
        </Button>
        <Button icon={<Mic />} onClick={onRecord}>
          Record
        </Button>
      </div>
      {problem ? (
        <InlineError className="relative mt-5 max-w-[66ch] rounded-control bg-danger-tint p-3">
          {problem}
        </InlineError>
      ) : null}
      {help ? <div className="relative">{help}</div> : null}
      <Formats />
      <RestingLine />
    </div>
  )
}

/** One line of small print; the rest of it opens in its place. */
function Formats() {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { data } = useQuery(enginesQuery)
  const { note, fetching } = data?.speech ?? {}
  return (
    <div className="pointer-events-none relative mt-4.5 text-small text-ink-2">
      <p>
        {uploadHint}{' '}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="pointer-events-auto ml-1 inline-flex min-h-6 items-center text-link pointer-coarse:-my-3 pointer-coarse:min-h-11"
        >
          Formats
        </button>
      </p>
      <div id={id} hidden={!isOpen} className="mt-3 max-w-[40rem] space-y-1.5">
        <p>
          MP3, WAV and M4A work best. FLAC, OGG, WebM and MP4 are supported. MP4 may have limited
          compatibility: we read its first audio track; a protected or silent file cannot be read.
          Large files are processed in chunks.
        </p>
        {note ? <p>{note}</p> : null}
        {fetching ? <p className="text-ink">{onItsWay(fetching)}</p> : null}
        <WhatFits />
      </div>
    </div>
  )
}

const onItsWay = ({ percent }: { percent: number | null }): string =>
  percent === null
    ? 'A better recognizer was fetched and is being tried.'
    : `A better recognizer is being fetched: ${percent}%`

/** Nothing recorded yet: a flat line with the playhead at its start. */
function RestingLine() {
  return (
    <div aria-hidden="true" className="pointer-events-none relative mt-auto pt-3">
      <div className="relative -mr-4 h-8 sm:-mr-8">
        <div className="absolute top-1/2 right-0 left-1.5 h-[3px] -translate-y-1/2 bg-[radial-gradient(circle,var(--color-line)_1.5px,transparent_1.6px)] bg-size-[12px_3px]" />
        <div className="absolute top-0 left-0 h-full w-[2.5px] rounded-full bg-playhead before:absolute before:-top-0.5 before:left-1/2 before:size-2.5 before:-translate-x-1/2 before:rounded-full before:bg-playhead" />
      </div>
    </div>
  )
}
