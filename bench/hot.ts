/**
 * Can one account slow the server down for everybody? It has a transcript of 260,000 characters in
 * one turn, asks for 20 exports of every format at once, three times, and makes 50 changes a second
 * for a minute. Meanwhile /healthz is probed, and that of a second, idle server too: the ratio of
 * the two leaves out what the machine itself does to a probe.
 *
 * npm run bench -- hot [seconds = 60]
 */
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { eq } from 'drizzle-orm'
import { z } from 'zod'

import { ExportFormat } from '#features/exports/contract.ts'
import { turns } from '#features/text/tables.ts'
import { aTranscription } from '#test/factories.ts'

import { type House, type Visitor, openHouse } from './tools/house.ts'
import { probe } from './tools/probe.ts'
import {
  median,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  ratio,
  within,
} from './tools/report.ts'

const [seconds = 60] = process.argv.slice(2).map(Number)
const CHARACTERS = 260_000
const EXPORTS_OF_EACH = 20
const ROUNDS = 3
const EDITS_A_SECOND = 50
const PROBE_EVERY_MS = 50

interface Answer {
  status: number
  ms: number
  isToldWhen: boolean
  body: string
}

const Seen = z.object({
  undo: z.int().nullable(),
  turns: z.array(z.object({ id: z.string(), revision: z.int() })),
})

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

printMachine()
console.log(`load average at the start: ${loadavg()[0]?.toFixed(1)}`)
const watchFile = join(await mkdtemp(join(tmpdir(), 'quoth-hot-')), 'loop.json')
const watch = fileURLToPath(new URL('./tools/loop-watch.ts', import.meta.url))
const house = await openHouse({ NODE_OPTIONS: `--import ${watch}`, LOOP_WATCH: watchFile })
const idle = await openHouse()
try {
  const visitor = await house.visitor()
  const quiet = await probeOf(house, 5_000)
  await attack(visitor, quiet)
} finally {
  agent.destroy()
  await house.stop()
  await idle.stop()
}

async function attack(visitor: Visitor, quiet: readonly number[]): Promise<void> {
  const { id, turnId, others } = await aHugeTurn(house, visitor)
  // Each format is asked for once before the measurement: the first call starts threads and loads
  // code.
  for (const format of ExportFormat.options) await ask('GET', exportOf(id, format), visitor)
  process.kill(house.server.pid, 'SIGUSR2')
  const forMs = seconds * 1000
  const [busyMs, loopMs, idleMs, exported, changed] = await Promise.all([
    probeOf(house, forMs),
    // This call needs no database, so it measures only the event loop and the machine.
    probeOf(house, forMs, '/api/auth/options'),
    probeOf(idle, forMs),
    exports(visitor, id),
    changes(visitor, { id, turnId, others }),
  ])
  const loop = z
    .object({ p50: z.number(), p99: z.number(), most: z.number() })
    .parse(JSON.parse(await readFile(watchFile, 'utf8')))
  const p99 = percentile(busyMs, 0.99)
  const refused = [...exported, ...changed].filter(({ status }) => status === 429 || status === 503)
  const broken = [...exported, ...changed].filter(
    ({ status }) => status === 0 || (status >= 500 && status !== 503),
  )
  const untold = refused.filter(({ isToldWhen }) => !isToldWhen).length
  printFigures(
    `One account at work for ${seconds} s (load average now ${loadavg()[0]?.toFixed(1)})`,
    [
      within('/healthz p99', p99, 50),
      {
        what: '/healthz p50, worst',
        figure: `${milliseconds(median(busyMs))}, ${milliseconds(Math.max(...busyMs))}`,
      },
      {
        what: 'the same of a server with nothing to do: p50, p99, worst',
        figure: threeOf(idleMs),
      },
      {
        what: 'a call without a database beside it: p50, p99, worst',
        figure: threeOf(loopMs),
      },
      { what: 'p99 over that of the idle server', figure: ratio(p99 / percentile(idleMs, 0.99)) },
      {
        what: 'p50, p99 of the server before',
        figure: `${milliseconds(median(quiet))}, ${milliseconds(percentile(quiet, 0.99))}`,
      },
      {
        what: 'its event loop late: p50, p99, worst',
        figure: [loop.p50, loop.p99, loop.most].map(milliseconds).join(', '),
      },
      { what: 'exports: answered with', figure: statusesOf(exported) },
      { what: 'exports that came: median, slowest', figure: spanOf(exported) },
      { what: 'changes: answered with', figure: statusesOf(changed) },
      { what: 'changes that were made: median, slowest', figure: spanOf(changed) },
      {
        what: 'refused without Retry-After',
        figure: `${untold} of ${refused.length}`,
        bar: '0',
        isMet: untold === 0 && refused.length > 0,
      },
      { what: 'broken', figure: String(broken.length), bar: '0', isMet: broken.length === 0 },
    ],
  )
}

