/**
 * The names, terms and fixed replacements of an account. What this room promises:
 *
 * - A change over another one that its user has not seen is refused, and nothing is written.
 * - A change loses no use that was counted, and no term that was added, meanwhile: uses are kept with
 *   their term.
 */
import { eq } from 'drizzle-orm'

import type { Db, Queryable, Tx } from '#server/db.ts'
import { MOST_REPLACEMENTS, MOST_VOCABULARY_TERMS, LONGEST_TERM } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'
import { tidyText } from '#shared/written.ts'

import type { FixedReplacement, SetVocabulary, Vocabulary } from './contract.ts'
import { type StoredTerm, vocabularies } from './tables.ts'

type Row = Omit<typeof vocabularies.$inferSelect, 'userId'>

const nothing: Row = { revision: 0, terms: [], replacements: [] }

export async function get(db: Queryable, userId: string): Promise<Vocabulary> {
  return shown(await read(db, userId))
}

/** @throws Refusal `edited_elsewhere` */
export async function set(
  db: Db,
  { userId, ...wanted }: SetVocabulary & { userId: string },
): Promise<Vocabulary> {
  return db.transaction(async (tx) => {
    const row = await lock(tx, userId)
    if (wanted.revision !== undefined && wanted.revision !== row.revision)
      throw new Refusal('edited_elsewhere')
    const known = new Map(row.terms.map((each) => [keyOf(each.term), each]))
    const heardAs = new Map(wanted.heardAs?.map(({ term, as }) => [keyOf(term), as]))
    const terms = (wanted.terms ?? row.terms.map(({ term }) => term)).map((text): StoredTerm => {
      const term = tidyText(text)
      const before = known.get(keyOf(term)) ?? { heardAs: [], times: 0, lastAt: null }
      const as = wanted.heardAs ? (heardAs.get(keyOf(term)) ?? []) : before.heardAs
      return { ...before, term, heardAs: unique(as.map(tidyText), (each) => each) }
    })
    return write(tx, userId, {
      revision: row.revision + 1,
      terms: unique(terms, ({ term }) => keyOf(term)),
      replacements:
        wanted.replacements?.map(tidied).filter(({ from }) => from !== '') ?? row.replacements,
    })
  })
}

/**
 * Adds a fixed replacement, or changes the one for the same text.
 *
 * @throws Refusal `vocabulary_full`
 */
export async function remember(
  tx: Tx,
  { userId, ...wanted }: FixedReplacement & { userId: string },
): Promise<void> {
  const row = await lock(tx, userId)
  const added = tidied(wanted)
  const isSame = (each: FixedReplacement) =>
    each.from === added.from &&
    each.matchCase === added.matchCase &&
    each.wholeWord === added.wholeWord
  const replacements = row.replacements.some(isSame)
    ? row.replacements.map((each) => (isSame(each) ? added : each))
    : [...row.replacements, added]
  if (replacements.length > MOST_REPLACEMENTS) throw new Refusal('vocabulary_full')
  await write(tx, userId, { ...row, replacements, revision: row.revision + 1 })
}

/**
 * Keeps terms that somebody named for a recording, as far as there is room for them. New ones count
 * as used now, so that the next recordings get them too before this one is finished.
 */
export async function keepTerms(
  tx: Tx,
  { userId, terms, now }: { userId: string; terms: readonly string[]; now: Date },
): Promise<void> {
  if (terms.length === 0) return
  const row = await lock(tx, userId)
  const added = terms
    .map(tidyText)
    .filter((term) => term !== '' && term.length <= LONGEST_TERM)
    .map((term): StoredTerm => ({ term, heardAs: [], times: 0, lastAt: now.toISOString() }))
  const all = unique([...row.terms, ...added], ({ term }) => keyOf(term)).slice(
    0,
    MOST_VOCABULARY_TERMS,
  )
  if (all.length === row.terms.length) return
  await write(tx, userId, { ...row, terms: all, revision: row.revision + 1 })
}

/**
 * The replacements for a new transcription: the fixed ones in their order, and behind them those of
 * other spellings of terms.
 */
export async function replacementsOf(
  db: Queryable,
  userId: string,
): Promise<{ terms: string[]; replacements: FixedReplacement[] }> {
  const { terms, replacements } = await read(db, userId)
  const spellings = terms.flatMap(({ term, heardAs }) =>
    heardAs.map((from) => ({ from, to: term, matchCase: false, wholeWord: true })),
  )
  return { terms: terms.map(({ term }) => term), replacements: [...replacements, ...spellings] }
}

/** Notes that these terms are said in one more recording. */
export async function countUses(
  tx: Tx,
  { userId, terms, now }: { userId: string; terms: readonly string[]; now: Date },
): Promise<void> {
  if (terms.length === 0) return
  const row = await lock(tx, userId)
  const used = new Set(terms.map(keyOf))
  const counted = row.terms.map((each) =>
    used.has(keyOf(each.term))
      ? { ...each, times: each.times + 1, lastAt: now.toISOString() }
      : each,
  )
  // It is no change of what its owner wrote, so the revision stays.
  await write(tx, userId, { ...row, terms: counted })
}

async function read(db: Queryable, userId: string): Promise<Row> {
  const [row] = await db.select().from(vocabularies).where(eq(vocabularies.userId, userId))
  return row ?? nothing
}

async function lock(tx: Tx, userId: string): Promise<Row> {
  await tx.insert(vocabularies).values({ userId }).onConflictDoNothing()
  const [row] = await tx
    .select()
    .from(vocabularies)
    .where(eq(vocabularies.userId, userId))
    .for('update')
  return row ?? nothing
}

async function write(tx: Tx, userId: string, row: Row): Promise<Vocabulary> {
  await tx.update(vocabularies).set(row).where(eq(vocabularies.userId, userId))
  return shown(row)
}

const tidied = (each: FixedReplacement): FixedReplacement => ({
  ...each,
  from: tidyText(each.from),
  to: tidyText(each.to),
})

const shown = ({ revision, terms, replacements }: Row): Vocabulary => ({
  revision,
  terms: terms.map(({ term }) => term),
  heardAs: terms.flatMap(({ term, heardAs: as }) => (as.length > 0 ? [{ term, as }] : [])),
  used: terms.flatMap(({ term, times, lastAt }) => (lastAt ? [{ term, times, lastAt }] : [])),
  replacements,
})

/** One term for one name, however it is capitalised. */
const keyOf = (term: string): string => tidyText(term).toLowerCase()

/** The first of each key, and nothing without letters. */
function unique<T>(all: readonly T[], key: (each: T) => string): T[] {
  const found = new Map<string, T>()
  for (const each of all) if (key(each) !== '' && !found.has(key(each))) found.set(key(each), each)
  return [...found.values()]
}
