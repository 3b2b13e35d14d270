import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import type { Named } from '#features/transcriptions/ui/downloads.ts'
import type { TranslationLanguage } from '#features/translations/contract.ts'
import { translationsQuery } from '#features/translations/ui/queries.ts'
import { languageName } from '#shared/format.ts'
import { addressOf } from '#shared/call.ts'
import { request } from '#web/api.ts'
import { saveFile } from '#web/save-file.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'

import { exportRecording, exportTranscription } from '../calls.ts'
import type { ExportFormat } from '../contract.ts'
import {
  type CaptionProfile,
  exportFormats,
  formatGroups,
  formatNames,
  frameRates,
  honours,
} from '../formats.ts'
import { CaptionsCheck } from './captions-check.tsx'
import {
  type ExportChoice,
  exportQuery,
  fileNameIn,
  keepChoice,
  lastChoice,
} from './export-choice.ts'

type Change = (change: Partial<ExportChoice>) => void

/** The choice, kept in this browser as soon as it changes. */
export function useChoice(): [ExportChoice, Change] {
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

/** Of the recording; where it cannot be told, there is nothing to choose. */
interface Known {
  isDoubtKnown?: boolean | undefined
  hasChapters?: boolean | undefined
}

const boxes = [
  ['speakers', 'Speaker names'],
  ['timestamps', 'Times'],
  ['doubt', 'How many words are in doubt'],
  ['summary', 'Summary'],
  ['chapters', 'Chapters'],
] as const

/** The options that a file of this format honours. */
function Options({
  format,
  legend = 'What is in the file',
  choice,
  onChange,
  isDoubtKnown = true,
  hasChapters = true,
}: Known & { format: ExportFormat; legend?: string; choice: ExportChoice; onChange: Change }) {
  const asks = {
    // A marker of a key point names nobody.
    speakers: !honours(format, 'markers') || choice.markers === 'turns',
    timestamps: true,
    doubt: isDoubtKnown,
    summary: true,
    chapters: hasChapters,
  }
  const options = boxes.filter(([name]) => honours(format, name) && asks[name])
  if (options.length === 0) return null
  return (
    <fieldset className="flex flex-wrap gap-x-7 gap-y-1">
      <legend className="sr-only">{legend}</legend>
      {options.map(([option, label]) => {
        const name = option === 'speakers' && format === 'srt' ? 'labels' : option
        return (
          <Checkbox
            key={name}
            checked={choice[name]}
            onChange={(event) => onChange({ [name]: event.target.checked })}
          >
            {label}
          </Checkbox>
        )
      })}
    </fieldset>
  )
}

const profiles: { value: CaptionProfile; label: string; what: string }[] = [
  {
    value: 'netflix',
    label: 'Netflix',
    what: 'Two lines of 42 letters, 20 letters a second, 0.83 to 7 seconds each.',
  },
  {
    value: 'bbc',
    label: 'BBC',
    what: 'Two lines of 37 letters, 0.3 seconds a word, no gap of less than a second.',
  },
  {
    value: 'plain',
    label: 'Plain 42 × 2',
    what: 'Two lines of 42 letters, 21 letters a second, 1 to 7 seconds each.',
  },
]

/** `children`: what else is asked, between the rules and the beginning of the film. */
function CaptionOptions({
  choice,
  onChange,
  children,
}: {
  choice: ExportChoice
  onChange: Change
  children: ReactNode
}) {
  return (
    <>
      <div className="max-w-md">
        <Segments
          label="Reading rules"
          value={choice.profile}
          onChange={(profile) => onChange({ profile })}
          choices={profiles}
        />
        <p className="mt-2 text-small text-ink-2">
          {profiles.find(({ value }) => value === choice.profile)?.what} Japanese has 13 letters a
          line, Chinese and Korean 16, Thai 35, and fewer a second.
        </p>
      </div>
      {children}
      <div className="grid max-w-md gap-4 sm:grid-cols-2">
        <FilmStart choice={choice} onChange={onChange} />
        {choice.filmStart ? <Frames choice={choice} onChange={onChange} /> : null}
      </div>
    </>
  )
}

const markers = [
  { value: 'turns', label: 'Each turn' },
  { value: 'key_points', label: 'Key points' },
] as const

/** Captions and markers share one beginning; where it is empty each format has its own. */
function FilmStart({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <TextField
      className="[&_input]:tabular-nums"
      label="The film begins at"
      placeholder="hh:mm:ss:ff"
      autoComplete="off"
      maxLength={11}
      value={choice.filmStart ?? ''}
      onChange={({ target }) => onChange({ filmStart: target.value })}
    />
  )
}

function Frames({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <Select
      label="Frames a second"
      value={choice.frameRate}
      onChange={({ target }) => {
        const frameRate = frameRates.find((rate) => rate === target.value)
        if (frameRate) onChange({ frameRate })
      }}
    >
      {frameRates.map((rate) => (
        <option key={rate} value={rate}>
          {rate.replace('df', ' drop-frame')}
        </option>
      ))}
    </Select>
  )
}

function MarkerOptions({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <div className="max-w-md">
      <div className="grid gap-4 sm:grid-cols-2">
        <Segments
          label="A marker for"
          value={choice.markers}
          onChange={(marked) => onChange({ markers: marked })}
          choices={markers}
        />
        <Frames choice={choice} onChange={onChange} />
        <FilmStart choice={choice} onChange={onChange} />
      </div>
      <p className="mt-2 text-small text-ink-2">
        If nothing is said, the film of an EDL begins at 01:00:00:00, as timelines of Resolve do,
        and that of XML at 0. Resolve: Timelines, Import, Timeline Markers from EDL. Premiere makes
        a sequence of them: File, Import.
      </p>
    </div>
  )
}

/** The options that only some formats have. */
function OwnOptions({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  if (honours(choice.format, 'profile'))
    return (
      <div className="grid gap-2">
        <CaptionOptions choice={choice} onChange={onChange}>
          <Checkbox
            checked={choice.mend}
            onChange={({ target }) => onChange({ mend: target.checked })}
          >
            Mend captions that break the rules
          </Checkbox>
        </CaptionOptions>
      </div>
    )
  if (honours(choice.format, 'markers'))
    return <MarkerOptions choice={choice} onChange={onChange} />
  return null
}

/** Which of the languages that are there is taken away; nothing where there is but one. */
function useLanguageChoice(id: string) {
  const { data: all = [] } = useQuery({
    ...translationsQuery(id, 0),
    // They may have been ordered on another page.
    staleTime: 0,
  })
  const languages = all.filter(({ isReadable }) => isReadable).map(({ language }) => language)
  const [chosen, setChosen] = useState<TranslationLanguage | null>(null)
  const language = languages.find((each) => each === chosen) ?? null
  const field =
    languages.length === 0 ? null : (
      <Select
        className="max-w-md"
        label="Language"
        hint={
          language === null
            ? undefined
            : 'The file says that a language model has translated it; the name of an SRT file does.'
        }
        value={language ?? ''}
        onChange={({ target }) =>
          setChosen(languages.find((each) => each === target.value) ?? null)
        }
      >
        <option value="">As it was said</option>
        {languages.map((each) => (
          <option key={each} value={each}>
            {languageName(each)}, translated
          </option>
        ))}
      </Select>
    )
  return { language, field }
}

/** Fetches exports as files. The one that fails is told of, also while the next is on its way. */
function useExport({ id, originalName }: Named, language: TranslationLanguage | null) {
  const [problem, setProblem] = useState<Error | null>(null)
  const fetching = useMutation({
    mutationFn: async (choice: ExportChoice) => {
      const response = await request(exportTranscription, {
        params: { id },
        query: exportQuery(choice, language),
      })
      const name =
        fileNameIn(response.headers.get('Content-Disposition')) ??
        `${originalName}.${choice.format}`
      saveFile(await response.blob(), name)
      toast({ title: 'Downloaded!', description: name })
    },
    onMutate: () => setProblem(null),
    onError: setProblem,
  })
  return {
    start: fetching.mutate,
    busy: fetching.isPending ? fetching.variables.format : null,
    problem,
  }
}

const NOT_FETCHED = 'The file could not be fetched. Please try again.'

/** Every format, a row and a press each; what a group of them honours stands above it. */
export function MoreFormats({
  named,
  choice,
  onChange,
  isDoubtKnown,
  hasChapters = true,
  hasRecording = false,
}: Known & {
  named: Named
  choice: ExportChoice
  onChange: Change
  hasRecording?: boolean
}) {
  const { language, field } = useLanguageChoice(named.id)
  const { start, busy, problem } = useExport(named, language)
  const groups = Object.entries(formatGroups).filter(
    ([group]) => group !== 'Chapters' || hasChapters,
  )
  return (
    <section aria-labelledby="more-formats" className="pb-12 lg:max-w-[50rem]">
      <h2 id="more-formats" className="mb-3 font-display text-section font-semibold">
        More formats
      </h2>
      {field ? <div className="mb-4">{field}</div> : null}
      <Failure error={problem} otherwise={NOT_FETCHED} className="mt-3" />
      {groups.map(([group, names]) => (
        <div key={group} className="mt-8">
          <h3 className="mb-3 font-display text-h3 font-semibold">{group}</h3>
          <div className="mb-4 grid gap-4 empty:hidden">
            {group === 'Captions' ? (
              <>
                <CaptionOptions choice={choice} onChange={onChange}>
                  <div className="flex flex-wrap gap-x-7 gap-y-1">
                    <Checkbox
                      checked={choice.labels}
                      onChange={({ target }) => onChange({ labels: target.checked })}
                    >
                      Speaker names in the lines of SRT
                    </Checkbox>
                    <Checkbox
                      checked={choice.speakers}
                      onChange={({ target }) => onChange({ speakers: target.checked })}
                    >
                      Speaker names in VTT
                    </Checkbox>
                  </div>
                </CaptionOptions>
                <CaptionsCheck
                  id={named.id}
                  choice={choice}
                  language={language}
                  onMend={(mend) => onChange({ mend })}
                />
              </>
            ) : (
              <Options
                format={names[0]}
                legend={`${group}: what is in the file`}
                {...{ choice, onChange, isDoubtKnown, hasChapters }}
              />
            )}
            {group === 'Markers for film' ? (
              <MarkerOptions choice={choice} onChange={onChange} />
            ) : null}
          </div>
          <ul className="border-t border-rule">
            {names.map((format) => (
              <FormatRow
                key={format}
                format={format}
                isBusy={busy === format}
                onPress={() => {
                  onChange({ format })
                  start({ ...choice, format })
                }}
              />
            ))}
            {group === 'Chapters' && hasRecording
              ? sounds.map(([format, what]) => (
                  <Row key={format} name={format.toUpperCase()} what={what}>
                    <a
                      href={addressOf(exportRecording, {
                        params: { id: named.id },
                        query: { format },
                      })}
                      download
                      aria-label={`Download ${format.toUpperCase()}`}
                      className={buttonClasses({ size: 'small' })}
                    >
                      <Download />
                      <span className="max-sm:sr-only">Download</span>
                    </a>
                  </Row>
                ))
              : null}
          </ul>
        </div>
      ))}
    </section>
  )
}

function FormatRow({
  format,
  isBusy,
  onPress,
}: {
  format: ExportFormat
  isBusy: boolean
  onPress: () => void
}) {
  const { name, what } = exportFormats[format]
  return (
    <Row name={name} what={what}>
      <Button
        size="small"
        aria-label={`Download ${name}`}
        icon={<Download />}
        pending={isBusy}
        onClick={onPress}
      >
        <span className="max-sm:sr-only">Download</span>
      </Button>
    </Row>
  )
}

/** The browser fetches these by itself: they may be larger than a page can hold. */
const sounds = [
  ['m4a', 'The sound of the recording, with chapters that players show'],
  ['mp3', 'The same for every player'],
] as const

function Row({ name, what, children }: { name: string; what: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-x-6 border-b border-rule py-3">
      <h4 className="font-sans text-ui font-[650]">{name}</h4>
      <p className="text-ui text-ink-2">{what}</p>
      {children}
    </li>
  )
}

/** The formats to choose one of, and its options. */
export function FormatChoice({
  choice,
  onChange,
  isDoubtKnown = true,
}: Known & { choice: ExportChoice; onChange: Change }) {
  return (
    <>
      <fieldset className="mt-4 border-t border-rule">
        <legend className="sr-only">Format</legend>
        {formatNames.map((format) => (
          <label
            key={format}
            className="grid min-h-11 cursor-pointer grid-cols-[20px_4rem_minmax(0,1fr)] items-center gap-x-3 border-b border-rule py-1.5"
          >
            <input
              type="radio"
              name="export-format"
              checked={choice.format === format}
              onChange={() => onChange({ format })}
              className="size-5 appearance-none rounded-full border border-line bg-card checked:border-[6px] checked:border-primary"
            />
            <span className="font-[650]">{exportFormats[format].name}</span>
            <span className="text-small text-ink-2">{exportFormats[format].what}</span>
          </label>
        ))}
      </fieldset>
      <div className="mt-3 grid gap-4">
        <Options format={choice.format} {...{ choice, onChange, isDoubtKnown }} />
        <OwnOptions choice={choice} onChange={onChange} />
      </div>
    </>
  )
}

/** The same choice as a dialog, for a result that is not open. */
export function ExportDialog({
  named,
  onClose,
  focusAfter,
}: {
  named: Named & Pick<TranscriptionRow, 'wordsInDoubt'>
  onClose: () => void
  focusAfter?: () => void
}) {
  const [choice, change] = useChoice()
  const { language, field } = useLanguageChoice(named.id)
  const { start, busy, problem } = useExport(named, language)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Export"
      description={<span className="wrap-anywhere">{named.originalName}</span>}
    >
      {field && honours(choice.format, 'language') ? <div className="mt-4">{field}</div> : null}
      <FormatChoice choice={choice} onChange={change} isDoubtKnown={named.wordsInDoubt !== null} />
      <Failure error={problem} otherwise={NOT_FETCHED} className="mt-3" />
      <DialogActions isKept>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={<Download />}
          pending={busy !== null}
          onClick={() => start(choice, { onSuccess: onClose })}
        >
          Download
        </Button>
      </DialogActions>
    </Dialog>
  )
}
