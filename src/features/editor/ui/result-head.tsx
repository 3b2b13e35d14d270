import { ChevronLeft, Copy, Download, Ellipsis, Plus, RotateCw, Share2 } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'

import type { Transcription } from '#features/transcriptions/contract.ts'
import { canTranscribeAgain } from '#features/transcriptions/ui/again.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import { libraryBehind } from '#features/transcriptions/ui/library-address.ts'
import { RecordingNote } from '#features/transcriptions/ui/recording-note.tsx'
import { RenameButton } from '#features/transcriptions/ui/rename-dialog.tsx'
import { languageName } from '#shared/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DotLine } from '#web/ui/dot-line.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

import { copyOf, copyPart, shareSummary } from './copying.ts'
import { type Open, failedCopy, textOf } from './text-of.ts'

/** The buttons behind which something opens that gives the focus back. */
export interface HeadButtons {
  share: RefObject<HTMLButtonElement | null>
  actions: RefObject<HTMLButtonElement | null>
}

interface ActionsProps {
  open: Open
  buttons: HeadButtons
  /** The text in view, which can be copied; null where the tab shows none. */
  part: Part | null
  /** Another button is the main one of the screen, so "next file" is not shown as such. */
  hasMainAct: boolean
  /** Asks how to transcribe again; `from` is the button that gets the focus back. */
  onAgain: (from: HTMLElement) => void
  /** Opens what gives the text away, as a link or as it is. */
  onShare: () => void
  onNewFile: () => void
}

/** The head of a result, above its tabs: the way back, its name, its facts and its actions. */
export function ResultHead({
  headingRef,
  hasActions,
  ...actions
}: ActionsProps & { headingRef: HeadingRef; hasActions: boolean }) {
  const { transcription } = actions.open
  return (
    <>
      <Crumbs name={transcription.originalName} />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4 lg:items-end lg:justify-between">
        <div className="min-w-0 flex-[1_1_10rem] max-sm:basis-full lg:flex-auto">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {/* The pencil stays beside the name, also where the name takes several lines. */}
            <div className="flex min-w-0 items-end gap-x-3">
              <h1
                ref={headingRef}
                tabIndex={-1}
                className="min-w-0 font-sans text-file font-[650] text-wrap wrap-anywhere"
              >
                {transcription.originalName}
              </h1>
              <RenameButton row={transcription} />
            </div>
            {transcription.isSample ? <Badge>Sample · As it was heard</Badge> : null}
          </div>
          <MetaLine transcription={transcription} />
        </div>
        {hasActions ? <Actions {...actions} /> : null}
      </div>
    </>
  )
}

function Crumbs({ name }: { name: string }) {
  const library = libraryBehind(useLocation().search)
  return (
    <nav aria-label="Breadcrumb" className="text-small text-ink-2 lg:mb-2 print:hidden">
      <Link
        to={library}
        className="-mt-4 -mb-1 inline-flex min-h-11 items-center gap-2.5 hover:underline lg:hidden"
      >
        <ChevronLeft size={16} />
        Library
      </Link>
      <ol className="hidden items-baseline gap-2.5 lg:flex">
        <li>
          <Link to={library} className="hover:underline">
            Library
          </Link>
        </li>
        <li aria-hidden="true">/</li>
        <li className="max-w-[60ch] truncate" aria-current="page">
          {name}
        </li>
      </ol>
    </nav>
  )
}

function MetaLine({ transcription }: { transcription: Transcription }) {
  const { duration, wordCount, language, speakers } = transcription
  const facts = [
    wordCount === null
      ? null
      : `${wordCount.toLocaleString('en-US')} ${wordCount === 1 ? 'word' : 'words'}`,
    language === null ? null : languageName(language),
    speakers.length === 0
      ? null
      : `${speakers.length} ${speakers.length === 1 ? 'speaker' : 'speakers'}`,
  ].filter((part) => part !== null)
  return (
    <div className="mt-1 text-small text-ink-2 tabular-nums">
      <DotLine>
        <Timecode s={duration} />
        {facts.map((part) => (
          <span key={part}>{part}</span>
        ))}
        <RecordingNote row={transcription} />
      </DotLine>
      <PictureNote transcription={transcription} />
    </div>
  )
}

/** Why there is no picture, where somebody may look for one. */
function PictureNote({ transcription: { picture, mediaType } }: { transcription: Transcription }) {
  if (picture === 'left_out') return <p>Only the sound of this video was uploaded.</p>
  return picture === 'cannot' && mediaType ? (
    <p>The picture of this file cannot be shown; the sound can.</p>
  ) : null
}

/**
 * Copies, downloads and shares the text in view, and starts with the next file. On phones Share
 * stands by itself, and a menu holds the rest.
 */
function Actions({
  open,
  buttons: { share, actions },
  part,
  hasMainAct,
  onAgain,
  onShare,
  onNewFile,
}: ActionsProps) {
  const { transcription } = open
  const [isDownloading, setDownloading] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const canAgain = canTranscribeAgain(transcription)
  const askAgain = () => {
    const from = [more, actions].find(({ current }) => current?.checkVisibility())?.current
    if (from) onAgain(from)
  }
  const again = (
    <MenuItem icon={<RotateCw />} onSelect={askAgain}>
      Transcribe again…
    </MenuItem>
  )
  const text = part === null ? '' : textOf(part, transcription)
  const download = async (part: Part) => {
    setDownloading(true)
    await downloadResult(part, transcription)
    setDownloading(false)
  }
  return (
    <div className="flex flex-wrap gap-2.5 print:hidden">
      {part !== null && text !== '' ? (
        <>
          <div className="hidden gap-2.5 lg:flex">
            <CopyButton
              key={part}
              text={() => copyOf(part, open)}
              copiedLabel="Copied"
              onCopied={() => toast({ title: 'Copied to clipboard' })}
              onFailed={() => toast({ title: failedCopy[part], variant: 'destructive' })}
            />
            <Button
              size="small"
              icon={<Download />}
              pending={isDownloading}
              onClick={() => void download(part)}
            >
              Download
            </Button>
          </div>
          <Button
            ref={share}
            size="small"
            icon={<Share2 />}
            {...(part === 'summary' ? {} : { 'aria-haspopup': 'dialog' })}
            onClick={() => (part === 'summary' ? shareSummary(transcription) : onShare())}
          >
            Share
          </Button>
        </>
      ) : null}
      <div className="hidden gap-2.5 lg:flex">
        <Button size="small" variant={hasMainAct ? 'secondary' : 'primary'} onClick={onNewFile}>
          Process New File
        </Button>
        {canAgain ? (
          <DropdownMenu
            trigger={
              <IconButton ref={more} label="More for this result" variant="secondary">
                <Ellipsis />
              </IconButton>
            }
          >
            {again}
          </DropdownMenu>
        ) : null}
      </div>
      <div className="lg:hidden">
        <DropdownMenu
          trigger={
            <Button ref={actions} size="small" icon={<Ellipsis />}>
              Actions
            </Button>
          }
        >
          <MenuItem icon={<Plus />} onSelect={onNewFile}>
            Process New File
          </MenuItem>
          {part !== null && text !== '' ? (
            <>
              <MenuSeparator />
              <MenuItem icon={<Copy />} onSelect={() => copyPart(part, open)}>
                Copy
              </MenuItem>
              <MenuItem icon={<Download />} onSelect={() => void download(part)}>
                Download
              </MenuItem>
            </>
          ) : null}
          {canAgain ? (
            <>
              <MenuSeparator />
              {again}
            </>
          ) : null}
        </DropdownMenu>
      </div>
    </div>
  )
}
