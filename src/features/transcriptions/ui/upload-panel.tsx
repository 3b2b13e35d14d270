import { InlineError } from '#web/ui/inline-error.tsx'
import { clearToast } from '#web/ui/toast.tsx'

import { ChosenFile } from './chosen-file.tsx'
import { BuyCredits } from './credit-rail.tsx'
import { DropArea } from './drop-area.tsx'
import { SendingNotice } from './sending-notice.tsx'
import type { useUpload } from './use-upload.ts'

/** Choosing a file, its options, and its way to the server, one after the other in one place. */
export function UploadPanel({
  upload,
  confirming,
}: {
  upload: ReturnType<typeof useUpload>
  /** The upload whose price is being asked; its file stays in view behind the dialog. */
  confirming: string | null
}) {
  const { state } = upload
  if (state.kind === 'sending')
    return (
      <SendingNotice file={state.file} sent={state.sent} onCancel={() => upload.stop(state.file)} />
    )
  if (state.kind === 'chosen' || (state.kind === 'sent' && state.id === confirming))
    return (
      <ChosenFile
        file={state.file}
        language={upload.language}
        onLanguage={upload.setLanguage}
        onRemove={() => {
          clearToast()
          upload.clear()
        }}
        onStart={() => upload.start(state.file)}
        problem={
          state.kind === 'chosen' && state.failure ? (
            <InlineError
              className="mb-5"
              action={state.failure.needsCredits ? <BuyCredits /> : undefined}
            >
              {state.failure.message}
            </InlineError>
          ) : null
        }
      />
    )
  return (
    <DropArea
      problem={state.kind === 'empty' ? state.problem : null}
      isBack={state.kind === 'empty' && state.isBack}
      onFile={(file) => {
        clearToast()
        upload.choose(file)
      }}
      onProblem={(problem) => {
        clearToast()
        upload.refuse(problem)
      }}
    />
  )
}
