/**
 * The engines of the workers of a fleet. Workers write down which they have, because web processes have
 * none and are asked about them: by users, by operators, and by the programs that watch over servers.
 */
import { randomUUID } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'

import type { Db, Queryable } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { DEFAULT_SUMMARY_LANGUAGE, type SummaryLanguage } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Capabilities } from './contract.ts'
import { capabilitiesOf, type EngineNames, notUnderstood, type SetUp } from './engines.ts'
import { workerEngines } from './tables.ts'

/** How often a worker says what it works with, and so that it is still there. */
const SAY_MS = 5_000

/** Writes down what a worker works with, as long as it works. */
export function sayEngines({ db, log, engines }: { db: Db; log: Log; engines: EngineNames }): {
  stop: () => Promise<void>
} {
  const worker = randomUUID()
  let writing = Promise.resolve()
  const say = () => {
    writing = writing
      .then(() => write(db, { worker, says: engines }))
      .catch((error: unknown) =>
        log.debug({ err: error }, 'what this worker works with was not written down'),
      )
  }
  say()
  const timer = setInterval(say, SAY_MS)
  return {
    async stop() {
      clearInterval(timer)
      await writing
      await db
        .delete(workerEngines)
        .where(eq(workerEngines.worker, worker))
        .catch(() => undefined) // A minute later nobody believes the row any more.
    },
  }
}

async function write(
  db: Db,
  { worker, says }: { worker: string; says: EngineNames },
): Promise<void> {
  const saidAt = sql`now()`
  await db
    .insert(workerEngines)
    .values({ worker, says, saidAt })
    .onConflictDoUpdate({ target: workerEngines.worker, set: { says, saidAt } })
  await db.delete(workerEngines).where(sql`${workerEngines.saidAt} < now() - interval '1 hour'`)
}

/**
 * The engine that users are told of: that of this process, or the one that all workers have. Where
 * workers have different ones, nobody knows which of them a recording gets.
 */
export async function engineForUsers(deps: {
  db: Queryable
  engines: EngineNames
}): Promise<EngineNames> {
  const { workers: [first, ...others] = [], ...now } = await enginesNow(deps)
  const isSame = ({ speech, speechModel, writing }: EngineNames) =>
    speech === first?.speech && speechModel === first.speechModel && writing === first.writing
  if (!first || !others.every(isSame)) return now
  const { fetching } = now
  return { ...first, fetching }
}

export type EnginesNow = EngineNames & {
  /** The engines of each worker of a fleet; absent where this process has an engine itself. */
  workers?: EngineNames[]
}

/** The engines that work on recordings: of this process, or of the workers that were heard of lately. */
export async function enginesNow({
  db,
  engines,
}: {
  db: Queryable
  engines: EngineNames
}): Promise<EnginesNow> {
  if (engines.speech !== 'workers') return engines
  const rows = await db
    .select({ says: workerEngines.says })
    .from(workerEngines)
    .where(sql`${workerEngines.saidAt} > now() - interval '1 minute'`)
  const workers = rows.map(({ says }) => says)
  // Of several downloads the one that ends last.
  const [fetching] = workers
    .flatMap((each) => each.fetching ?? [])
    .toSorted((a, b) => (a.percent ?? 100) - (b.percent ?? 100))
  return { ...engines, workers, ...(fetching && { fetching }) }
}

/** How old what a page says of the workers may be. */
const FRESH_MS = 5_000

/** What this server can do. Every page asks, so a fleet is not asked for each of them. */
export function capabilitiesNow(
  { db, engines }: { db: Db; engines: EngineNames },
  setUp: SetUp,
): () => Promise<Capabilities> {
  let fleet: Promise<Capabilities> | undefined
  let askedAt = 0
  const ask = async (before: typeof fleet) => {
    const now = await enginesNow({ db, engines }).catch(() => null)
    // Pages are there while the database is away.
    return now === null && before ? before : capabilitiesOf(now?.workers ?? [], setUp)
  }
  return async () => {
    if (engines.speech !== 'workers') return capabilitiesOf([engines], setUp)
    if (!fleet || Date.now() - askedAt > FRESH_MS) {
      askedAt = Date.now()
      fleet = ask(fleet)
    }
    return fleet
  }
}

/** Whether a language model writes for every job. */
export async function isByModel(deps: { db: Queryable; engines: EngineNames }): Promise<boolean> {
  const all = await engineList(deps)
  return all.length > 0 && all.every(({ writing }) => writing === 'llm')
}

/**
 * Refuses a spoken language that no engine here understands: it would be heard as another one, and
 * charged.
 *
 * @throws Refusal `language_off`
 */
export async function needHeard(
  deps: { db: Queryable; engines: EngineNames },
  language: string | null | undefined,
): Promise<void> {
  if (!language) return
  const setUp = { google: false, isSecure: false }
  const { languages } = capabilitiesOf(await engineList(deps), setUp)
  if (languages === null || languages.includes(language)) return
  throw new Refusal('language_off', { message: notUnderstood(language, languages) })
}

/** Of these options the names of those that the engines here make no use of. */
export async function unusedOf(
  deps: { db: Queryable; engines: EngineNames },
  { terms }: { terms?: readonly string[] | null | undefined },
): Promise<string[]> {
  if (!terms?.length) return []
  const all = await engineList(deps)
  const isUnused = all.some(({ capabilities }) => capabilities && !capabilities.takesTerms)
  return isUnused ? ['terms'] : []
}

async function engineList(deps: { db: Queryable; engines: EngineNames }): Promise<EngineNames[]> {
  const { workers, ...own } = await enginesNow(deps)
  return workers ?? [own]
}

/**
 * Refuses a summary in a language that nobody here can write. Where no model is set up it is in the
 * language that was spoken; the default is let through, because who says nothing has it.
 *
 * @throws Refusal `summary_language_off`
 */
export async function needSummaryIn(
  deps: { db: Queryable; engines: EngineNames },
  wanted: SummaryLanguage,
  isSpoken: () => boolean | Promise<boolean>,
): Promise<void> {
  if (wanted === 'auto' || wanted === DEFAULT_SUMMARY_LANGUAGE) return
  if (!(await engineList(deps)).some(({ writing }) => writing === 'extractive')) return
  if (!(await isSpoken())) throw new Refusal('summary_language_off')
}
