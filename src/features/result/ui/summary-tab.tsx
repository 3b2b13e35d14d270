import { Pencil, RefreshCw } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link } from 'react-router'

import { ActionItems } from '#features/action-items/ui/action-items.tsx'
import { DocumentsInShort } from '#features/documents/ui/documents-in-short.tsx'
import { doubtSentence, isWorthSaying } from '#features/text/words-in-doubt.ts'
import { noteWithModel, summaryHeading } from '#features/transcriptions/summary-text.ts'
import { useChangeSummary } from '#features/transcriptions/ui/own-summary.ts'
import { useBringBack, useCanWriteAgain } from '#features/transcriptions/ui/summary-again.ts'
import type { Job } from '#features/transcriptions/ui/queries.ts'
import { LONGEST_SUMMARY } from '#shared/business.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { WithBars } from '#web/ui/with-bars.tsx'

import { KeyPoints } from './key-points.tsx'
import { useReadingKeys } from './keys/use-reading-keys.ts'
import { OwnForm } from './own-form.tsx'
import type { Result } from './result.ts'

/** With fewer words there is nothing to sum up. */
const FEWEST_WORDS = 60

/** The summary and its key points; beside them what is to be done, the topics and the documents. */
export function SummaryTab({
  result,
  onClip,
}: {
  result: Result
} & Pick<ComponentProps<typeof KeyPoints>, 'onClip'>) {
  const { text, sound } = result
  const { transcription } = text
  const { topics } = transcription
  const reader = { ...text, player: sound.player }
  useReadingKeys({
    'edit-turn': () => {
      const { activeElement } = document
      const near = activeElement?.closest('li, section') ?? document.querySelector('#of-summary')
      const change = near?.querySelector<HTMLElement>('[data-change]')
      change?.click()
      return change !== null && change !== undefined
    },
  })
  return (
    <div className="gap-x-10 pt-2.5 pb-8 sm:pt-6 lg:grid lg:grid-cols-[minmax(0,1fr)_clamp(280px,31vw,400px)]">
      <div className="min-w-0 max-w-[720px]">
        <Summary result={result} />
        <KeyPoints {...{ result, onClip }} />
      </div>
      <div className="min-w-0 space-y-9 pt-8 lg:pt-0">
        <ActionItems reader={reader} />
        {topics.length > 0 ? (
          <section aria-labelledby="topics">
            <h2 id="topics" className="mb-2.5 font-display text-h3 font-semibold">
              Topics covered
            </h2>
            <ul className="flex flex-wrap gap-2">
              {topics.map((topic) => (
                <li
                  key={topic}
                  dir="auto"
                  className="rounded-badge border border-rule px-3 py-1 text-small leading-5! wrap-anywhere"
                >
                  <WithBars text={topic} />
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        <DocumentsInShort id={transcription.id} />
      </div>
    </div>
  )
}

/** The text, and under it how it was made; or why there is none. */
function Summary({ result: { text, view } }: { result: Result }) {
  const { transcription } = text
  const { summaryKind, summaryPending, keyPoints, wordCount } = transcription
  const canWrite = useCanWriteAgain(transcription)
  const summary = transcription.summary?.trim() ?? ''
  const isEmpty = summary === '' && keyPoints.length === 0
  const isWritten = summaryKind === 'summary' && summary !== ''
  const isNew = endOnThisVisit(transcription) === 'written'
  const [isChanging, setChanging] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const save = useChangeSummary(transcription.id)
  const endChanging = () => {
    flushSync(() => setChanging(false))
    change.current?.focus()
  }
  const onWrite = (from: HTMLElement) => view.open({ kind: 'write-again' }, from)
  if (isEmpty && !summaryPending)
    return <None wordCount={wordCount} onWrite={canWrite ? onWrite : null} />
  const note = <Note text={text} onWrite={canWrite && !isWritten ? onWrite : null} />
  if (summary === '') return note
  return (
    <section
      id="of-summary"
      aria-labelledby="summary"
      className="group grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2"
    >
      <h2
        id="summary"
        className={classes(
          'font-display text-section font-semibold',
          // On a phone the tab has just said it.
          isWritten && 'max-sm:sr-only',
        )}
      >
        {summaryHeading(transcription)}
      </h2>
      <div
        className={classes(
          '-mr-3 flex sm:-my-2 sm:-mr-3.5 print:hidden',
          // On a phone, where the heading is not to be seen, they are beside the note.
          isWritten && 'max-sm:col-start-2 max-sm:row-start-2',
        )}
      >
        {isChanging ? null : (
          <IconButton
            ref={change}
            label="Change the summary"
            data-change
            // As the pencil of a turn: it is there for whoever is near.
            className="group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0"
            onClick={() => setChanging(true)}
          >
            <Pencil />
          </IconButton>
        )}
        {canWrite && isWritten ? (
          <Button
            size="small"
            variant="quiet"
            icon={<RefreshCw />}
            aria-haspopup="dialog"
            className="max-sm:px-3!"
            onClick={({ currentTarget }) => onWrite(currentTarget)}
          >
            <span className="max-sm:sr-only">Write it again</span>
          </Button>
        ) : null}
      </div>
      {isChanging ? (
        <div className="col-span-full sm:mt-1.5">
          <OwnForm
            label="Text of the summary"
            text={summary}
            most={LONGEST_SUMMARY}
            rows={8}
            isSaving={save.isPending}
            error={save.error}
            onSave={(text) => save.mutate({ summary: text, onShown: endChanging })}
            onCancel={endChanging}
          />
        </div>
      ) : (
        <div
          key={summary}
          dir="auto"
          className={classes(
            'col-span-full space-y-3 text-reading max-sm:text-body sm:mt-1.5',
            isNew && 'animate-fade-in',
          )}
        >
          {summary.split(/\n+/).map((paragraph, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- paragraphs have no identity but their place
            <p key={index}>
              <WithBars text={paragraph} />
            </p>
          ))}
        </div>
      )}
      <div className={classes(isWritten ? 'sm:col-span-full' : 'col-span-full')}>{note}</div>
    </section>
  )
}

function None({
  wordCount,
  onWrite,
}: {
  wordCount: number | null
  /** Null where it cannot be written. */
  onWrite: ((from: HTMLElement) => void) | null
}) {
  if (!wordCount || wordCount >= FEWEST_WORDS) {
    const action = onWrite ? (
      <Button
        icon={<RefreshCw />}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onWrite(currentTarget)}
      >
        Write it again
      </Button>
    ) : null
    return <EmptyPad text="No summary available" action={action} />
  }
  return (
    <EmptyPad
      text={
        <>
          Too short to sum up. It is all on{' '}
          <Link
            to={{ search: window.location.search, hash: '#transcription' }}
            className="text-link"
          >
            Transcription
          </Link>
          .
        </>
      }
    />
  )
}

const NOT_BETTER = 'The new one was not good enough, so the one before stays.'
const GIVEN_UP = 'No language model has answered, so the one before stays.'

/** What came of writing it again, if that was seen on this visit. */
const endOnThisVisit = ({ summaryPending, summaryAgain, writingSinceMs }: Job) =>
  summaryPending || writingSinceMs === undefined ? undefined : summaryAgain?.status

/** How the text was made; or that another one is written, and what came of it on this visit. */
function Note({
  text: { transcription, doubt },
  onWrite,
}: {
  text: Result['text']
  /** Where the note says that no model has written it: asks for one that does. */
  onWrite: ((from: HTMLElement) => void) | null
}) {
  const can = useCapabilities()
  const { summaryNote, summaryPending, summaryAgain, summaryChanged = [] } = transcription
  const ended = endOnThisVisit(transcription)
  return (
    <div id="summary-note" tabIndex={-1} className="mt-2.5 text-fine text-ink-2 outline-none">
      <span role="status">
        {summaryPending ? (
          <Pending>
            {summaryAgain?.status === 'writing'
              ? 'A new one is being written…'
              : 'A better summary is being written.'}
          </Pending>
        ) : ended === 'not_better' ? (
          `${NOT_BETTER} `
        ) : ended === 'given_up' ? (
          `${GIVEN_UP} `
        ) : null}
      </span>
      {summaryPending || !summaryNote ? null : (
        <>
          {can('summaryLanguages') ? noteWithModel(summaryNote) : summaryNote}{' '}
          {isWorthSaying(doubt) ? `${doubtSentence(doubt, { of: ' of the transcript' })} ` : null}
        </>
      )}
      {summaryChanged.length > 0 && !summaryPending ? (
        <ShowWritten id={transcription.id} isNew={ended === 'written'} />
      ) : ended === 'written' && summaryAgain?.canGoBack ? (
        <BringBack id={transcription.id} />
      ) : null}
      {onWrite ? (
        <NoteButton aria-haspopup="dialog" onClick={({ currentTarget }) => onWrite(currentTarget)}>
          Write it again
        </NoteButton>
      ) : null}
    </div>
  )
}

const NoteButton = (props: ComponentProps<'button'>) => (
  <button
    {...props}
    type="button"
    // There is more to hit than what is drawn, so that the lines of the note stay together.
    className="relative font-semibold text-link after:absolute after:-inset-x-1 after:-inset-y-3 after:content-[''] print:hidden"
  />
)

/** What its owner has changed stands over what was written, and gives way to it when they say so. */
function ShowWritten({ id, isNew }: { id: string; isNew: boolean }) {
  const change = useChangeSummary(id)
  const onShown = () => document.querySelector<HTMLElement>('#summary-note')?.focus()
  const told = { title: 'Shown as it was written' }
  return (
    <>
      Changed by you.{' '}
      <NoteButton
        aria-busy={change.isPending || undefined}
        onClick={() => {
          if (!change.isPending) change.mutate({ summary: null, keyPoints: null, told, onShown })
        }}
      >
        {isNew ? 'Show the new one' : 'Show it as it was written'}
      </NoteButton>
      <Failure error={change.error} className="mt-2" />
    </>
  )
}

function BringBack({ id }: { id: string }) {
  const back = useBringBack(id, {
    onBack: () => document.querySelector<HTMLElement>('#summary-note')?.focus(),
  })
  return (
    <NoteButton
      aria-busy={back.isPending || undefined}
      onClick={() => {
        if (!back.isPending) back.mutate()
      }}
    >
      Back to the one before
    </NoteButton>
  )
}

/** Says that what stands here is for the time being. */
function Pending({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-center gap-2.5">
      <span aria-hidden="true" className="h-3.5 w-0.5 flex-none animate-breathe bg-playhead" />
      {children}
    </span>
  )
}
