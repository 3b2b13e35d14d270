import { useQuery } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'

import type { TranslationLanguage } from '#features/translations/contract.ts'
import { addressOf } from '#shared/call.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { withMoment } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { NotLoaded } from '#web/ui/inline-error.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { checkCaptions } from '../calls.ts'
import { type ExportChoice, captionsFormat, captionsQuery } from './export-choice.ts'
import { type RuleBreak, sayBreak, sayCount } from './say-break.ts'

const FIRST = 5

/** Which captions break the rules that were chosen, and the way to mend them. */
export function CaptionsCheck({
  id,
  choice,
  language = null,
  onMend,
}: {
  id: string
  /** Of a translation. */
  language?: TranslationLanguage | null
  choice: ExportChoice
  onMend: (mend: boolean) => void
}) {
  const asked = { params: { id }, query: captionsQuery(choice, language) }
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: ['captions', addressOf(checkCaptions, asked)],
    queryFn: ({ signal }) => ask(checkCaptions, { ...asked, signal }),
    // A correction changes them, and the tab is opened to take them away.
    staleTime: 0,
    placeholderData: (before) => before,
  })
  if (isError)
    return (
      <NotLoaded isAsking={isFetching} askAgain={refetch}>
        {sentenceOf(error, 'The captions could not be checked.')}
      </NotLoaded>
    )
  return (
    <div aria-busy={isFetching}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p role="status" className="flex items-center gap-2 text-ui">
          {data ? (
            <>
              {data.broken === 0 ? (
                <Check size={18} className="shrink-0 text-primary" />
              ) : (
                <TriangleAlert size={18} className="shrink-0 text-warn" />
              )}
              {sayCount(data, {
                file: captionsFormat(choice).toUpperCase(),
                isMended: choice.mend && !isPlaceholderData,
              })}
            </>
          ) : (
            'Looking at the captions…'
          )}
        </p>
        {choice.mend ? (
          <Button size="small" pending={isFetching} onClick={() => onMend(false)}>
            As they were
          </Button>
        ) : data && data.broken > 0 ? (
          <Button size="small" pending={isFetching} onClick={() => onMend(true)}>
            Mend
          </Button>
        ) : null}
      </div>
      {data && data.places.length > 0 ? <Places places={data.places} /> : null}
    </div>
  )
}

function Places({ places }: { places: readonly RuleBreak[] }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? places : places.slice(0, FIRST)
  return (
    <>
      <ul aria-label="What breaks the rules" className="mt-3 border-l-2 border-rule pl-4">
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
        <Button size="small" variant="quiet" className="mt-1" onClick={() => setWhole(true)}>
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
