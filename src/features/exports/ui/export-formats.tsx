import { Download } from 'lucide-react'
import { useState } from 'react'

import type { Named } from '#features/transcriptions/ui/downloads.ts'
import { request, sentenceOf } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { ExportFormat } from '../contract.ts'
import { exportFormats, formatNames } from '../formats.ts'
import {
  type ExportChoice,
  exportPath,
  fileNameIn,
  keepChoice,
  lastChoice,
} from './export-choice.ts'

const formats = formatNames.map((format) => ({ format, ...exportFormats[format] }))

/** The choice, kept in this browser as soon as it changes. */
function useChoice(): [ExportChoice, (change: Partial<ExportChoice>) => void] {
  const [choice, setChoice] = useState(() => lastChoice())
  return [
    choice,
    (change) => {
      const next = { ...choice, ...change }
      keepChoice(next)
      setChoice(next)
    },
  ]
}

function Options({
  choice,
  onChange,
}: {
  choice: ExportChoice
  onChange: (change: Partial<ExportChoice>) => void
}) {
  const options = [
    ['speakers', 'Speaker names'],
    ['timestamps', 'Times'],
    ['doubt', 'How many words are in doubt'],
    ['summary', 'Summary'],
  ] as const
  return (
    <fieldset className="flex flex-wrap gap-x-7 gap-y-1">
      <legend className="sr-only">What is in the file</legend>
      {options.map(([name, label]) => (
        <Checkbox
          key={name}
          checked={choice[name]}
          onChange={(event) => onChange({ [name]: event.target.checked })}
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  )
}

/** What became of a press on a format: nothing yet, on its way, or why it failed. */
function useExport(named: Named) {
  const [state, setState] = useState<{ busy: ExportFormat | null; problem: string | null }>({
    busy: null,
    problem: null,
  })
  const start = async (choice: ExportChoice): Promise<boolean> => {
    setState({ busy: choice.format, problem: null })
    const problem = await exportFile(named, choice)
    setState({ busy: null, problem })
    return problem === null
  }
  return { ...state, start }
}

/** Every other format, a row and a press each. */
export function MoreFormats({ named }: { named: Named }) {
  const [choice, change] = useChoice()
  const { busy, problem, start } = useExport(named)
  return (
    <section aria-labelledby="more-formats" className="pb-8 lg:max-w-[50rem]">
      <h2 id="more-formats" className="mb-3 font-display text-section font-semibold">
        More formats
      </h2>
      <Options choice={choice} onChange={change} />
      {problem ? <InlineError className="mt-3">{problem}</InlineError> : null}
      <ul className="mt-4 border-t border-rule">
        {formats.map(({ format, name, what }) => (
          <li
            key={format}
            className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-center gap-x-6 border-b border-rule py-3"
          >
            <h3 className="font-sans text-ui font-[650]">{name}</h3>
            <p className="text-ui text-ink-2">{what}</p>
            <Button
              size="small"
              aria-label={`Download ${name}`}
              icon={<Download />}
              pending={busy === format}
              onClick={() => {
                change({ format })
                void start({ ...choice, format })
              }}
            >
              <span className="max-sm:sr-only">Download</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The same choice as a dialog, for a result that is not open. */
export function ExportDialog({
  named,
  onClose,
  focusAfter,
}: {
  named: Named
  onClose: () => void
  focusAfter?: () => void
}) {
  const [choice, change] = useChoice()
  const { busy, problem, start } = useExport(named)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Export"
      description={<span className="wrap-anywhere">{named.originalName}</span>}
    >
      <fieldset className="mt-4 border-t border-rule">
        <legend className="sr-only">Format</legend>
        {formats.map(({ format, name, what }) => (
          <label
            key={format}
            className="grid min-h-11 cursor-pointer grid-cols-[20px_3rem_minmax(0,1fr)] items-center gap-x-3 border-b border-rule py-1.5"
          >
            <input
              type="radio"
              name="export-format"
              checked={choice.format === format}
              onChange={() => change({ format })}
              className="size-5 appearance-none rounded-full border border-line bg-card checked:border-[6px] checked:border-primary"
            />
            <span className="font-[650]">{name}</span>
            <span className="text-small text-ink-2">{what}</span>
          </label>
        ))}
      </fieldset>
      <div className="mt-3">
        <Options choice={choice} onChange={change} />
      </div>
      {problem ? <InlineError className="mt-3">{problem}</InlineError> : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={<Download />}
          pending={busy !== null}
          onClick={() =>
            void start(choice).then((isDone) => {
              if (isDone) onClose()
              return isDone
            })
          }
        >
          Download
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Fetches an export as a file; why it failed, or null when it is there. */
async function exportFile(
  { id, originalName }: Named,
  choice: ExportChoice,
): Promise<string | null> {
  try {
    const response = await request('GET', exportPath(id, choice))
    const name =
      fileNameIn(response.headers.get('Content-Disposition')) ?? `${originalName}.${choice.format}`
    saveFile(await response.blob(), name)
    toast({ title: 'Downloaded!', description: name })
    return null
  } catch (error) {
    return sentenceOf(error, 'The file could not be fetched. Please try again.')
  }
}
