import { ChevronDown } from 'lucide-react'
import { Children, type ReactNode, useId } from 'react'

import type { TranslationLanguage } from '#features/translations/contract.ts'
import { languageName } from '#shared/format.ts'
import { frameRates } from '#shared/frame-rates.ts'
import { inputClasses } from '#web/ui/field.tsx'
import { classes } from '#web/ui/classes.ts'
import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { editorFormats, honours } from '../formats.ts'
import { CaptionRules } from './captions-check.tsx'
import { type ExportChoice, namesOption, ownStart } from './export-choice.ts'
import { type Film, type Kind, type Known, type MenuRow, isWritten, kindName } from './menu.ts'

export type Change = (change: Partial<ExportChoice>) => void

/** The translations that are there, and the one that is exported; null for the text as it was said. */
export interface LanguageChoice {
  languages: readonly TranslationLanguage[]
  chosen: TranslationLanguage | null
  choose: (language: TranslationLanguage | null) => void
}

const SHOWN = 3

interface Props {
  row: MenuRow
  kind: Kind
  known: Known
  choice: ExportChoice
  onChange: Change
  language: LanguageChoice
  /** The recording whose captions are checked; null where there are many. */
  id: string | null
}

/** The options that a kind of file honours: those that are changed often are shown. */
export function choicesOf({ row, kind, known, choice, onChange, language, id }: Props): {
  shown: ReactNode[]
  more: ReactNode[]
} {
  const has = (option: Parameters<typeof honours>[1]) => isWritten(kind) && honours(kind, option)
  const toggle = (
    name: 'timestamps' | 'summary' | 'chapters' | 'doubt' | 'lineNumbers',
    label: string,
  ) => <Toggle label={label} checked={choice[name]} onChange={(is) => onChange({ [name]: is })} />
  const names = namesOption(kind)
  const isOfMarkers = has('markers')
  const isForEditors = isWritten(kind) && editorFormats.includes(kind)
  // A marker of a key point names nobody.
  const speakers = has('speakers') && (!isOfMarkers || choice.markers === 'turns') && (
    <Toggle
      label="Speakers’ names"
      checked={choice[names]}
      onChange={(is) => onChange({ [names]: is })}
    />
  )
  const film = has('filmStart') && (
    <FilmStart {...{ kind, choice, onChange }} film={known.film ?? null} />
  )
  const frames = <Frames choice={choice} onChange={onChange} />
  const all = Children.toArray([
    row.kinds.length > 1 && <KindChoice {...{ row, kind, onChange }} />,
    has('cuts') && known.hasCuts && <CutChoice {...{ choice, onChange }} />,
    isForEditors && film,
    isForEditors && frames,
    speakers,
    has('profile') && (
      <CaptionRules {...{ id, kind, choice, onChange }} language={language.chosen} />
    ),
    has('timestamps') && toggle('timestamps', 'Times'),
    has('summary') && toggle('summary', 'Summary and key points'),
    has('chapters') && known.hasChapters !== false && toggle('chapters', 'Chapters'),
    has('doubt') && known.isDoubtKnown && toggle('doubt', 'How many words are in doubt'),
    has('lineNumbers') && toggle('lineNumbers', 'Line numbers'),
    has('language') && language.languages.length > 0 && <Language {...language} />,
    isOfMarkers && <MarkerChoice choice={choice} onChange={onChange} />,
    !isForEditors && film,
    !isForEditors && film && choice.filmStart && frames,
  ])
  const shown = known.hasCuts ? SHOWN + 1 : SHOWN
  return { shown: all.slice(0, shown), more: all.slice(shown) }
}

/** The options that are changed less often. They stand below the button, so that it stays where it is. */
export function MoreChoices({ children }: { children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <details className="group/more mt-4">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 text-ui font-semibold text-ink-2 hover:text-ink [&::-webkit-details-marker]:hidden">
        More choices
        <ChevronDown size={18} className="group-open/more:rotate-180" />
      </summary>
      <div className="border-t border-rule">{children}</div>
    </details>
  )
}

const rowClasses =
  'flex min-h-[46px] items-center justify-between gap-4 border-b border-rule text-ui'

function Toggle(props: { label: string; checked: boolean; onChange: (checked: boolean) => void }) {
  return <Switch {...props} className="border-b border-rule py-px" />
}

/** The name of an option, and the control beside it. */
function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes(rowClasses, 'py-px')}>
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  )
}

