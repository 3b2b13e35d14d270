/**
 * Types of documents that users describe themselves. What this promises:
 *
 * - An account has at most 20 of them, and each name once, however it is spelled.
 * - A document is written by its type as it was when the document was ordered, or not at all: the
 *   order keeps a copy (decision 068).
 * - A trial is written of our sample. It stores nothing and costs no credits. An account has ten in a
 *   day, counted in the database, and one at a time in each process.
 */
import { and, asc, eq } from 'drizzle-orm'

import {
  type DocumentKindId,
  type DocumentAnswer,
  type OwnFlaw,
  type OwnKind,
  type OwnOrder,
  type Writer,
  ownLengths,
} from '#features/writing/contract.ts'
import { type Db, type Queryable, type Tx, lock } from '#server/db.ts'
import * as limits from '#server/limits.ts'
import type { Exporter } from '#server/personal-data.ts'
import { MOST_TEMPLATES, TRIALS_A_DAY } from '#shared/business.ts'
import type { Clock } from '#shared/clock.ts'
import { Refusal } from '#shared/refusals.ts'
import { nameKeyOf, tidyLines, tidyText } from '#shared/written.ts'

import type {
  DocumentTemplate,
  DocumentTemplates,
  DocumentType,
  DocumentTypeId,
  Trial,
  TryTemplate,
  WriteTemplate,
} from './contract.ts'
import { documentTemplates } from './tables.ts'

type Row = typeof documentTemplates.$inferSelect
type Whose = { userId: string; id: string }

const PREFIX = 'template:'
export const isBuiltIn = (type: DocumentTypeId): type is DocumentKindId => !type.startsWith(PREFIX)

/** By name. */
export async function list(
  { db, clock }: { db: Queryable; clock: Clock },
  userId: string,
): Promise<DocumentTemplates> {
  const { counted } = await limits.lastHour(db, trialsOf(userId, clock()))
  const templates = (await rowsOf(db, userId)).map(shown)
  return { templates, trialsLeft: Math.max(0, TRIALS_A_DAY - counted) }
}

/** As they are offered beside the types that everybody has. */
export async function types(db: Queryable, userId: string): Promise<DocumentType[]> {
  return (await rowsOf(db, userId)).map(({ id, name, instructions, length }) => ({
    id: `${PREFIX}${id}`,
    name,
    icon: 'PenLine',
    description: beginningOf(instructions),
    includeImages: false,
    ...ownLengths[length],
    isOwn: true,
  }))
}

/** The copy of this type that an order keeps. @throws Refusal `template_gone` */
export async function copyOf(
  db: Queryable,
  { userId, type }: { userId: string; type: DocumentTypeId },
): Promise<OwnKind> {
  const [row] = await db
    .select()
    .from(documentTemplates)
    .where(isOwned({ userId, id: type.slice(PREFIX.length) }))
  if (!row) throw new Refusal('template_gone')
  const { name, instructions, length, parts } = row
  return { name, instructions, length, parts }
}

/**
 * Makes a new one, or changes that of an id. Documents that were ordered before stay as they were
 * ordered.
 *
 * @throws Refusal `not_found`, `template_exists`, `too_many_templates`
 */
export async function save(
  { db, clock }: { db: Db; clock: Clock },
  { userId, id = null, ...wanted }: WriteTemplate & { userId: string; id?: string | null },
): Promise<DocumentTemplate> {
  return db.transaction(async (tx) => {
    await lock(tx, `templates:${userId}`)
    const known = await rowsOf(tx, userId)
    const fields = { ...fieldsOf(wanted), changedAt: clock() }
    if (known.some((one) => one.id !== id && one.nameKey === fields.nameKey))
      throw new Refusal('template_exists')
    if (id === null && known.length >= MOST_TEMPLATES) throw new Refusal('too_many_templates')
    const [row] =
      id === null
        ? await tx
            .insert(documentTemplates)
            .values({ userId, ...fields, createdAt: fields.changedAt })
            .returning()
        : await tx.update(documentTemplates).set(fields).where(isOwned({ userId, id })).returning()
    if (!row) throw new Refusal('not_found')
    return shown(row)
  })
}

