import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { useAuth } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import { SignInAgain } from '#features/account/ui/session-ended.tsx'
import {
  BuyCredits,
  CostsFolded,
  CreditLine,
  CreditRail,
} from '#features/billing/ui/credit-rail.tsx'
import { Newest } from '#features/library/ui/newest.tsx'
import { needsCredits } from '#features/recordings/ui/queries.ts'
import { RecoverNote } from '#features/recordings/ui/recording/recover-note.tsx'
import { PanelPlace, UploadPanel } from '#features/recordings/ui/upload-panel.tsx'
import type { useUpload } from '#features/recordings/ui/use-upload.ts'
import { isWorking, isWorthATry } from '#features/transcriptions/status.ts'
import { AskToCancel, type Cancellable } from '#features/transcriptions/ui/ask-to-cancel.tsx'
import { ConfirmDialog } from '#features/transcriptions/ui/confirm-dialog.tsx'
import type { Face, HeadingRef } from '#features/transcriptions/ui/face.ts'
import { FailedCard } from '#features/transcriptions/ui/failed-card.tsx'
import { ProcessingCard } from '#features/transcriptions/ui/processing-card.tsx'
import {
  retrySentence,
  useCancel,
  useConfirm,
  useRetry,
} from '#features/transcriptions/ui/queries.ts'
import { isBeingWritten } from '#features/transcriptions/ui/so-far.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'
import { useOnFocus } from '#web/use-on-focus.ts'

import type { Several } from './batch/several.ts'
import { BillCard } from './batch/bill-card.tsx'
import { QueueCard } from './batch/queue-card.tsx'
import { FeatureRows } from './feature-rows.tsx'
import { LiveText, TextBeforeFailure } from './live-text.tsx'
import { SharedNote } from './shared-note.tsx'

interface DashboardHomeProps {
  face: Exclude<Face, { kind: 'ready' }>
  openId: string | null
  upload: ReturnType<typeof useUpload>
  /** A file is held over the page. */
  isOver: boolean
  user: { id: string; credits: number }
  headingRef: HeadingRef
  /** Several files and their bill, and what was confirmed together. */
  several: Several
  /** The chosen files: one, or several. */
  onFiles: (files: File[]) => void
  /** Chooses a file again that was removed. */
  onPutBack: (file: File) => void
  onClose: () => void
  onNewFile: () => void
}

/**
 * Everything but the results: the panel with its states, the credits beside it, the library below.
 */
