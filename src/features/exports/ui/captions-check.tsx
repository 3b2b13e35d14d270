import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { Link, useLocation } from 'react-router'

import type { Cuts } from '#features/cuts/contract.ts'
import { type Range, clockWith } from '#features/cuts/ranges.ts'
import { cutsQuery } from '#features/cuts/ui/queries.ts'
import type { TranslationLanguage } from '#features/translations/contract.ts'
import { addressOf } from '#shared/call.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { withMoment } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { NotLoaded } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { checkCaptions } from '../calls.ts'
import type { CaptionProfile } from '../formats.ts'
import { type ExportChoice, captionsQuery } from './export-choice.ts'
import type { Kind } from './menu.ts'
import { type RuleBreak, sayBreak, sayFit } from './say-break.ts'

const FIRST = 5

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
    label: 'Plain',
    what: 'Two lines of 42 letters, 21 letters a second, 1 to 7 seconds each.',
  },
]

interface Props {
  /** Null: captions of many recordings, which are not looked at one by one. */
  id: string | null
  kind: Kind
  choice: ExportChoice
  /** Of a translation. */
  language: TranslationLanguage | null
  onChange: (change: Pick<ExportChoice, 'profile'> | Pick<ExportChoice, 'mend'>) => void
}

/** How many captions fit the rules, and behind it whose rules, and which captions do not. */
export function CaptionRules({ id, kind, choice, language, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  const asked = {
    params: { id: id ?? '' },
    query: captionsQuery(choice, kind === 'vtt' ? 'vtt' : 'srt', language),
  }
  const check = useQuery({
    queryKey: ['captions', addressOf(checkCaptions, asked)],
    queryFn: ({ signal }) => ask(checkCaptions, { ...asked, signal }),
    enabled: id !== null,
    // A correction changes them, and the tab is opened to take them away.
    staleTime: 0,
    placeholderData: (before) => before,
  })
  const { data, isError, isFetching } = check
  const { data: cut } = useQuery({ ...cutsQuery(id ?? ''), enabled: id !== null })
  // The page has the times of the recording.
  const inRecording = clockWith(choice.cuts === 'applied' && cut ? inMs(cut.cuts) : [])
  const profile = profiles.find(({ value }) => value === choice.profile)
  return (
    <div className="border-b border-rule" aria-busy={isFetching}>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-[46px] w-full items-center justify-between gap-3 text-left text-ui"
      >
        <span className="whitespace-nowrap">Rules for reading</span>
        <span className="flex items-center gap-1.5">
          <span
            role="status"
            className={classes(data && data.broken > 0 ? 'text-warn' : 'text-ink-2')}
          >
            {id === null
              ? profile?.label
              : isError
                ? 'Not checked'
                : data
                  ? sayFit(data)
                  : 'Looking…'}
          </span>
          <ChevronDown size={18} className={classes('text-ink-2', isOpen && 'rotate-180')} />
        </span>
      </button>
      {isOpen ? (
        <div id={panelId} className="grid gap-2 pb-3">
          {isError ? (
            <NotLoaded isAsking={isFetching} askAgain={check.refetch}>
              {sentenceOf(check.error, 'The captions could not be checked.')}
            </NotLoaded>
          ) : null}
          <Segments
            label="Reading rules"
            hideLabel
            value={choice.profile}
            onChange={(chosen) => onChange({ profile: chosen })}
            choices={profiles}
          />
          <p className="text-small text-ink-2">
            {profile?.what} Japanese has 13 letters a line, Chinese and Korean 16, Thai 35, and
            fewer a second.
          </p>
          <Switch
            label="Mend what does not fit"
            checked={choice.mend}
            onChange={(mend) => onChange({ mend })}
          />
          {data && data.shortNames.length > 0 ? (
            <p className="text-small text-ink-2">
              Names are shortened: {data.shortNames.join(', ')}.
            </p>
          ) : null}
          {data && data.places.length > 0 ? (
            <>
              {choice.mend ? (
                // No word is ever left out, so speech that is too fast for long stays so.
                <p className="text-small text-ink-2">The speech there is too fast to be mended.</p>
              ) : null}
              <Places
                places={data.places.map((place) => ({
                  ...place,
                  start: inRecording(place.start * 1000) / 1000,
                }))}
              />
            </>
          ) : null}
        </div>
      ) : null}
    </div>
  )
}

const inMs = (cuts: Cuts['cuts']): Range[] =>
  cuts.map(({ start, end }) => ({
    startMs: Math.round(start * 1000),
    endMs: Math.round(end * 1000),
  }))

function Places({ places }: { places: readonly RuleBreak[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? places : places.slice(0, FIRST)
  return (
    <>
      <ul aria-label="What does not fit" className="border-l-2 border-rule pl-4">
        {shown.map((place) => (
          <li
            key={`${place.cue} ${place.rule}`}
            className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 py-1.5 text-small"
          >
            <PlaceLink seconds={place.start} />
            <p>
              {sayBreak(place)}
              <span className="block truncate text-ink-2">{place.text}</span>
            </p>
          </li>
        ))}
      </ul>
      {places.length > shown.length ? (
        <Button
          size="small"
          variant="quiet"
          className="justify-self-start"
          onClick={() => setWhole(true)}
        >
          Show all {places.length}
        </Button>
      ) : null}
    </>
  )
}

/** Leads to the moment in the transcript. */
function PlaceLink({ seconds }: { seconds: number }) {
  const { search } = useLocation()
  return (
    <Link
      to={{ search: withMoment(search, Math.floor(seconds)), hash: '#transcription' }}
      className="inline-flex min-h-6 items-start underline underline-offset-4 pointer-coarse:min-h-11"
    >
      <Timecode s={seconds} />
    </Link>
  )
}
