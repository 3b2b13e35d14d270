import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'
import { Stepper } from '#web/ui/stepper.tsx'

import type { Channels, Engines } from '../contract.ts'
import {
  MOST_VOICES,
  type SpeakersKind,
  ownName,
  speakersOf,
  speakersText,
  usualLanguages,
} from './options.ts'

/** The languages of an engine. One that has a single language needs no choice. */
export function LanguageField({
  engines,
  value,
  found = null,
  onChange,
}: {
  engines: Engines | undefined
  /** Empty before one was chosen. */
  value: string
  /** The language that was heard the last time, where there was one. */
  found?: string | null
  onChange: (language: string) => void
}) {
  const known = engines?.speech.languages ?? usualLanguages
  if (known.length < 2) return null
  const listed =
    value === '' || value === 'auto' || known.includes(value) ? known : [value, ...known]
  const named = listed.map((code) => ({ code, name: ownName(code) }))
  return (
    <Select
      label="Spoken language"
      value={value}
      required
      onChange={(event) => onChange(event.target.value)}
    >
      {value === '' ? <option value="">Choose a language</option> : null}
      <option value="auto">Automatic</option>
      {named
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {code === found ? `${name} (found last time)` : name}
          </option>
        ))}
    </Select>
  )
}

const kinds = [
  { value: 'auto', label: 'Automatic' },
  { value: 'exactly', label: 'Exactly' },
  { value: 'most', label: 'At most' },
] as const satisfies readonly { value: SpeakersKind; label: string }[]

/** How many people speak; the number is there only where it counts. */
export function SpeakersField({
  value,
  onChange,
  hint = `1 to ${MOST_VOICES} voices`,
  className,
}: {
  value: string
  onChange: (speakers: string) => void
  hint?: string | undefined
  className?: string
}) {
  const { kind, count } = speakersOf(value)
  return (
    <div className={className}>
      <Segments
        label="Speakers"
        value={kind}
        choices={kinds}
        onChange={(chosen) => onChange(speakersText({ kind: chosen, count }))}
      />
      {kind === 'auto' ? null : (
        <div className="flex items-center gap-3 self-end">
          <Stepper
            label="Number of speakers"
            value={count}
            min={1}
            max={MOST_VOICES}
            onChange={(next) => onChange(speakersText({ kind, count: next }))}
          />
          <span className="text-small text-ink-2">{hint}</span>
        </div>
      )}
    </div>
  )
}

const channelChoices = [
  { value: 'auto', label: 'Automatic' },
  { value: 'people', label: 'Yes' },
  { value: 'mixed', label: 'No' },
] as const satisfies readonly { value: Channels; label: string }[]

/** Whether the channels or tracks of a recording are people. A file that has one needs no choice. */
export function ChannelsField({
  value,
  areTracks = false,
  onChange,
}: {
  value: Channels
  areTracks?: boolean
  onChange: (channels: Channels) => void
}) {
  return (
    <Segments
      label={`Each ${areTracks ? 'track' : 'channel'} is a person`}
      value={value}
      choices={channelChoices}
      onChange={onChange}
    />
  )
}
