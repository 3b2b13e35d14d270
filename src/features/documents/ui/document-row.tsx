import { Check, ChevronDown, CircleAlert, Download, FileDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { downloadName } from '#shared/file-names.ts'
import { formatDate } from '#shared/format.ts'
import { request, sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { Failure, InlineError } from '#web/ui/inline-error.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'
import { UnknownBar } from '#web/ui/unknown-bar.tsx'
import { WithBars, useVeil } from '#web/ui/with-bars.tsx'

import { exportDocument } from '../calls.ts'
import type { DocumentFormat, GeneratedDocument } from '../contract.ts'
import { toText } from '../markdown.ts'
import { DocumentText } from './document-text.tsx'
import { typeOf } from './documents-in-short.tsx'
import { GoogleDocButton } from './google-doc-button.tsx'
import { useRetryDocument } from './orders.ts'

const PREVIEW_LETTERS = 200

const titleId = ({ id }: Pick<GeneratedDocument, 'id'>): string => `title-of-${id}`

/** Goes to a document that is somewhere below. */
export function showDocument(shown: GeneratedDocument): void {
  const title = document.getElementById(titleId(shown))
  title?.scrollIntoView()
  title?.focus({ preventScroll: true })
}

/**
 * One document: its title and state on the left, its beginning and its buttons on the right.
 */
export function DocumentRow({
  document,
  transcriptionId,
  bestMoments,
}: {
  document: GeneratedDocument
  transcriptionId: string
  bestMoments: ReactNode
}) {
  const { title, template, wordCount, createdAt, status } = document
  const facts = [
    typeOf(document),
    status === 'generated' ? `${wordCount.toLocaleString('en-US')} words` : null,
    formatDate(createdAt),
  ].filter((fact) => fact !== null)
  return (
    <li
      className="grid gap-x-12 gap-y-4 border-b border-rule py-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,8fr)]"
      aria-busy={status === 'generating'}
    >
      <div className="min-w-0">
        <h3
          id={titleId(document)}
          tabIndex={-1}
          className="scroll-mt-(--covered-top) font-display text-h3 font-semibold wrap-anywhere outline-none"
        >
          <WithBars text={title} />
        </h3>
        <p className="mt-0.5 text-small text-ink-2 tabular-nums">{facts.join(' · ')}</p>
        <p className="mt-3 text-small text-ink-2">
          <Status status={status} />
        </p>
        {template ? (
          <details className="mt-3 text-small text-ink-2">
            <summary className="w-fit cursor-pointer py-1 pointer-coarse:py-3">
              Instructions
            </summary>
            <p className="max-w-[66ch] whitespace-pre-line wrap-anywhere">
              {template.instructions}
            </p>
          </details>
        ) : null}
      </div>
      <div className="min-w-0">
        <Inside document={document} transcriptionId={transcriptionId} />
        {document.documentType === 'show-notes' && status === 'generated' ? bestMoments : null}
      </div>
    </li>
  )
}

function Status({ status }: Pick<GeneratedDocument, 'status'>) {
  switch (status) {
    case 'generating':
      return 'generating'
    case 'generated':
      return (
        <span className="inline-flex items-center gap-2">
          <Check size={18} className="text-success" />
          generated
        </span>
      )
    case 'error':
      return (
        <span className="inline-flex items-center gap-2 font-semibold text-danger">
          <CircleAlert size={18} />
          error
        </span>
      )
  }
}

interface InsideProps {
  document: GeneratedDocument
  transcriptionId: string
}

function Inside(props: InsideProps) {
  switch (props.document.status) {
    case 'generating':
      return <Writing />
    case 'generated':
      return <Written {...props} />
    case 'error':
      return <Failed {...props} />
  }
}

function Writing() {
  return (
    <div role="status" className="lg:pt-2">
      <p className="font-semibold">Writing…</p>
      <UnknownBar />
    </div>
  )
}

function Failed({ document: { id, problem, isCreditReturned }, transcriptionId }: InsideProps) {
  const retry = useRetryDocument(transcriptionId)
  return (
    <>
      <InlineError
        action={
          // A text that cannot become this document is not tried again. The sentence below says
          // how to go on.
          problem ? undefined : (
            <Button size="small" pending={retry.isPending} onClick={() => retry.mutate(id)}>
              Try again, free
            </Button>
          )
        }
      >
        Error generating document
      </InlineError>
      <p className="mt-3 text-small text-ink-2">
        {problem ? `${problem} ` : ''}
        {isCreditReturned ? '1 credit was returned. ' : ''}The transcription is not affected.
      </p>
      <Failure error={retry.error} otherwise={sentenceOf(retry.error)} className="mt-2" />
    </>
  )
}

function Written({ document, transcriptionId }: InsideProps) {
  const { id, title, content, note, isCreditReturned } = document
  const { isEmpty } = useVeil()
  const [isOpen, setOpen] = useState(false)
  const can = useCapabilities()
  const text = toText(content)
  const isLong = text.length > PREVIEW_LETTERS
  const save = (format: DocumentFormat) => void download({ document, transcriptionId, format })
  return (
    <>
      <div className="overflow-hidden rounded-panel border border-rule bg-card">
        {isOpen || !isLong ? (
          <div id={`document-${id}`} className="px-5 py-6 sm:px-8">
            <DocumentText content={content} />
          </div>
        ) : (
          <div className="ruled-pad relative py-8 pr-5 pl-9 text-body leading-8! before:absolute before:inset-y-0 before:left-3 before:w-[2.5px] before:bg-playhead sm:pl-16 sm:before:left-9">
            <p dir="auto">
              <WithBars
                text={`${text.slice(0, PREVIEW_LETTERS).replace(/\s+/g, ' ').trimEnd()}…`}
              />
            </p>
          </div>
        )}
      </div>
      {note ? (
        <p className="mt-2.5 text-small text-ink-2">
          {note}
          {isCreditReturned ? ' 1 credit was returned.' : null}
        </p>
      ) : null}
      <div className="mt-4 flex flex-wrap gap-2.5">
        {isLong ? (
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-controls={`document-${id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Show less' : 'Read all'}
          </Button>
        ) : null}
        <CopyButton
          // In another language a name has other forms, which the server knows to hide.
          text={async () =>
            isEmpty
              ? `${title}\n\n${text}\n`
              : (await fetchAs('txt', { document, transcriptionId })).text()
          }
          onCopied={() => toast({ title: 'Copied!' })}
          onFailed={() => toast({ title: 'Could not copy to clipboard', variant: 'destructive' })}
        />
        <Button size="small" icon={<Download />} onClick={() => save('txt')}>
          Download .txt
        </Button>
        <DropdownMenu
          trigger={
            <Button size="small" iconAfter={<ChevronDown className="size-4!" />}>
              Other formats
            </Button>
          }
        >
          {(['docx', 'pdf', 'md'] as const).map((format) => (
            <MenuItem key={format} icon={<FileDown />} onSelect={() => save(format)}>
              {formatNames[format]}
            </MenuItem>
          ))}
        </DropdownMenu>
        {can('googleDocs') ? <GoogleDocButton document={document} /> : null}
      </div>
    </>
  )
}

const formatNames = { docx: 'Word (.docx)', pdf: 'PDF', md: 'Markdown (.md)' } as const

const fetchAs = (format: DocumentFormat, { document, transcriptionId }: InsideProps) =>
  request(exportDocument, {
    params: { id: transcriptionId, documentId: document.id },
    query: { format },
  })

/** Fetches a document as a file and says how it went. */
async function download({
  document,
  transcriptionId,
  format,
}: InsideProps & { format: DocumentFormat }): Promise<void> {
  const name = downloadName(`${document.title}.${format}`)
  try {
    const response = await fetchAs(format, { document, transcriptionId })
    saveFile(await response.blob(), name)
  } catch (error) {
    toastFailure('Failed to download document', sentenceOf(error))
    return
  }
  toast({ title: 'Downloaded!', description: name })
}
