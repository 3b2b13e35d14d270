/** What somebody knows of a recording before it is worked on: as it comes, and as it is kept. */
import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'

import { transcriptions } from '#features/transcriptions/tables.ts'
import type { Db } from '#server/db.ts'
import { isStorable } from '#server/storable.ts'
import { Refusal } from '#shared/refusals.ts'

import { type LastOptions, type RecordingOptions, Terms } from './contract.ts'

/** As the rows of uploads and transcriptions have them; null where nothing was said. */
export type KeptOptions = Pick<
  typeof transcriptions.$inferInsert,
  'spokenLanguage' | 'askedSpeakers' | 'terms'
>

/**
 * What a form, or a body, says of them. A form has its terms as a JSON list.
 *
 * @throws Refusal `invalid_request`
 */
export function optionsIn({
  language,
  speakers,
  terms,
}: Pick<RecordingOptions, 'language' | 'speakers'> & {
  terms?: string | string[] | undefined
}): KeptOptions {
  return {
    spokenLanguage:
      language === undefined || language === '' || language === 'auto' ? null : language,
    askedSpeakers: speakers ?? null,
    terms: typeof terms === 'string' ? termsIn(terms) : (terms ?? null),
  }
}

function termsIn(text: string): string[] | null {
  if (text.trim() === '') return null
  const { success, data } = Terms.safeParse(listIn(text))
  if (success && isStorable(data)) return data
  throw new Refusal('invalid_request', {
    message:
      'The names and terms are a JSON list of up to 100, of 60 letters each. Nothing was charged.',
  })
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Those of the newest recording that came with some: the pages offer them for the next one. */
export async function lastOptions({ db }: { db: Db }, userId: string): Promise<LastOptions> {
  const { spokenLanguage, askedSpeakers, terms, createdAt, deletedAt } = transcriptions
  const [found] = await db
    .select({ spokenLanguage, askedSpeakers, terms })
    .from(transcriptions)
    .where(
      and(
        eq(transcriptions.userId, userId),
        isNull(deletedAt),
        isNull(transcriptions.againOf),
        isNotNull(askedSpeakers),
      ),
    )
    .orderBy(desc(createdAt))
    .limit(1)
  return {
    language: found?.spokenLanguage ?? 'auto',
    speakers: found?.askedSpeakers ?? 'auto',
    terms: found?.terms ?? [],
  }
}
