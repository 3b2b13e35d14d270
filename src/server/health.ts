/**
 * Whether this process is well, for the monitors that watch it:
 *
 * - `/livez`: the process answers. It looks at nothing else, because a restart would mend nothing
 *   else.
 * - `/readyz`: requests or jobs can be given to it. Not while it starts or stops, nor without database or
 *   storage.
 * - `/healthz`: the same for people, with the process's engines. 503 only when the database is away, and while
 *   it starts.
 *
 * A probe knows an address and no name, so these answer under any address (see `security.ts`).
 */
import type { FastifyInstance } from 'fastify'

import type { Clock } from '#shared/clock.ts'

import type { Database } from './db.ts'
import * as deletionClock from './deletion-clock.ts'
import type { Space, Storage } from './storage.ts'

/** Problems with which most things still work. */
const lesserProblems = [
  'disk_full',
  'work_disk_full',
  'mail_failing',
  ...deletionClock.clockProblems,
] as const
export const problems = [
  'database_unavailable',
  'storage_unavailable',
  'starting',
  'stopping',
  ...lesserProblems,
] as const
type Problem = (typeof problems)[number]

interface HealthParts {
  database: Pick<Database, 'db'>
  storage: Pick<Storage, 'space'>
  clock: Clock
  /** Whether there is space for another recording. */
  hasSpace: (space: Space) => boolean
  /** Whether this process's own disk has room for its work. */
  hasRoom: () => Promise<boolean>
  /** Whether the last mail, or the last sign-in to the mail server, worked. */
  isMailWorking: () => boolean
  /** Its engines, and other facts about it. */
  facts: () => Promise<object>
}

/** The findings of one look. */
export interface Look {
  problems: Problem[]
  /** Null where storage is away. */
  space: Space | null
}

export interface Health {
  look(): Promise<Look>
  /** From now on nothing new is to be given to this process. */
  leave(): void
  isLeaving(): boolean
  facts: () => Promise<object>
}

/** Problems with which nobody is answered. */
const silent: ReadonlySet<Problem> = new Set(['database_unavailable', 'starting'])
const lesser: ReadonlySet<Problem> = new Set(lesserProblems)

export function healthOf(parts: HealthParts): Health {
  let isStopping = false
  return {
    facts: parts.facts,
    leave() {
      isStopping = true
    },
    isLeaving: () => isStopping,
    async look() {
      // All at once: a probe waits for the slowest of them, and not for one after the other. The
      // reason why one is away is in the log of the work that needed it.
      const [clocks, space, hasRoom] = await Promise.all([
        deletionClock.look({ db: parts.database.db, clock: parts.clock }).catch(() => null),
        parts.storage.space().catch(() => null),
        parts.hasRoom(),
      ])
      const found: Problem[] = isStopping ? ['stopping'] : []
      if (!clocks) found.push('database_unavailable')
      if (!space) found.push('storage_unavailable')
      else if (!parts.hasSpace(space)) found.push('disk_full')
      if (!hasRoom) found.push('work_disk_full')
      if (!parts.isMailWorking()) found.push('mail_failing')
      if (clocks?.problem) found.push(clocks.problem)
      return { problems: found, space }
    },
  }
}

/**
 * The health of a process while it is put together, which may wait long for migrations of another one: it
 * lives, and nothing is to be given to it. Then it is the health that is handed to `use`.
 */
export function startingHealth(): Health & {
  use(real: Health): void
  /** What it waits for: a problem that an operator may have to mend. */
  waitsFor(problem: Problem | null): void
} {
  let health: Health | null = null
  let waited: Problem | null = null
  return {
    use(real) {
      health = real
    },
    waitsFor(problem) {
      waited = problem
    },
    look: async () =>
      health
        ? health.look()
        : { problems: waited ? ['starting', waited] : ['starting'], space: null },
    leave: () => health?.leave(),
    isLeaving: () => health?.isLeaving() ?? false,
    facts: async () => (health ? health.facts() : {}),
  }
}

export function addHealth(app: FastifyInstance, health: Health): void {
  const probe = { config: { isProbe: true } } as const

  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.isProbe) void reply.header('Cache-Control', 'no-store')
  })

  app.get('/livez', probe, async () => ({ status: 'ok' }))

  app.get('/readyz', probe, async (_request, reply) => {
    const { problems } = await health.look()
    const isReady = problems.every((problem) => lesser.has(problem))
    return reply.code(isReady ? 200 : 503).send(inWords(problems))
  })

  app.get('/healthz', probe, async (_request, reply) => {
    const [facts, { problems }] = await Promise.all([health.facts(), health.look()])
    const isAnswering = !problems.some((each) => silent.has(each))
    return reply.code(isAnswering ? 200 : 503).send({ ...inWords(problems), ...facts })
  })
}

function inWords(problems: Problem[]): { status: string; problems?: Problem[] } {
  if (problems.length === 0) return { status: 'ok' }
  const worst = problems.find((problem) => !lesser.has(problem))
  return { status: worst ?? 'degraded', problems }
}