/** A huge turn of one-letter words, the most work for its length, and small turns. */
async function aHugeTurn({ database }: House, { userId }: Visitor) {
  const huge = { speaker: 0, text: 'a '.repeat(CHARACTERS / 2).trim() }
  const small = { speaker: 1, text: 'and this is what was said to it' }
  const said = [huge, small, small, small]
  const { id } = await aTranscription(database.db, { userId, turns: said })
  const [first, ...rest] = await database.db
    .select({ id: turns.id })
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .orderBy(turns.position)
  return { id, turnId: first?.id ?? '', others: rest.map((turn) => turn.id) }
}

function probeOf({ server }: House, forMs: number, path = '/healthz'): Promise<number[]> {
  return probe({ url: server.url + path, forMs, everyMs: PROBE_EVERY_MS })
}

function exportOf(id: string, format: ExportFormat): string {
  return `${house.server.url}/api/transcriptions/${id}/export?format=${format}`
}

async function exports(visitor: Visitor, id: string): Promise<Answer[]> {
  const answers: Promise<Answer>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const format of ExportFormat.options)
      for (let copy = 0; copy < EXPORTS_OF_EACH; copy += 1) {
        answers.push(ask('GET', exportOf(id, format), visitor))
      }
    await sleep((seconds * 1000) / ROUNDS)
  }
  return Promise.all(answers)
}

/** Words accepted in the huge turn, 2,000 new words in a small one, and undone again. */
async function changes(
  visitor: Visitor,
  { id, turnId, others }: { id: string; turnId: string; others: string[] },
): Promise<Answer[]> {
  const base = `${house.server.url}/api/transcriptions/${id}`
  const revisions = new Map<string, number>()
  const asked: Promise<Answer>[] = []
  let undoable = 1
  const learn = (answer: Answer): Answer => {
    const seen = Seen.safeParse(answer.body === '' ? null : JSON.parse(answer.body))
    for (const turn of seen.data?.turns ?? []) revisions.set(turn.id, turn.revision)
    undoable = seen.data?.undo ?? undoable
    return { ...answer, body: '' }
  }
  const startedAt = performance.now()
  for (let number = 0; number < seconds * EDITS_A_SECOND; number += 1) {
    await sleep(Math.max(0, startedAt + (number * 1000) / EDITS_A_SECOND - performance.now()))
    const other = others[number % others.length] ?? ''
    const revision = revisions.get(other) ?? 0
    const text = Array.from({ length: 2_000 }, (_, word) => `w${(word * number) % 977}`).join(' ')
    const [method, path, payload] =
      number % 3 === 0
        ? ['POST', `/turns/${turnId}/accept`, { words: [number % 100_000], revision: 0 }]
        : number % 3 === 1
          ? ['PATCH', `/turns/${other}`, { text, revision }]
          : ['POST', '/undo', { edit: undoable }]
    asked.push(ask(method, base + path, { ...visitor, payload }).then(learn))
  }
  return Promise.all(asked)
}

async function ask(
  method: string,
  url: string,
  { headers = {}, payload }: { headers?: Record<string, string>; payload?: unknown },
): Promise<Answer> {
  const type = payload === undefined ? {} : { 'Content-Type': 'application/json' }
  const sentAt = performance.now()
  const call = request(url, { method, agent, headers: { ...headers, ...type } })
  call.end(payload === undefined ? undefined : JSON.stringify(payload))
  try {
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    let body = ''
    const isShort = method !== 'GET'
    // The answer is thrown away, so that the bench itself is not the slow part.
    answer.on('data', (chunk: Buffer) => {
      if (isShort && body.length < 60_000) body += chunk.toString()
    })
    await once(answer, 'end')
    const { statusCode: status = 0, headers: given } = answer
    const isToldWhen = given['retry-after'] !== undefined
    const isWhole = status === 200 && body.length < 60_000
    return { status, ms: performance.now() - sentAt, isToldWhen, body: isWhole ? body : '' }
  } catch {
    return { status: 0, ms: performance.now() - sentAt, isToldWhen: false, body: '' }
  }
}

const threeOf = (times: readonly number[]): string =>
  [median(times), percentile(times, 0.99), Math.max(...times)].map(milliseconds).join(', ')

function statusesOf(answers: readonly Answer[]): string {
  const counts = Map.groupBy(answers, ({ status }) => status)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, all]) => `${status}: ${all.length}`)
    .join(', ')
}

function spanOf(answers: readonly Answer[]): string {
  const times = answers.filter(({ status }) => status === 200).map(({ ms }) => ms)
  return `${milliseconds(median(times))}, ${milliseconds(Math.max(...times))}`
}
