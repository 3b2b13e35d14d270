/**
 * A worker process whose recogniser costs nothing, for tests and benches of everything around it:
 *
 * node test/free-worker.ts NAME
 *
 * It takes the settings of a real worker, and FREE_RECOGNISE_MS: how long it needs for a recording.
 * With FREE_IS_ALONE it is the only server of its database, and takes over the jobs of a killed one
 * at once. A recording of POISON_SECONDS kills it each time.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import type { Chunk, Engine, Word } from '#features/speech/engines/engine.ts'
import { engineInUse } from '#features/speech/speech.ts'
import { outboxDir } from '#root/app.ts'
import { queues, startWorker } from '#root/worker.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db.ts'
import { createLog } from '#server/log.ts'
import { outboxMailer } from '#server/mail.ts'
import { openQueue } from '#server/queue.ts'
import { diskStorage } from '#server/storage.ts'
import { systemClock } from '#shared/clock.ts'

import { anEngine } from './engine.ts'
import { POISON_SECONDS } from './roles.ts'

function freeEngine(name: string, recogniseMs: number): Engine {
  return anEngine({
    name,
    async recognise({ sampleCount }, chunks, { signal }) {
      if (Math.round(sampleCount / 16_000) === POISON_SECONDS) process.kill(process.pid, 'SIGKILL')
      await sleep(recogniseMs, undefined, { signal })
      return { kind: 'done', language: 'en', words: chunks.map(oneWord) }
    },
  })
}

const oneWord = ({ startMs, endMs }: Chunk): Word => ({
  text: 'meeting',
  startMs,
  endMs,
  confidence: 0.9,
})

const [name = 'free'] = process.argv.slice(2)
const config = readConfig(process.env)
const log = createLog()
const database = await openDatabase(config.databaseUrl ?? '', { log })
const isOnlyServer = process.env['FREE_IS_ALONE'] === '1'
const queue = await openQueue(database, { log, queues, isOnlyServer })
const mailer = outboxMailer(outboxDir(config), config.mail.from)
const worker = await startWorker({
  config,
  database,
  queue,
  storage: diskStorage(`${config.dataDir}/files`),
  clock: systemClock,
  log,
  engines: { speech: name, writing: 'extractive', decoder: 'sandboxed' },
  mailer,
  engine: engineInUse(freeEngine(name, Number(process.env['FREE_RECOGNISE_MS'] ?? 0))),
})
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))
process.on('uncaughtException', (error) => log.error({ err: error }, 'uncaught exception'))
process.on('SIGTERM', () => {
  worker.stop()
  void queue
    .stop({ timeoutMs: 4_000 })
    .then(() => database.close())
    .then(() => process.exit(0))
})
process.stdout.write(`${name} works on jobs.\n`)
