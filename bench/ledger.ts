/**
 * Are credits ever made or lost? Random moves by 20 users over 8 connections while the clients and
 * PostgreSQL are killed, and an audit of the whole books after every restart.
 *
 *     npm run bench -- ledger [operations = 10000] [kills = 50] [seed = 7]
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { openDatabase } from '#server/db.ts'
import { seeded } from '#shared/random.ts'
import { type Acknowledged, auditBooks } from '#test/ledger-storm.ts'

import { openBenchDatabase } from './tools/house.ts'

const [operations = 10_000, kills = 50, seed = 7] = process.argv.slice(2).map(Number)
const USERS = 20
const LANES = 8
const client = fileURLToPath(new URL('../test/ledger-client.ts', import.meta.url))
const random = seeded(seed)
const { postgres, stop } = await openBenchDatabase()
const userIds = Array.from({ length: USERS }, () => randomUUID())
const acknowledged: Acknowledged[] = []
const problems: string[] = []
const killed = { clients: 0, databases: 0 }
let attempted = 0
let round = 0
const startedAt = Date.now()

try {
  while (killed.clients + killed.databases < kills || attempted < operations) {
    round++
    const isLast = killed.clients + killed.databases >= kills
    const count = isLast ? operations - attempted : operations
    const child = spawn(
      process.execPath,
      [client, postgres.url, String(seed + round), String(count), String(LANES), ...userIds],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    )
    const lines: string[] = []
    let rest = ''
    child.stdout.on('data', (text: Buffer) => {
      const parts = (rest + text.toString()).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
    })
    const closed = once(child, 'close')
    if (!isLast) {
      const wanted = Math.ceil(operations / kills) * random() * 2
      while (lines.length < wanted && child.exitCode === null) await sleep(5)
      if (random() < 0.4) {
        killed.databases++
        const pid = postgres.pid()
        if (pid !== undefined) process.kill(pid, 'SIGKILL')
        await closed
      } else {
        killed.clients++
        child.kill('SIGKILL')
      }
    }
    await closed
    attempted += lines.length
    for (const line of lines) {
      const move = JSON.parse(line) as Acknowledged | null
      if (move) acknowledged.push(move)
    }
    problems.push(...(await audit()))
  }
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  console.log(
    `${attempted} operations by ${USERS} users over ${LANES} connections, ${acknowledged.length} moves acknowledged; ` +
      `killed ${killed.clients} clients and ${killed.databases} databases, audited ${round} times in ${seconds} s, seed ${seed}: ` +
      `${problems.length} problems in the books`,
  )
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await stop()
}

/** The database may still be starting again. */
async function audit(): Promise<string[]> {
  const deadline = Date.now() + 30_000
  for (;;) {
    try {
      const database = await openDatabase(postgres.url)
      try {
        return await auditBooks(database.db, acknowledged)
      } finally {
        await database.close()
      }
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}
