import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import { counted } from '#shared/format.ts'
import { Dialog } from '#web/ui/dialog.tsx'

import { ExportPanel, useChoice } from './export-panel.tsx'
import { filmOf } from './menu.ts'
import { takeMany, takeOne } from './take.ts'

const wide = 'sm:w-[min(60rem,calc(100vw-2rem))]'
const columns = 'mt-5 lg:grid-cols-[210px_minmax(0,1fr)_264px] lg:gap-x-7'

interface Closing {
  onClose: () => void
  focusAfter?: () => void
}

/** The Export of a result that is not open. */
export function ExportDialog({ named: row, ...closing }: Closing & { named: TranscriptionRow }) {
  const { id, originalName, wordCount, wordsInDoubt, recordingKeptUntil, duration } = row
  const [choice, change] = useChoice(id, row.filmStart)
  return (
    <Dialog
      open
      onOpenChange={closing.onClose}
      focusAfter={closing.focusAfter}
      title="Export"
      isHeadKept
      className={wide}
      description={<span className="wrap-anywhere">{originalName}</span>}
    >
      <ExportPanel
        id={id}
        className={columns}
        known={{
          originalName,
          hasText: wordCount !== 0,
          hasChapters: null,
          hasRecording: recordingKeptUntil !== null,
          isDoubtKnown: wordsInDoubt !== null,
          ...filmOf(row),
        }}
        {...(duration === null ? {} : { durationS: duration })}
        choice={choice}
        onChange={change}
        take={(taken) => takeOne(row, taken)}
        onTaken={closing.onClose}
      />
    </Dialog>
  )
}

/** Many transcriptions as one archive; of the first it is shown how its file begins. */
export function ExportManyDialog({
  ids,
  leftOut,
  onClose,
  focusAfter,
}: Closing & {
  ids: readonly string[]
  /** Chosen as well, but running or failed: there is nothing of them to export. */
  leftOut: { count: number; names: readonly string[] }
}) {
  const [choice, change] = useChoice('many')
  const [first] = ids
  if (first === undefined)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        focusAfter={focusAfter}
        title="Nothing to export yet"
        description="None of these recordings has a text."
      >
        {null}
      </Dialog>
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Export"
      isHeadKept
      className={wide}
      description={`${counted(ids.length, 'transcription')}, one file each, in one ZIP file.`}
    >
      <ExportPanel
        id={first}
        isMany
        className={columns}
        // Some of them may have what the first has not.
        known={{
          originalName: '',
          hasText: true,
          hasChapters: null,
          hasRecording: false,
          isFilm: true,
          isPictureKept: false,
          isDoubtKnown: true,
        }}
        choice={choice}
        onChange={change}
        take={(taken) => takeMany(ids, taken)}
        onTaken={onClose}
        below={
          leftOut.count > 0 ? (
            <p className="text-small wrap-anywhere text-ink-2">{leftOutInWords(leftOut)}</p>
          ) : null
        }
      />
    </Dialog>
  )
}

/** "Left out, because they have no text: a.m4a, b.m4a and 3 more." */
function leftOutInWords({ count, names }: { count: number; names: readonly string[] }): string {
  const because = count === 1 ? 'because it has no text' : 'because they have no text'
  const rest = count - names.length
  const more = rest > 0 ? [`${rest.toLocaleString('en-US')} more`] : []
  return `Left out, ${because}: ${new Intl.ListFormat('en').format([...names, ...more])}.`
}
