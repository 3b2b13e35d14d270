import { Refusal } from '#shared/refusals.ts'

import type { ExportOptions } from './contract.ts'
import { frameOf, rates } from './frames.ts'

/** The timecode at which the film begins; null where it was not said. @throws Refusal `no_such_timecode` */
export function filmStartOf({
  filmStart,
  frameRate,
}: Pick<ExportOptions, 'filmStart' | 'frameRate'>): string | null {
  const timecode = filmStart?.trim() ?? ''
  if (timecode === '') return null
  if (frameOf(timecode, rates[frameRate]) === null) throw new Refusal('no_such_timecode')
  return timecode
}