export function DashboardHome(props: DashboardHomeProps) {
  const { face, openId, upload, user, headingRef, several, onClose, onNewFile } = props
  const available = user.credits
  const [asking, setAsking] = useState<Cancellable | null>(null)
  const cancel = useCancel({
    onCancelled: (id) => {
      setAsking(null)
      if (upload.state.kind === 'sent' && upload.state.id === id) upload.clear()
      if (id === openId) onClose()
    },
  })
  const cancelling = cancel.isPending ? cancel.variables.id : null
  const atWork =
    face.kind === 'working' ? [face.job] : face.kind === 'upload' ? (several.queue?.rows ?? []) : []
  const reserved = atWork
    .filter(({ status }) => isWorking(status))
    .reduce((sum, { creditsRequired }) => sum + creditsRequired, 0)
  /** Nobody knows yet how high the list of the files at work is. */
  const isComing = face.kind === 'upload' && several.isComing
  const isGrowing =
    face.kind === 'upload'
      ? isComing ||
        upload.state.kind === 'sending' ||
        (upload.state.kind === 'chosen' && upload.state.failure !== null)
      : face.kind === 'failed'
        ? // What was read of it comes later, and may be long.
          isWorthATry(face.job)
        : face.kind !== 'unloaded'
  const hasOwnHeading = face.kind === 'working' || face.kind === 'failed'
  return (
    <>
      <div
        className={classes(
          'mb-3 flex items-end justify-between gap-4 lg:mb-4.5',
          face.kind === 'failed' && 'max-lg:sr-only',
        )}
      >
        <h1
          ref={hasOwnHeading ? undefined : headingRef}
          tabIndex={-1}
          className="font-display text-app font-semibold"
        >
          Transcribe a recording
        </h1>
        <div className="hidden lg:block">
          <BuyCredits />
        </div>
      </div>
      <div className="gap-12 lg:grid lg:grid-cols-[minmax(0,1fr)_320px] lg:items-start">
        <div
          className={classes(
            'min-w-0',
            // The text grows here, and what stands below it is out of sight from the start.
            face.kind === 'working' && 'min-h-[calc(100dvh-10rem)]',
          )}
        >
          {face.kind === 'upload' && (several.isShown || takesFiles.has(upload.state.kind)) ? (
            <SharedNote onFiles={props.onFiles} />
          ) : null}
          {/* What grows, and what comes from sending to its text, or back to the file where it fails, must push
              nothing that is in view: the library begins below the window. */}
          <div className={isGrowing ? 'min-h-dvh' : undefined}>
            <Panel {...props} setAsking={setAsking} />
          </div>
          {isComing ? null : (
            <>
              <CreditLine available={available} reserved={reserved} />
              <Newest
                openId={openId}
                above={face.kind === 'upload' ? several.inBill : none}
                cancelling={cancelling}
                isLossSaid={face.kind === 'working' && face.lost !== null}
                onCancel={(row) => {
                  if (isWorking(row.status)) setAsking(row)
                  else cancel.mutate(row)
                }}
                onDeleted={(id) => {
                  if (id === openId) onClose()
                }}
              />
            </>
          )}
        </div>
        <CreditRail available={available} reserved={reserved} />
        <CostsFolded />
      </div>
      {(face.kind === 'upload' && !several.isShown) || face.kind === 'confirm' ? (
        <FeatureRows />
      ) : null}
      {face.kind === 'confirm' ? (
        <AskForPrice
          job={face.job}
          available={available}
          isCancelling={cancelling === face.job.id}
          onCancel={() => cancel.mutate(face.job)}
          onGone={onNewFile}
        />
      ) : null}
      <AskToCancel
        row={asking}
        hasText={
          face.kind === 'working' && face.job.id === asking?.id && face.reading.read !== null
        }
        isPending={cancel.isPending}
        onKeep={() => setAsking(null)}
        onCancel={(row) => cancel.mutate(row)}
      />
    </>
  )
}

const none: ReadonlySet<string> = new Set()
/** Where nothing chosen would give way to what was shared. */
const takesFiles: ReadonlySet<string> = new Set(['empty', 'sent'])

