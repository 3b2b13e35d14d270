/**
 * Can somebody find out who has an account? The four calls that take an address are asked about
 * people who have one, who have none, who never confirmed theirs and who come from Google: status,
 * body and time must not tell them apart.
 *
 *     npm run bench -- enumeration [samples = 200]
 */
import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'

import { users } from '#features/account/tables.ts'
import { anApp } from '#test/app.ts'
import { hashOf } from '#test/factories.ts'

import { openBenchDatabase } from './tools/house.ts'
import { median, milliseconds, printFigures, printMachine } from './tools/report.ts'

const [samples = 200] = process.argv.slice(2).map(Number)
const WARM_UP = 10
const MOST_MS = 5
const LEAST_P = 0.01

const kinds = ['known', 'unknown', 'unverified', 'Google only'] as const
type Kind = (typeof kinds)[number]

const calls = {
  '/api/login': (email: string) => ({ email, password: 'surely not the password' }),
  '/api/register': (email: string) => ({
    email,
    password: 'quoth the raven',
    firstName: 'Ada',
    lastName: 'Lovett',
  }),
  '/api/forgot-password': (email: string) => ({ email }),
  '/api/resend-verification': (email: string) => ({ email }),
}
type Call = keyof typeof calls

printMachine()
const house = await openBenchDatabase()
const server = await anApp(house.database)
try {
  const passwordHash = await hashOf('quoth the raven')
  const figures = []
  for (const call of Object.keys(calls) as Call[]) {
    const times = await ask(call, passwordHash)
    for (const kind of kinds.filter((each) => each !== 'unknown')) {
      const apart = Math.abs(median(times[kind]) - median(times.unknown))
      const p = mannWhitney(times[kind], times.unknown)
      figures.push({
        what: `${call}: ${kind} against unknown (${milliseconds(median(times.unknown))})`,
        figure: `${apart.toFixed(2)} ms, p = ${p.toFixed(3)}`,
        bar: `≤ ${MOST_MS} ms, p > ${LEAST_P}`,
        isMet: apart <= MOST_MS && p > LEAST_P,
      })
    }
  }
  printFigures(`Times, ${samples} of each: difference of medians, Mann-Whitney`, figures)
} finally {
  await server.close()
  await house.stop()
}

/** Each sample has its own mail and network address; the kinds are asked in random order. */
async function ask(call: Call, passwordHash: string): Promise<Record<Kind, number[]>> {
  const asked = await people(passwordHash)
  const times: Record<Kind, number[]> = {
    known: [],
    unknown: [],
    unverified: [],
    'Google only': [],
  }
  const answers = new Map<string, Set<Kind>>()
  for (const [index, { kind, email }] of asked.entries()) {
    const remoteAddress = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    const payload = calls[call](email)
    const start = performance.now()
    const answer = await server.inject({ method: 'POST', url: call, payload, remoteAddress })
    const took = performance.now() - start
    if (index < WARM_UP * kinds.length) continue
    times[kind].push(took)
    const said = `${answer.statusCode} ${answer.body}`
    answers.set(said, (answers.get(said) ?? new Set()).add(kind))
  }
  const isOne = answers.size === 1
  printFigures(call, [
    {
      what: 'different answers, status and body',
      figure: String(answers.size),
      bar: '1',
      isMet: isOne,
    },
  ])
  return times
}

async function people(passwordHash: string): Promise<{ kind: Kind; email: string }[]> {
  const asked = kinds.flatMap((kind) =>
    Array.from({ length: samples + WARM_UP }, () => ({
      kind,
      email: `${randomUUID()}@example.com`,
      order: Math.random(),
    })),
  )
  const rows = asked
    .filter(({ kind }) => kind !== 'unknown')
    .map(({ kind, email }) => ({
      email,
      emailKey: email,
      firstName: 'Ada',
      lastName: 'Lovett',
      passwordHash: kind === 'Google only' ? null : passwordHash,
      provider: kind === 'Google only' ? ('google' as const) : ('email' as const),
      emailVerifiedAt: kind === 'unverified' ? null : new Date(),
    }))
  await house.database.db.insert(users).values(rows)
  await house.database.db.execute('analyze users')
  return asked.sort((a, b) => a.order - b.order)
}

/** Two-sided p of the rank-sum test, by its normal approximation, which is close from 20 samples on. */
function mannWhitney(a: readonly number[], b: readonly number[]): number {
  const all = [
    ...a.map((value) => ({ value, isA: true })),
    ...b.map((value) => ({ value, isA: false })),
  ]
  all.sort((x, y) => x.value - y.value)
  let rankSum = 0
  for (const [index, { isA }] of all.entries()) if (isA) rankSum += index + 1
  const u = rankSum - (a.length * (a.length + 1)) / 2
  const mean = (a.length * b.length) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return 2 * (1 - normal(Math.abs(u - mean) / deviation))
}

/** The share of a normal distribution below z (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const terms = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = terms.reduce((total, factor, power) => total + factor * t ** (power + 1), 0)
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
