import { Link } from 'react-router'

import { formatMoment } from '#shared/format.ts'

import type { Same } from '../contract.ts'

/** "You have this one, from Nov 20. Open it" */
export function SameNote({ same: { id, createdAt } }: { same: Same }) {
  const moment = formatMoment(createdAt)
  const day = moment.startsWith('Today') ? 'today' : moment.replace(/, \d+:\d\d$/, '')
  return (
    <>
      You have this one, from {day}.{' '}
      <Link to={{ search: `?t=${id}` }} className="text-link">
        Open it
      </Link>
    </>
  )
}

/** "This file seems to be silent. Listen to it" */
export function SilentNote({ onListen }: { onListen: (() => void) | null }) {
  return (
    <>
      This file seems to be silent.{' '}
      {onListen ? (
        <button type="button" className="text-link pointer-coarse:min-h-11" onClick={onListen}>
          Listen to it
        </button>
      ) : null}
    </>
  )
}
