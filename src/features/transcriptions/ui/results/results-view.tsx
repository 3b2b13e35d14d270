import { ChevronLeft, Copy, Download, Ellipsis, Plus, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { languageName } from '#shared/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DotLine } from '#web/ui/dot-line.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Transcription } from '../../contract.ts'
import { summaryAsText } from '../../summary-text.ts'
import { parseSegments, voicesOf } from '../segments.ts'
import type { HeadingRef } from '../face.ts'
import { RecordingNote } from '../recording-note.tsx'
import { type Part, downloadResult } from './downloads.ts'
import { ExportTab } from './export-tab.tsx'
import { copyText, shareText } from './share.ts'
import { SpeakersTab } from './speakers-tab.tsx'
import { SummaryTab } from './summary-tab.tsx'
import { TranscriptionTab } from './transcription-tab.tsx'

const tabNames = ['transcription', 'summary', 'speakers', 'export'] as const
type TabName = (typeof tabNames)[number]

/** A finished transcription. The tab lies in the hash, the moment it was opened at in `at`. */
export function ResultsView({
  transcription,
  headingRef,
  onNewFile,
}: {
  transcription: Transcription
  headingRef: HeadingRef
  onNewFile: () => void
}) {
  const [tab, setTab] = useTab()
  const at = useAt()
  const segments = parseSegments(transcription.speakerSegments)
  const voices = voicesOf(segments)
  return (
    <>
      <Crumbs name={transcription.originalName} />
      <div className="flex items-start gap-x-6 gap-y-4 lg:flex-wrap lg:items-end lg:justify-between">
        <div className="min-w-0 flex-1 lg:flex-auto">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1
              ref={headingRef}
              tabIndex={-1}
              className="font-sans text-file font-[650] text-wrap wrap-anywhere"
            >
              {transcription.originalName}
            </h1>
            {transcription.isSample ? <Badge>Sample · Corrected by hand</Badge> : null}
          </div>
          <MetaLine transcription={transcription} />
        </div>
        <Actions transcription={transcription} tab={tab} onNewFile={onNewFile} />
      </div>
      <Tabs
        label="Results"
        className="mt-4"
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'transcription',
            label: 'Transcription',
            panel: <TranscriptionTab {...{ transcription, segments, voices, at }} />,
          },
          {
            value: 'summary',
            label: 'Summary',
            panel: <SummaryTab {...{ transcription, segments, voices }} />,
          },
          {
            value: 'speakers',
            label: 'Speakers',
            panel: <SpeakersTab {...{ transcription, segments, voices }} />,
          },
          {
            value: 'export',
            label: 'Export',
            panel: <ExportTab {...{ transcription, onNewFile }} />,
          },
        ]}
      />
    </>
  )
}

function useTab(): [TabName, (tab: TabName) => void] {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const tab = tabNames.find((name) => `#${name}` === hash) ?? 'transcription'
  return [
    tab,
    (tab) =>
      void navigate({ search, hash: `#${tab}` }, { replace: true, preventScrollReset: true }),
  ]
}

function useAt(): number | null {
  const [params] = useSearchParams()
  const at = Number(params.get('at') ?? Number.NaN)
  return Number.isFinite(at) ? at : null
}

function Crumbs({ name }: { name: string }) {
  return (
    <nav aria-label="Breadcrumb" className="text-small text-ink-2 lg:mb-2">
      <Link
        to={{ search: '', hash: '' }}
        className="-mt-4 -mb-1 inline-flex min-h-11 items-center gap-2.5 hover:underline lg:hidden"
      >
        <ChevronLeft aria-hidden="true" size={16} strokeWidth={1.75} />
        Library
      </Link>
      <ol className="hidden items-baseline gap-2.5 lg:flex">
        <li>
          <Link to={{ search: '', hash: '' }} className="hover:underline">
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
    </div>
  )
}

const failedCopy: Record<Part, string> = {
  transcription: 'Failed to copy transcription to clipboard',
  summary: 'Failed to copy summary to clipboard',
}

/** Copy, Download and Share of the tab in view; there is nothing to copy where there is no text. */
function Actions({
  transcription,
  tab,
  onNewFile,
}: {
  transcription: Transcription
  tab: TabName
  onNewFile: () => void
}) {
  const [isDownloading, setDownloading] = useState(false)
  const part = tab === 'transcription' || tab === 'summary' ? tab : null
  const text = part === null ? '' : textOf(part, transcription)
  const download = async (part: Part) => {
    setDownloading(true)
    await downloadResult(part, transcription)
    setDownloading(false)
  }
  const share = () => void shareText({ title: transcription.originalName, text })
  if (tab === 'export') return null
  return (
    <>
      <div className="hidden flex-wrap gap-2.5 lg:flex">
        {part !== null && text !== '' ? (
          <>
            <CopyButton
              key={part}
              text={text}
              copiedLabel="Copied"
              onCopied={() => toast({ title: 'Copied to clipboard' })}
              onFailed={() => toast({ title: failedCopy[part], variant: 'destructive' })}
            />
            <Button
              size="small"
              icon={<Download aria-hidden="true" strokeWidth={1.75} />}
              pending={isDownloading}
              onClick={() => void download(part)}
            >
              Download
            </Button>
            <Button
              size="small"
              icon={<Share2 aria-hidden="true" strokeWidth={1.75} />}
              onClick={share}
            >
              Share
            </Button>
          </>
        ) : null}
        <Button size="small" variant="primary" onClick={onNewFile}>
          Process New File
        </Button>
      </div>
      <div className="lg:hidden">
        <DropdownMenu
          trigger={
            <IconButton label="Actions" variant="secondary" size="medium">
              <Ellipsis aria-hidden="true" strokeWidth={1.75} />
            </IconButton>
          }
        >
          <MenuItem icon={<Plus aria-hidden="true" strokeWidth={1.75} />} onSelect={onNewFile}>
            Process New File
          </MenuItem>
          {part !== null && text !== '' ? (
            <>
              <MenuSeparator />
              <MenuItem
                icon={<Copy aria-hidden="true" strokeWidth={1.75} />}
                onSelect={() => void copyText(text, failedCopy[part])}
              >
                Copy
              </MenuItem>
              <MenuItem
                icon={<Download aria-hidden="true" strokeWidth={1.75} />}
                onSelect={() => void download(part)}
              >
                Download
              </MenuItem>
              <MenuItem icon={<Share2 aria-hidden="true" strokeWidth={1.75} />} onSelect={share}>
                Share
              </MenuItem>
            </>
          ) : null}
        </DropdownMenu>
      </div>
    </>
  )
}

function textOf(part: Part, transcription: Transcription): string {
  return part === 'summary'
    ? summaryAsText(transcription)
    : (transcription.transcriptionText?.trim() ?? '')
}