/** @throws Refusal `not_found` */
export async function remove(db: Db, whose: Whose): Promise<void> {
  const gone = await db
    .delete(documentTemplates)
    .where(isOwned(whose))
    .returning({ id: documentTemplates.id })
  if (gone.length === 0) throw new Refusal('not_found')
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function isOwned({ userId, id }: Whose) {
  if (!uuid.test(id)) throw new Refusal('not_found')
  return and(eq(documentTemplates.id, id), eq(documentTemplates.userId, userId))
}

const rowsOf = (db: Queryable, userId: string): Promise<Row[]> =>
  db
    .select()
    .from(documentTemplates)
    .where(eq(documentTemplates.userId, userId))
    .orderBy(asc(documentTemplates.nameKey))

/** As it is stored. @throws Refusal `invalid_request` where nothing is left that can be seen */
function fieldsOf({ name, instructions, length, parts }: WriteTemplate) {
  const tidy = { name: tidyText(name), instructions: tidyLines(instructions) }
  if (tidy.name === '' || tidy.instructions === '') throw new Refusal('invalid_request')
  return { ...tidy, nameKey: nameKeyOf(name), length, parts: [...new Set(parts)] }
}

function shown({ id, name, instructions, length, parts, createdAt, changedAt }: Row) {
  return {
    id,
    name,
    instructions,
    length,
    parts,
    createdAt: createdAt.toISOString(),
    changedAt: changedAt.toISOString(),
  }
}

const BEGINNING = 90

/** The first line of the instructions, cut between words. */
function beginningOf(instructions: string): string {
  const [line = ''] = instructions.split('\n')
  if (line.length <= BEGINNING) return line
  const end = line.lastIndexOf(' ', BEGINNING)
  return `${line.slice(0, end > BEGINNING / 2 ? end : BEGINNING).trimEnd()}…`.toWellFormed()
}

export interface TrialDeps {
  db: Db
  clock: Clock
  /** The writer of this process, which may be another one than that of the workers. */
  writer: Writer
  /** The transcript of our sample recording. */
  sample(now: Date): Promise<Omit<OwnOrder, 'own'>>
}

/** The users whose trial is being written by this process. */
const underWay = new Set<string>()

/**
 * Writes a document of the sample, as it would be written of a recording. The trial counts even when it
 * fails: the model has worked.
 *
 * @throws Refusal `template_trial_under_way`, `too_many_template_trials`, `template_trial_failed`; the signal's reason when it is
 * aborted
 */
export async function tryOut(
  { db, clock, writer, sample }: TrialDeps,
  { userId, name = 'Trial', ...wanted }: TryTemplate & { userId: string },
  signal: AbortSignal,
): Promise<Trial> {
  if (underWay.has(userId)) throw new Refusal('template_trial_under_way')
  underWay.add(userId)
  try {
    const { nameKey: _, ...own } = fieldsOf({ ...wanted, name })
    const now = clock()
    const trials = trialsOf(userId, now)
    const day = await limits.takeAlone(db, trials)
    limits.refuseFull(day, 'too_many_template_trials')
    const began = performance.now()
    const answer = await writer.compose({ ...(await sample(now)), own }, { signal })
    if (answer.kind !== 'written')
      throw new Refusal('template_trial_failed', {
        message: `${whyNot(answer)} Nothing was charged.`,
      })
    const { title, content, wordCount, note } = answer.document
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const trialsLeft = Math.max(0, TRIALS_A_DAY - day.counted - 1)
    return { title, content, wordCount, note, seconds, trialsLeft }
  } finally {
    underWay.delete(userId)
  }
}

const trialsOf = (userId: string, now: Date) => ({
  key: `day:trial:${userId}`,
  limit: TRIALS_A_DAY,
  withinMs: limits.DAY_MS,
  now,
})

const flaws: Record<OwnFlaw, string> = {
  bounds: 'it did not keep to the length',
  invented: 'most of it was names, numbers or quotes that nobody said',
  language: 'it was in another language than the recording’s',
  prompt: 'it repeated the instructions',
  repeats: 'it said the same again and again',
  other: 'it was no document',
}

/** Why there is no document, in a sentence. */
export function whyNot(answer: Exclude<DocumentAnswer, { kind: 'written' }>): string {
  switch (answer.kind) {
    case 'too_little':
      return 'This recording says too little, or too little of it was understood, for a document.'
    case 'no_model':
      return 'This server has no language model, and a document of your own type needs one.'
    case 'away':
      return 'The language model of this server could not be reached.'
    case 'slow':
      return 'The language model of this server took too long.'
    case 'not_passed':
      return `What the language model wrote is not shown: ${flaws[answer.why]}.`
  }
}

/** Removes a user's types, and answers how many there were. */
export async function erase(tx: Tx, userId: string): Promise<number> {
  await limits.forget(tx, [`day:trial:${userId}`])
  const rows = await tx
    .delete(documentTemplates)
    .where(eq(documentTemplates.userId, userId))
    .returning({ id: documentTemplates.id })
  return rows.length
}

export function templatesExporter(db: Db): Exporter {
  const read = async (userId: string) => {
    const all = (await rowsOf(db, userId)).map(shown)
    return all.length === 0 ? null : JSON.stringify(all, null, 2)
  }
  return {
    name: 'document types',
    async sizeFor(userId) {
      const content = await read(userId)
      return { files: content === null ? 0 : 1, sizeBytes: Buffer.byteLength(content ?? '') }
    },
    async *exportFor(userId) {
      const content = await read(userId)
      if (content !== null) yield { path: 'document-types.json', content, modifiedAt: new Date() }
    },
  }
}
