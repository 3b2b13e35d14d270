import { Link } from 'react-router'

import type { SearchHit } from '#features/transcriptions/contract.ts'
import type { JobRow } from '#features/transcriptions/ui/queries.ts'
import { formatMoment } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'
import { Levels } from '#web/ui/levels.tsx'
import { Marked } from '#web/ui/marked.tsx'
import { SpeakerBadge } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import type { Choice } from './choice.ts'
import {
  ChooseBox,
  FirstWords,
  NameLine,
  type RowActs,
  RowMenu,
  WhoSpeaks,
  useOpening,
} from './library-row.tsx'
import { whoSpeaks } from './said-by.ts'

/** The results of a search: each recording with the places where its words were said. */
export function FoundRows({
  rows,
  ...acts
}: RowActs & { rows: readonly JobRow[]; choice: Choice }) {
  return (
    <ul aria-label="Found" className="border-t border-line">
      {rows.map((row) => (
        <FoundRow key={row.id} row={row} {...acts} />
      ))}
    </ul>
  )
}

function FoundRow({ row, choice, ...acts }: RowActs & { row: JobRow; choice: Choice }) {
  const isCompleted = row.status === 'completed'
  const hits = row.hits ?? []
  const more = (row.places ?? hits.length) - hits.length
  const opening = useOpening()
  return (
    <li
      data-row={row.id}
      className={classes(
        'relative grid grid-cols-[48px_minmax(0,1fr)_44px] border-b border-rule py-4 lg:grid-cols-[57px_minmax(0,1fr)_145px_75px_132px_36px] lg:py-3.5 xl:grid-cols-[57px_116px_minmax(0,1fr)_145px_75px_132px_36px]',
        choice.chosen.has(row.id) && 'bg-paper-2',
      )}
    >
      <div className="relative z-1 -my-2.5">
        <ChooseBox row={row} choice={choice} />
      </div>
      <div className="max-xl:hidden">
        <Levels levels={row.levels} />
      </div>
      <div className="min-w-0 lg:pr-5">
        <NameLine row={row} />
        <p className="text-small text-ink-2 tabular-nums lg:hidden">
          {formatMoment(row.createdAt)} · <Timecode s={row.duration} />
          {isCompleted ? ` · ${whoSpeaks(row).join(', ')}` : ''}
        </p>
        {hits.length === 0 ? <FirstWords row={row} /> : null}
      </div>
      <span className="text-small text-ink-2 tabular-nums max-lg:hidden">
        {formatMoment(row.createdAt)}
      </span>
      <span className="text-ink-2 max-lg:hidden">
        <span className="sr-only">Length </span>
        <Timecode s={row.duration} className="text-fine!" />
      </span>
      <span className="text-small leading-5! text-ink-2 wrap-anywhere max-lg:hidden">
        {isCompleted ? <WhoSpeaks row={row} /> : null}
      </span>
      <div className="relative z-1 -col-end-1 row-start-1 -my-2 justify-self-end">
        <RowMenu row={row} {...acts} />
      </div>
      {hits.length > 0 ? (
        <div className="relative z-1 col-start-2 -col-end-1 max-lg:mt-1.5 xl:col-start-3">
          <ul aria-label={`Places in ${row.originalName}`} className="max-lg:space-y-2">
            {hits.map((hit) => (
              <li key={`${hit.turnId} ${hit.at}`}>
                <Hit hit={hit} to={opening(row.id, hit.at)} />
              </li>
            ))}
          </ul>
          {more > 0 ? (
            <Link
              to={opening(row.id, hits[0]?.at)}
              className="mt-1 inline-flex min-h-9 items-center text-small text-link pointer-coarse:min-h-11"
            >
              {more.toLocaleString('en-US')} more in this recording
            </Link>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

/** A place where it was said; a press opens the recording there. */
function Hit({ hit, to }: { hit: SearchHit; to: ReturnType<ReturnType<typeof useOpening>> }) {
  return (
    <Link
      to={to}
      className="group -mx-2 block rounded-control px-2 py-1.5 text-ui no-underline hover:bg-paper-2 pointer-coarse:min-h-11 lg:grid lg:grid-cols-[152px_76px_minmax(0,1fr)] lg:items-baseline"
    >
      <span className="min-w-0 max-lg:not-empty:mr-3">
        {hit.speakerNumber === null ? (
          hit.speaker
        ) : (
          <SpeakerBadge
            speaker={hit.speakerNumber}
            name={hit.speaker ?? ''}
            className="max-w-full pr-3 max-lg:pr-0"
          />
        )}
      </span>
      <Timecode s={hit.at} className="text-fine! text-ink-2" />
      <span dir="auto" className={classes('min-w-0 max-lg:block', 'group-hover:underline')}>
        <Marked text={hit.snippet} marks={hit.marks} />
      </span>
    </Link>
  )
}