/** More than these do not stand side by side. */
const MOST_SEGMENTS = 3

function KindChoice({ row, kind, onChange }: { row: MenuRow; kind: Kind; onChange: Change }) {
  if (row.kinds.length > MOST_SEGMENTS)
    return (
      <Row label="Kind">
        <Select
          label="Kind"
          hideLabel
          className="w-40"
          value={kind}
          onChange={({ target }) => {
            const chosen = row.kinds.find((one) => one === target.value)
            if (chosen) onChange({ kind: chosen })
          }}
        >
          {row.kinds.map((one) => (
            <option key={one} value={one}>
              {kindName(one)}
            </option>
          ))}
        </Select>
      </Row>
    )
  return (
    <Row label="Kind">
      <div className="lg:[&_fieldset>div]:h-9 [&_label]:whitespace-nowrap">
        <Segments
          label="Kind"
          hideLabel
          value={kind}
          onChange={(chosen) => onChange({ kind: chosen })}
          choices={row.kinds.map((value) => ({ value, label: kindName(value) }))}
        />
      </div>
    </Row>
  )
}

function CutChoice({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <div className="flex min-h-[46px] items-center border-b border-rule py-px lg:[&_fieldset>div]:h-9 [&_fieldset]:w-full [&_label]:whitespace-nowrap">
      <Segments
        label="Cuts"
        hideLabel
        value={choice.cuts}
        onChange={(cuts) => onChange({ cuts })}
        choices={[
          { value: 'applied', label: 'As cut' },
          { value: 'ignored', label: 'Whole recording' },
        ]}
      />
    </div>
  )
}

const beginnings: Partial<Record<Kind, string>> = { edl: '01:00:00:00', cutlist: '01:00:00:00' }

/** Captions and markers share one beginning; where it is empty each format has its own. */
function FilmStart({
  kind,
  film,
  choice,
  onChange,
}: {
  kind: Kind
  film: Film | null
  choice: ExportChoice
  onChange: Change
}) {
  const id = useId()
  const own = ownStart(kind, film)
  const start = choice.filmStart ?? own ?? ''
  const isOwn = (start || own) === film?.timecode
  return (
    <div className={rowClasses}>
      <div>
        <label htmlFor={id}>The film begins at</label>
        {film && isOwn ? (
          <p id={`${id}-own`} className="text-small text-ink-2">
            Read from the file
          </p>
        ) : film ? (
          <button
            type="button"
            className="text-link block text-small pointer-coarse:min-h-11"
            onClick={() => onChange({ filmStart: film.timecode })}
          >
            {film.timecode} in the file
          </button>
        ) : null}
      </div>
      <input
        id={id}
        aria-describedby={film && isOwn ? `${id}-own` : undefined}
        className={classes(inputClasses, 'w-32! px-2.5! tabular-nums lg:h-9!')}
        placeholder={own ?? beginnings[kind] ?? '00:00:00:00'}
        autoComplete="off"
        maxLength={11}
        value={start}
        onChange={({ target }) => onChange({ filmStart: target.value })}
      />
    </div>
  )
}

function Frames({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <Row label="Frames a second">
      <Select
        label="Frames a second"
        hideLabel
        className="w-32"
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
    </Row>
  )
}

function MarkerChoice({ choice, onChange }: { choice: ExportChoice; onChange: Change }) {
  return (
    <div className="py-3">
      <Segments
        label="A marker for"
        value={choice.markers}
        onChange={(markers) => onChange({ markers })}
        choices={[
          { value: 'turns', label: 'Each turn' },
          { value: 'key_points', label: 'Key points' },
        ]}
      />
      <p className="mt-2 text-small text-ink-2">
        Resolve: Timelines, Import, Timeline Markers from EDL. Premiere makes a sequence of them:
        File, Import.
      </p>
    </div>
  )
}

function Language({ languages, chosen, choose }: LanguageChoice) {
  return (
    <Row label="Language">
      <Select
        label="Language"
        hideLabel
        className="w-44"
        value={chosen ?? ''}
        onChange={({ target }) => choose(languages.find((each) => each === target.value) ?? null)}
      >
        <option value="">As it was said</option>
        {languages.map((each) => (
          <option key={each} value={each}>
            {languageName(each)}, translated
          </option>
        ))}
      </Select>
    </Row>
  )
}
