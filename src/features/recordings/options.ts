/** The options of a recording, and the document that is asked for: as they come, and as they are kept. */
import { and, desc, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'

import type { KeptOrder } from '#features/documents/contract.ts'
import * as documents from '#features/documents/documents.ts'
import { type NewRow, shownRows } from '#features/row/row.ts'
import type { Db } from '#server/db.ts'
import type { Form } from '#server/request-body.ts'
import { isStorable } from '#server/storable.ts'
import { inOurWords, wrongField } from '#server/wrong-fields.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { isAfter, onClockOf } from '#shared/recorded.ts'
import { Refusal } from '#shared/refusals.ts'

import {
  type BeginUpload,
  type LastOptions,
  type RecordingOptions,
  Terms,
  UploadFields,
} from './contract.ts'
import type { EngineNames } from './engines.ts'
import { isByModel, needHeard, needSummaryIn, unusedOf } from './workers.ts'

/** As the rows of uploads and transcriptions have them; null where nothing was said. */
export type KeptOptions = Pick<
  NewRow,
  'spokenLanguage' | 'askedSpeakers' | 'askedChannels' | 'terms'
>

/** When and where it was recorded, as its sender says; null where nothing was said. */
export interface KeptRecorded {
  recordedAt: string | null
  timeZone: string | null
}

/** The things that a user asks for with a recording. */
export interface Wish {
  summaryLanguage: SummaryLanguage
  options: KeptOptions
  recorded: KeptRecorded
  /** The document that is to be made of it. */
  document: KeptOrder | null
  /** The names of what came with it and is made no use of here. */
  ignored: readonly string[]
}

type Said = z.output<typeof UploadFields>

/** The wish in the form of an upload. @throws Refusal `invalid_request` */
export function wishIn(fields: Form<unknown>['fields']): Wish {
  const last = Object.entries(fields).map(([name, values]) => [name, values.at(-1)])
  const parsed = UploadFields.safeParse(Object.fromEntries(last), { error: inOurWords('body') })
  if (parsed.success)
    return {
      ...wishOf(parsed.data),
      ignored: Object.keys(fields).filter((name) => !(name in UploadFields.shape)),
    }
  throw wrongField(parsed.error.issues, 'body')
}

/** As an answer has them: not at all where there are none. */
export const ignoredIn = ({ ignored }: Pick<Wish, 'ignored'>) =>
  ignored.length === 0 ? {} : { ignored: [...ignored] }

/** The same of a body of JSON. */
export function wishOf(
  said: Said | Pick<z.output<typeof BeginUpload>, Exclude<keyof Said, 'recordedAt'>>,
): Wish {
  const { summaryLanguage, generateDocument, documentType, includeImages } = said
  const isDocumentWanted = String(generateDocument) === 'true'
  if (isDocumentWanted && !documentType)
    throw new Refusal('invalid_request', {
      message: 'Please choose a type for the document. Nothing was charged.',
      field: 'documentType',
    })
  const document =
    isDocumentWanted && documentType
      ? { documentType, includeImages: String(includeImages) === 'true' }
      : null
  const recorded = {
    recordedAt: ('recordedAt' in said && said.recordedAt) || null,
    timeZone: said.timeZone ?? null,
  }
  return { summaryLanguage, options: optionsIn(said), recorded, document, ignored: [] }
}

/**
 * A wish that can be fulfilled here, with its document as it is kept.
 *
 * @throws Refusal `documents_need_plan`, `templates_off`, `template_gone`, `language_off`, `summary_language_off`,
 * `invalid_request` for what will be recorded only later
 */
export async function accept<W extends Wish & { userId: string }>(
  deps: { db: Db; engines: EngineNames; clock: Clock },
  asked: W,
): Promise<W> {
  refuseFuture(asked.recorded, deps.clock())
  const { userId, summaryLanguage, options } = asked
  const order = asked.document && { ...asked.document, userId }
  await needHeard(deps, options.spokenLanguage)
  const document = order && (await documents.accept(deps.db, order, () => isByModel(deps)))
  await needSummaryIn(deps, summaryLanguage, () => options.spokenLanguage === summaryLanguage)
  return { ...asked, document, ignored: [...asked.ignored, ...(await unusedOf(deps, options))] }
}

/** @throws Refusal `invalid_request` */
export function refuseFuture({ recordedAt, timeZone }: KeptRecorded, now: Date): void {
  const at = recordedAt === null ? null : onClockOf(timeZone ?? 'UTC', recordedAt)
  if (at !== null && isAfter(at, now))
    throw new Refusal('invalid_request', {
      message: 'A recording cannot have been made in the future. Nothing was charged.',
      field: 'recordedAt',
    })
}

/**
 * The options in a form, or in a body. A form has its terms as a JSON list.
 *
 * @throws Refusal `invalid_request`
 */
export function optionsIn({
  language,
  speakers,
  channels,
  terms,
}: Pick<RecordingOptions, 'language' | 'speakers' | 'channels'> & {
  terms?: string | string[] | undefined
}): KeptOptions {
  return {
    spokenLanguage:
      language === undefined || language === '' || language === 'auto' ? null : language,
    askedSpeakers: speakers ?? null,
    askedChannels: channels ?? null,
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
    field: 'terms',
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
  const { spokenLanguage, askedSpeakers, askedChannels, terms, createdAt } = shownRows
  const [found] = await db
    .select({ spokenLanguage, askedSpeakers, askedChannels, terms })
    .from(shownRows)
    .where(and(eq(shownRows.userId, userId), isNotNull(askedSpeakers)))
    .orderBy(desc(createdAt))
    .limit(1)
  return {
    language: found?.spokenLanguage ?? 'auto',
    speakers: found?.askedSpeakers ?? 'auto',
    channels: found?.askedChannels ?? 'auto',
    terms: found?.terms ?? [],
  }
}