function Panel({
  face,
  openId,
  upload,
  isOver,
  user,
  headingRef,
  several,
  onFiles,
  onPutBack,
  onClose,
  onNewFile,
  setAsking,
}: DashboardHomeProps & { setAsking: (row: Cancellable) => void }) {
  const retry = useRetry()
  const panel = { upload, isOver, userId: user.id, onFiles, onPutBack }
  switch (face.kind) {
    case 'upload':
      return (
        <>
          {upload.state.kind === 'empty' && !several.isShown ? (
            <RecoverNote userId={user.id} onFiles={onFiles} />
          ) : null}
          {several.isShown && upload.state.kind !== 'recording' ? null : (
            <UploadPanel {...panel} confirming={null} />
          )}
          {several.batch ? (
            <BillCard
              batch={several.batch}
              of={several.of}
              onPutBack={onPutBack}
              onRecord={several.queue ? null : upload.record}
            />
          ) : null}
          {several.queue ? (
            <QueueCard
              {...several.queue}
              hasBill={several.batch !== null}
              onFiles={onFiles}
              onRecord={upload.record}
              onCancel={setAsking}
              onNewFile={onNewFile}
            />
          ) : several.isComing ? (
            <PanelPlace />
          ) : null}
        </>
      )
    case 'confirm':
      return <UploadPanel {...panel} confirming={face.job.id} />
    case 'loading':
      return <UploadPanel {...panel} confirming={openId} />
    case 'unloaded':
      return <NotOpened face={face} onClose={onClose} />
    case 'working':
      return (
        <>
          <ProcessingCard
            job={face.job}
            readTo={face.reading.read?.readTo ?? 0}
            headingRef={headingRef}
            lost={face.lost}
            onCancel={() => setAsking(face.job)}
            onNewFile={onNewFile}
            onRecord={() => {
              onNewFile()
              upload.record()
            }}
          />
          {face.reading.failed ? (
            <NotLoaded {...face.reading.failed} tone="warn" className="mt-6">
              What was read so far could not be loaded. Your file is still being processed.
            </NotLoaded>
          ) : null}
          {face.reading.read ? (
            <LiveText key={face.job.id} job={face.job} read={face.reading.read} />
          ) : face.reading.failed || !isBeingWritten(face.job.status) ? null : (
            <p className="mt-8 text-ui text-ink-2 sm:mt-9">
              The first words stand here as soon as they are heard.
            </p>
          )}
        </>
      )
    case 'failed': {
      const problem = retrySentence(retry.error)
      return (
        <>
          <FailedCard
            job={face.job}
            readTo={face.reading.read?.isHeldBack === false ? face.reading.read.readTo : null}
            available={user.credits}
            headingRef={headingRef}
            isRetrying={retry.isPending}
            onRetry={() => retry.mutate(face.job)}
            onNewFile={onNewFile}
            retryProblem={
              problem ? (
                <InlineError
                  className="mt-4"
                  action={needsCredits(retry.error) ? <BuyCredits /> : undefined}
                >
                  {problem}
                </InlineError>
              ) : null
            }
          />
          {face.reading.failed ? (
            <NotLoaded {...face.reading.failed} tone="warn" className="mt-6">
              What was read before it failed could not be loaded.
            </NotLoaded>
          ) : null}
          {face.reading.read && face.reading.read.turns.length > 0 ? (
            <TextBeforeFailure key={face.job.id} read={face.reading.read} />
          ) : null}
        </>
      )
    }
  }
}

function NotOpened({
  face,
  onClose,
}: {
  face: Extract<Face, { kind: 'unloaded' }>
  onClose: () => void
}) {
  return (
    <section className="rounded-panel border border-rule bg-card p-4 sm:p-8">
      {face.isGone ? (
        <InlineError
          action={
            <Button size="small" onClick={onClose}>
              Back to the library
            </Button>
          }
        >
          This transcription is not here. It was cancelled or deleted, or it belongs to another
          account.
        </InlineError>
      ) : (
        <NotLoaded isAsking={face.isAsking} askAgain={face.askAgain}>
          Could not load this transcription.
        </NotLoaded>
      )}
    </section>
  )
}

/**
 * The dialog that shows the price of an upload and waits for the answer. The balance is asked again
 * when this tab comes to the front, because credits may have been bought in another tab.
 */
function AskForPrice({
  job,
  available,
  isCancelling,
  onCancel,
  onGone,
}: {
  job: Extract<Face, { kind: 'confirm' }>['job']
  available: number
  isCancelling: boolean
  onCancel: () => void
  onGone: () => void
}) {
  const client = useQueryClient()
  const confirm = useConfirm({ onGone })
  const hasEnded = useAuth().state === 'ended'
  useOnFocus(() => void client.invalidateQueries({ queryKey: userQuery.queryKey }))
  return (
    <ConfirmDialog
      quote={job}
      available={available}
      busy={isCancelling ? 'cancel' : confirm.isPending ? 'confirm' : null}
      problem={
        // The page says the same, but it is hidden behind the dialog.
        hasEnded ? (
          <InlineError className="mt-4" action={<SignInAgain />}>
            Your session has ended. The file is kept.
          </InlineError>
        ) : null
      }
      onConfirm={() => confirm.mutate(job)}
      onCancel={onCancel}
    />
  )
}
