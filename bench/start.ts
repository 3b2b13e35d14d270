/**
 * How fast does the server start, and how much memory does it need while nobody uses it? Cold
 * starts on an empty folder and on one with data; memory with its own PostgreSQL, once it is idle.
 *
 * npm run bench -- start [repeats = 5]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from '#test/client.ts'
import { shortRecording } from '#test/crashes.ts'
import { type RunningServer, freePort, startServer } from '#test/server.ts'

import { fairMemoryOfTree, memoryOf, memoryOfTree } from './tools/processes.ts'
import { median, megabytes, printFigures, printMachine, seconds } from './tools/report.ts'

const [repeats = 5] = process.argv.slice(2).map(Number)
const REST_MS = 15_000
const LIMIT_BYTES = 450 * 1024 * 1024

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
try {
  const first: number[] = []
  for (let index = 0; index < repeats; index++) {
    const { server, ms } = await started(join(folder, String(index)))
    first.push(ms)
    await server.stop()
  }

  const dataDir = join(folder, '0')
  await fill(dataDir)
  const again: number[] = []
  for (let index = 0; index < repeats; index++) {
    const { server, ms } = await started(dataDir)
    again.push(ms)
    await server.stop()
  }
  const crashed: number[] = []
  for (let index = 0; index < repeats; index++) {
    const { server } = await started(dataDir)
    await server.kill()
    const { server: next, ms } = await started(dataDir)
    crashed.push(ms)
    await next.stop()
  }

  const { server } = await started(dataDir)
  await sleep(REST_MS)
  const idle = {
    fair: await fairMemoryOfTree(server.pid),
    plain: await memoryOfTree(server.pid),
    node: memoryOf(server.pid),
  }
  await server.stop()

  printFigures(`Start and rest, ${repeats} repeats`, [
    {
      what: 'ready on an empty folder: database made, tables made (median, worst)',
      figure: spread(first),
      bar: '≤ 5 s',
      isMet: median(first) <= 5000,
    },
    {
      what: 'ready with data',
      figure: spread(again),
      bar: '≤ 3 s',
      isMet: median(again) <= 3000,
    },
    { what: 'ready after a kill -9', figure: spread(crashed) },
    {
      what: `at rest after ${REST_MS / 1000} s: server and PostgreSQL, shared pages counted once`,
      figure: megabytes(idle.fair),
      bar: '≤ 450 MB',
      isMet: idle.fair <= LIMIT_BYTES,
    },
    {
      what: 'the same, shared pages counted for each process (of it Node)',
      figure: `${megabytes(idle.plain)} (${megabytes(idle.node)})`,
    },
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function started(dataDir: string): Promise<{ server: RunningServer; ms: number }> {
  const port = await freePort()
  const startedAt = performance.now()
  const server = await startServer({ dataDir, port })
  return { server, ms: performance.now() - startedAt }
}

/** A user with one finished transcription. */
async function fill(dataDir: string): Promise<void> {
  const { server } = await started(dataDir)
  try {
    const client = new Client(server.url)
    await client.signUp({ email: 'bench@example.com', dataDir })
    const { transcriptionId: id } = await client.upload(await shortRecording(8))
    await client.confirm(id)
    await client.ended(id)
  } finally {
    await server.stop()
  }
}

function spread(values: readonly number[]): string {
  return `${seconds(median(values))} (${seconds(Math.max(...values))})`
}
