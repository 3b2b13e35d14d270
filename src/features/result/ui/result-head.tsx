import { ChevronLeft, Download, Ellipsis, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { copyOf, shareSummary } from '#features/exports/ui/share.ts'
import { type Open, failedCopy, textOf } from '#features/exports/ui/text-of.ts'
import { libraryBehind } from '#features/library/ui/library-address.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import { RecordingNote } from '#features/transcriptions/ui/recording-note.tsx'
import { RenameButton } from '#features/transcriptions/ui/rename-dialog.tsx'
import { formatDate, languageName } from '#shared/format.ts'
import { recordedDay } from '#shared/recorded.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DotLine } from '#web/ui/dot-line.tsx'
import { DropdownMenu } from '#web/ui/dropdown-menu.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

import { type MenuDialog, type ResultActs, ResultItems, ResultQuestion } from './result-menu.tsx'

interface ActionsProps {
  open: Open
  /** Until when the text from before is kept; null where there is none. */
  keptUntil: string | null
  /** The text in view, which can be copied; null where the tab shows none. */
  part: Part | null
  /** The tab has its own button for the next file. */
  isExport: boolean
  /** Another button is the main one of the screen, so "next file" is not shown as such. */
  hasMainAct: boolean
  acts: ResultActs
}

/** The head of a result, above its tabs: the way back, its name, its facts and its actions. */
export function ResultHead({ headingRef, ...actions }: ActionsProps & { headingRef: HeadingRef }) {
  const { transcription } = actions.open
  return (
    <>
      <button
        type="button"
        className="sr-only bg-card font-semibold focus:not-sr-only focus:fixed! focus:top-2 focus:left-4 focus:z-[70] focus:p-3!"
        onClick={goToPlayer}
      >
        Skip to the player
      </button>
      <Crumbs name={transcription.originalName} />
      <div className="flex items-start gap-x-4 lg:items-end lg:gap-x-6">
        <div className="min-w-0 flex-1">
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
              <RenameButton row={transcription} className="-my-1" />
            </div>
            {transcription.isSample ? <Badge>Sample · As it was heard</Badge> : null}
          </div>
          <MetaLine transcription={transcription} />
        </div>
        <Actions {...actions} />
      </div>
    </>
  )
}

/** Without a recording it has no button, and says why. */
function goToPlayer(): void {
  const player = document.querySelector<HTMLElement>('#player')
  ;(player?.querySelector('button') ?? player)?.focus()
}

function Crumbs({ name }: { name: string }) {
  const library = libraryBehind(useLocation().search)
  return (
    <nav aria-label="Breadcrumb" className="text-small text-ink-2 lg:mb-1 print:hidden">
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
  const { duration, wordCount, language, speakers, recordedAt } = transcription
  const day = recordedDay(recordedAt)
  const facts = [
    wordCount === null
      ? null
      : `${wordCount.toLocaleString('en-US')} ${wordCount === 1 ? 'word' : 'words'}`,
    language === null ? null : languageName(language),
    speakers.length === 0
      ? null
      : `${speakers.length} ${speakers.length === 1 ? 'speaker' : 'speakers'}`,
    day === undefined ? null : `Recorded ${formatDate(`${day}T00:00:00Z`, 'UTC')}`,
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
 * Copies, downloads and shares the text in view, and starts with the next file; a menu holds the
 * rest, and on phones all of it. What a tab has not keeps its place, so that nothing moves between
 * the tabs.
 */
function Actions({ open, keptUntil, part, isExport, hasMainAct, acts }: ActionsProps) {
  const { transcription } = open
  const [isDownloading, setDownloading] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const [asked, setAsked] = useState<MenuDialog | null>(null)
  const shown = part !== null && textOf(part, transcription) !== '' ? part : null
  /** The buttons that are out of sight need one too. */
  const given = shown ?? 'transcription'
  const download = async (part: Part) => {
    setDownloading(true)
    await downloadResult(part, transcription)
    setDownloading(false)
  }
  const shareShown = (from: HTMLElement) =>
    shown === 'summary' ? shareSummary(transcription) : acts.onShare(from)
  return (
    <div className="flex shrink-0 gap-2.5 print:hidden">
      <div className={classes('hidden gap-2.5 lg:flex', shown === null && 'invisible')}>
        <CopyButton
          key={part}
          text={() => copyOf(given, open)}
          copiedLabel="Copied"
          onCopied={() => toast({ title: 'Copied to clipboard' })}
          onFailed={() => toast({ title: failedCopy[given], variant: 'destructive' })}
        />
        <Button
          size="small"
          icon={<Download />}
          pending={isDownloading}
          onClick={() => void download(given)}
        >
          Download
        </Button>
        <Button
          size="small"
          icon={<Share2 />}
          {...(shown === 'summary' ? {} : { 'aria-haspopup': 'dialog' })}
          onClick={({ currentTarget }) => shareShown(currentTarget)}
        >
          Share
        </Button>
      </div>
      <Button
        size="small"
        className={classes('max-lg:hidden', isExport && 'invisible')}
        variant={hasMainAct ? 'secondary' : 'primary'}
        onClick={acts.onNewFile}
      >
        Process New File
      </Button>
      <DropdownMenu
        trigger={
          <IconButton ref={more} label="More for this result" variant="secondary">
            <Ellipsis />
          </IconButton>
        }
      >
        <ResultItems
          {...{ open, keptUntil, isExport }}
          acts={{ ...acts, onShare: shareShown }}
          from={more}
          part={shown}
          onDownload={download}
          onAsked={setAsked}
        />
      </DropdownMenu>
      {asked ? (
        <ResultQuestion
          {...{ asked, open, keptUntil }}
          onClose={() => setAsked(null)}
          focusAfter={() => more.current?.focus()}
        />
      ) : null}
    </div>
  )
}
