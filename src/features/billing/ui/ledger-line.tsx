import { Link } from 'react-router'

import { formatClock, formatDate } from '#shared/format.ts'
import { transcriptionPath } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'
import { Timecode } from '#web/ui/timecode.tsx'

import type { CreditLine } from '../contract.ts'
import { signed } from './plan-words.ts'

/** One job or payment: a row of five columns, on phones a block with the amounts at its right edge. */
export function LedgerLine({ line }: { line: CreditLine }) {
  const isPlus = line.change > 0
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 border-b border-rule py-4 text-small sm:grid-cols-[8rem_6rem_1fr_4rem_5rem]">
      <p className="max-sm:order-4 max-sm:mt-1">
        <time dateTime={line.at}>
          {formatDate(line.at)}{' '}
          <span className="font-mono text-code text-ink-2 tabular-nums sm:block">
            {formatClock(line.at)}
          </span>
        </time>
      </p>
      <p className={classes('font-semibold max-sm:hidden', line.what === 'Held' && 'text-ink-2')}>
        {line.what}
      </p>
      <div className="min-w-0 max-sm:order-1">
        <p className="text-ui leading-5.5! font-semibold wrap-anywhere">
          <Title line={line} />
        </p>
        <Note line={line} />
        {line.entries.length > 1 ? <Entries entries={line.entries} /> : null}
      </div>
      <p
        className={classes(
          'text-right text-ui leading-5.5! font-semibold tabular-nums max-sm:order-2',
          isPlus && 'text-success',
          line.what === 'Held' && 'text-ink-2',
        )}
      >
        <span className="sr-only">Change </span>
        {signed(line.change)}
      </p>
      <p className="text-right text-ui leading-5.5! text-ink-2 tabular-nums max-sm:order-5 max-sm:mt-1">
        <span className="sr-only">Balance </span>
        {line.balance.toLocaleString('en-US')}
      </p>
    </li>
  )
}

function Title({ line: { title, transcriptionId } }: { line: CreditLine }) {
  if (transcriptionId === null) return title
  return (
    <Link to={transcriptionPath(transcriptionId)} className="hover:underline">
      {title}
    </Link>
  )
}

function Note({ line: { what, seconds, note, receiptUrl } }: { line: CreditLine }) {
  return (
    <p className="text-ink-2">
      <span className="font-semibold sm:hidden">
        {what === 'Held' ? 'Held, reserved' : what}
        {seconds !== null || note !== null ? ' · ' : ''}
      </span>
      {seconds === null ? null : <Timecode s={seconds} />}
      {seconds !== null && note !== null ? ' ' : ''}
      {note}
      {receiptUrl ? (
        <>
          {' · '}
          <a href={receiptUrl} target="_blank" rel="noopener noreferrer" className="text-link">
            Receipt<span className="sr-only"> (opens in a new tab)</span>
          </a>
        </>
      ) : null}
    </p>
  )
}

function Entries({ entries }: { entries: CreditLine['entries'] }) {
  return (
    <details className="mt-1">
      <summary className="inline-flex min-h-6 items-center text-link">
        {entries.length} entries
      </summary>
      <ul className="mt-2 rounded-control bg-paper-2 px-3.5 py-2">
        {entries.map(({ at, words, change, balance }) => (
          <li key={`${at} ${words}`} className="flex items-baseline gap-4 py-1">
            <time dateTime={at} className="font-mono text-code text-ink-2 tabular-nums">
              {formatClock(at)}
            </time>
            <span className="flex-1">{words}</span>
            <span className="font-semibold tabular-nums">{signed(change)}</span>
            <span className="w-14 text-right text-ink-2 tabular-nums">
              <span className="sr-only">Balance </span>
              {balance.toLocaleString('en-US')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
