import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { request } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { exportTranscriptions } from '../calls.ts'
import type { ArchiveRequest } from '../contract.ts'
import { fileNameIn, optionsOf } from './export-choice.ts'
import { FormatChoice, useChoice } from './export-formats.tsx'

/** Many transcriptions as one archive, in the format that is chosen here. */
export function ExportManyDialog({
  ids,
  leftOut,
  onClose,
  focusAfter,
}: {
  ids: readonly string[]
  /** Chosen as well, but running or failed: there is nothing of them to export. */
  leftOut: { count: number; names: readonly string[] }
  onClose: () => void
  focusAfter: () => void
}) {
  const [choice, change] = useChoice()
  const save = useMutation({ mutationFn: saveArchive, onSuccess: onClose })
  const isNone = ids.length === 0
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title={isNone ? 'Nothing to export yet' : 'Export'}
      description={
        isNone
          ? 'None of these recordings has a text.'
          : `${inTranscriptions(ids.length)}, one file each, in one ZIP file.`
      }
    >
      {isNone ? null : <FormatChoice choice={choice} onChange={change} />}
      {leftOut.count > 0 && !isNone ? (
        <p className="mt-4 text-small text-ink-2 wrap-anywhere">{leftOutInWords(leftOut)}</p>
      ) : null}
      <Failure error={save.error} otherwise="The file could not be fetched. Please try again." />
      <DialogActions isKept>
        <Button onClick={onClose}>{isNone ? 'Close' : 'Cancel'}</Button>
        {isNone ? null : (
          <Button
            variant="primary"
            icon={<Download />}
            pending={save.isPending}
            onClick={() => save.mutate({ ...optionsOf(choice), ids: [...ids] })}
          >
            Download
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

async function saveArchive(asked: ArchiveRequest): Promise<void> {
  const response = await request(exportTranscriptions, { body: asked })
  const name = fileNameIn(response.headers.get('Content-Disposition')) ?? 'transcriptions.zip'
  saveFile(await response.blob(), name)
  toast({ title: 'Downloaded!', description: name })
}

const inTranscriptions = (count: number): string =>
  count === 1 ? '1 transcription' : `${count.toLocaleString('en-US')} transcriptions`

/** "Left out, because they have no text: a.m4a, b.m4a and 3 more." */
function leftOutInWords({ count, names }: { count: number; names: readonly string[] }): string {
  const because = count === 1 ? 'because it has no text' : 'because they have no text'
  const rest = count - names.length
  const more = rest > 0 ? [`${rest.toLocaleString('en-US')} more`] : []
  return `Left out, ${because}: ${new Intl.ListFormat('en').format([...names, ...more])}.`
}
