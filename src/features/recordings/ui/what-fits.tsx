import { MAX_UPLOAD_BYTES } from '#shared/business.ts'

/** Usual sound at usual quality; the length is the limit divided by the rate. */
const rates = [
  { what: 'WAV, as on a CD', kilobits: 1411 },
  { what: 'MP3 of good quality', kilobits: 128 },
  { what: 'M4A voice memo', kilobits: 64 },
  { what: 'Opus voice message', kilobits: 24 },
]

function lengthThatFits(kilobits: number): string {
  const minutes = (MAX_UPLOAD_BYTES * 8) / (kilobits * 1000) / 60
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${Math.floor(minutes)} minutes`
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** How long a file of the largest size is. */
export function WhatFits() {
  return (
    <dl className="max-w-80 pt-1.5">
      {rates.map(({ what, kilobits }) => (
        <div key={what} className="flex justify-between gap-4 border-t border-rule py-1.5">
          <dt>{what}, 100MB</dt>
          <dd>about {lengthThatFits(kilobits)}</dd>
        </div>
      ))}
    </dl>
  )
}
