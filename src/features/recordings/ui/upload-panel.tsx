import { useQuery } from '@tanstack/react-query'

import { useAuth } from '#features/account/ui/auth.tsx'
import { userQuery } from '#features/account/ui/queries.ts'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { forgetShared, passShared } from '#web/shared-origin.ts'
import { InlineError } from '#web/ui/inline-error.tsx'
import { clearToast } from '#web/ui/toast.tsx'

import { ChosenFile } from './chosen-file.tsx'
import { DropArea } from './drop-area.tsx'
import { ExtractOffer } from './extract-offer.tsx'
import { LeftNote } from './left-note.tsx'
import { RecordPanel } from './recording/record-panel.tsx'
import { SendingNotice } from './sending-notice.tsx'
import type { useUpload } from './use-upload.ts'

/** Choosing a file, its options, and its way to the server, one after the other in one place. */
export function UploadPanel({
  upload,
  userId,
  isOver,
  confirming,
  onFiles,
  onPutBack,
}: {
  upload: ReturnType<typeof useUpload>
  userId: string
  /** A file is held over the page. */
  isOver: boolean
  /** The upload whose price is being asked; its file stays in view behind the dialog. */
  confirming: string | null
  /** The chosen files: one, or several. */
  onFiles: (files: File[]) => void
  /** Chooses a file again that was removed, also from another page. */
  onPutBack: (file: File) => void
}) {
  const { state } = upload
  const hasEnded = useAuth().state === 'ended'
  const { dataUpdatedAt } = useQuery(userQuery)
  if (state.kind === 'sending')
    return (
      <SendingNotice file={state.file} sent={state.sent} onCancel={() => upload.stop(state.file)} />
    )
  if (state.kind === 'chosen' || (state.kind === 'sent' && state.id === confirming))
    return (
      <ChosenFile
        file={state.file}
        upload={upload}
        onRemove={() => {
          clearToast()
          // First it leaves the browser, or what looks for shared files would bring it back.
          void forgetShared(state.file).finally(upload.clear)
        }}
        onPutBack={() => onPutBack(state.file)}
        problem={
          state.kind === 'chosen' &&
          state.failure &&
          // It stands here until somebody is found to be signed in after it failed.
          (hasEnded || !state.failure.needsSignIn || dataUpdatedAt < state.failure.atMs) ? (
            <InlineError
              className="basis-full"
              action={state.failure.needsCredits ? <BuyCredits /> : undefined}
            >
              {state.failure.message}
            </InlineError>
          ) : null
        }
      />
    )
  if (state.kind === 'recording')
    return (
      <RecordPanel
        userId={userId}
        onFiles={(recorded) => {
          if (upload.sending) upload.endRecording()
          else upload.clear()
          onFiles([...upload.chosen, ...recorded])
        }}
        onAgain={upload.record}
        onClose={upload.endRecording}
      />
    )
  const video = state.kind === 'empty' ? state.video : null
  return (
    <>
      <LeftNote userId={userId} />
      <DropArea
        problem={state.kind === 'empty' ? state.problem : null}
        help={
          video ? (
            <ExtractOffer
              video={video}
              onFile={(sound) => {
                passShared(video, sound)
                upload.choose(sound)
              }}
            />
          ) : null
        }
        isBack={state.kind === 'empty' && state.isBack}
        isOver={isOver}
        onFiles={onFiles}
        onRecord={upload.record}
      />
    </>
  )
}

/** Holds the place of the panel. */
export function PanelPlace() {
  return <div className="rounded-panel border border-rule bg-card min-h-[270px]" />
}
