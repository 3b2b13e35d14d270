import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronRight, Info } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

import { MOST_SIDES } from '#shared/business.ts'

import type { LastOptions } from '../contract.ts'
import { optionsInWords } from './options.ts'
import { enginesQuery } from './queries.ts'
import { ChannelsField, LanguageField, SpeakersField } from './speech-fields.tsx'
import { TermsField } from './terms-field.tsx'

/**
 * The options of a recording: its language, speakers and terms. Closed, the row names in one line those
 * that are set. An option that the engine cannot use is not offered, and the last line says so.
 */
export function OptionsRow({
  fileName,
  options,
  channels = null,
  tracks = null,
  summary,
  forHowMany = null,
  onChange,
}: {
  fileName: string
  options: LastOptions
  /** Of the file; null where this browser does not know. */
  channels?: number | null
  /** Of sound in the file; null where there is no such list, or it is not read yet. */
  tracks?: number | null
  /** The field for the language of the summary, where it has no place of its own. */
  summary?: ReactNode
  /** "For all three files." */
  forHowMany?: string | null
  onChange: (options: LastOptions) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { data: engines } = useQuery(enginesQuery)
  const id = useId()
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const takesTerms = engines?.speech.takesTerms !== false
  const areTracks = tracks !== null && tracks > 1 && tracks <= MOST_SIDES
  const hasChannels = areTracks || channels !== 1
  const used = {
    ...options,
    ...(takesTerms ? {} : { terms: [] }),
    ...(hasChannels ? {} : { channels: 'auto' as const }),
  }
  const set = optionsInWords(used, { areTracks })
  const noTerms = takesTerms ? '' : 'It cannot make use of names and terms.'
  const engineLine = [engines?.speech.note ?? '', noTerms].join(' ').trim()
  return (
    <div>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-my-2.5 -ml-1 inline-flex min-h-11 max-w-full items-center gap-2 rounded-control text-left font-semibold"
        >
          <Chevron size={20} className="shrink-0 text-ink-2" />
          <span>
            Options{' '}
            {set !== '' && !isOpen ? (
              <span className="ml-2 text-small font-normal text-ink-2">{set}</span>
            ) : null}
          </span>
        </button>
        {isOpen ? (
          <p className="text-small text-ink-2">{forHowMany ?? ''} Kept for your next recording</p>
        ) : null}
      </div>
      {isOpen ? (
        <div id={id} className="mt-5 grid gap-x-8 gap-y-5 md:grid-cols-2">
          {summary}
          <LanguageField
            engines={engines}
            value={options.language}
            onChange={(language) => onChange({ ...options, language })}
          />
          <SpeakersField
            className="grid gap-x-8 gap-y-2 md:col-span-2 md:grid-cols-2"
            value={options.speakers}
            onChange={(speakers) => onChange({ ...options, speakers })}
          />
          {hasChannels ? (
            <ChannelsField
              value={options.channels}
              areTracks={areTracks}
              onChange={(chosen) => onChange({ ...options, channels: chosen })}
            />
          ) : null}
          {takesTerms ? (
            <div className="md:col-span-2">
              <TermsField
                fileName={fileName}
                terms={options.terms}
                onChange={(terms) => onChange({ ...options, terms })}
              />
            </div>
          ) : null}
          {engineLine === '' ? null : (
            <p className="flex items-start gap-2.5 border-t border-rule pt-4 text-small text-ink-2 md:col-span-2">
              <Info size={20} className="shrink-0" />
              {engineLine}
            </p>
          )}
        </div>
      ) : null}
    </div>
  )
}
