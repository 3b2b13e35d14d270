/** Markdown with front matter (YAML), which notes and site generators read as fields. */
import { Scalar, stringify } from 'yaml'

import type { Doubt } from '#features/text/words-in-doubt.ts'
import { formatTime } from '#shared/format.ts'

import type { Exported, Write } from './writer.ts'
import { readersNames } from '../speaker-names.ts'
import { toMarkdown } from '../text-formats.ts'

export const write: Write = ({ sections, ...exported }) =>
  `---\n${frontMatter(exported)}---\n\n${toMarkdown(exported.said, { ...exported, before: sections })}`

function frontMatter({
  title,
  createdAt,
  recordedAt,
  language,
  durationMs,
  said,
  names,
  speakers,
  doubt,
  translation,
}: Omit<Exported, 'sections'>): string {
  const nameOf = speakers ? readersNames(said, names) : () => null
  const voices = [...new Set(said.map(({ speaker }) => nameOf(speaker)))].filter(Boolean)
  const fields = {
    title,
    ...(recordedAt === null ? {} : { date: plain(recordedAt) }),
    // The moment: of which day it is depends on where it is read.
    added: plain(createdAt.toISOString().replace(/\.\d+/, '')),
    language,
    ...(translation ? { translated: translation.note } : {}),
    length: formatTime(durationMs / 1000),
    ...(voices.length > 0 ? { speakers: voices } : {}),
    ...(doubt === undefined ? {} : { doubt: shareOf(doubt) }),
  }
  // Quoted, because older readers take 6:42 for a number, and `no` for false.
  return stringify(fields, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    lineWidth: 0,
  })
}

/** A date is read as one only without quotes. */
function plain(text: string): Scalar<string> {
  const scalar = new Scalar(text)
  scalar.type = Scalar.PLAIN
  return scalar
}

/** The share of words that the engine was less sure of; null where it does not say. */
const shareOf = (doubt: Doubt | null): number | null =>
  doubt && doubt.words > 0 ? Math.round((doubt.inDoubt / doubt.words) * 100) / 100 : null
