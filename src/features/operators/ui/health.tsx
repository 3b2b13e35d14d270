import { Check, CircleAlert, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { adminServerPath } from '#web/admin-paths.ts'
import { classes } from '#web/ui/classes.ts'

import type { HealthRow } from '../contract.ts'
import { day } from './words.ts'

/** On phones the worst comes first; the rows of a wide page keep their places. */
const faces = {
  works: { word: 'Works', Icon: Check, look: 'text-ink-2 [&>svg]:text-success', place: '' },
  look: {
    word: 'Look soon',
    Icon: TriangleAlert,
    look: 'text-warn font-semibold',
    place: 'max-lg:-order-1',
  },
  fails: {
    word: 'Failing',
    Icon: CircleAlert,
    look: 'text-danger font-semibold',
    place: 'max-lg:-order-2',
  },
} as const

export function Health({ rows }: { rows: HealthRow[] }) {
  const count = (state: HealthRow['state']) => rows.filter((row) => row.state === state).length
  const failing = count('fails')
  const said = [count('look') > 0 ? `${count('look')} to look at` : '', `${count('works')} work`]
  return (
    <section aria-labelledby="health" className="mt-7">
      <div className="flex flex-wrap items-baseline gap-x-4 border-b border-line pb-3">
        <h2 id="health" className="font-display text-h3 font-semibold">
          Health
        </h2>
        <p className="text-small text-ink-2">
          {failing > 0 ? (
            <>
              <strong className="font-semibold text-danger">{failing} failing</strong> ·{' '}
            </>
          ) : null}
          {said.filter(Boolean).join(' · ')}
        </p>
      </div>
      <p role="alert" className="sr-only">
        {rows
          .flatMap(({ name, state }) => (state === 'fails' ? `${name} is failing.` : []))
          .join(' ')}
      </p>
      <ul className="grid grid-cols-1 gap-x-10 lg:grid-cols-2">
        {rows.map((row) => (
          <Row key={row.name} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Row({ row }: { row: HealthRow }) {
  const [isOpen, setOpen] = useState(false)
  const { word, Icon, look, place } = faces[row.state]
  return (
    <li className={classes('border-b border-rule', place)}>
      <button
        type="button"
        aria-expanded={isOpen}
        title={row.threshold}
        onClick={() => setOpen(!isOpen)}
        className="grid min-h-11 w-full grid-cols-[1fr_auto] items-center gap-x-4 py-1.5 text-left text-small hover:bg-paper-2 sm:grid-cols-[7.25rem_6.5rem_1fr]"
      >
        <span className="font-semibold">{row.name}</span>
        <span className={classes('flex items-center gap-2', look)}>
          <Icon size={18} aria-hidden="true" />
          {word}
        </span>
        <span className="max-sm:col-span-2">
          {row.measure}
          {row.second ? <span className="text-ink-2"> · {row.second}</span> : null}
        </span>
      </button>
      {isOpen ? (
        <p className="max-w-[66ch] pb-3 text-small text-ink-2">
          {row.last ? `${day(row.last.at)}: ${row.last.said} ` : ''}
          {row.advice} {row.threshold}{' '}
          <Link to={adminServerPath(row.group)} className="text-link">
            Its settings
          </Link>
        </p>
      ) : null}
    </li>
  )
}
