/**
 * Debian's Prometheus watches a web process and a worker: it reads the numbers of the table of jobs,
 * and its alerts fire.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { sql } from 'drizzle-orm'
import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'

import { test } from './cluster.ts'
import { settingsOf, startRealWorker } from './roles.ts'
import { freePort, inherited, startServer } from './server.ts'

const monitoring = path.resolve(import.meta.dirname, '../deploy/monitoring')
const WAIT = { timeout: 60_000, interval: 500 }
const TOKEN = 'a-token-of-this-test-alone'

const Answer = z.object({
  data: z.object({
    result: z.array(
      z.object({
        metric: z.record(z.string(), z.string()),
        value: z.tuple([z.number(), z.string()]),
      }),
    ),
  }),
})

const Panels = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
})

/** Watches these ports by our own rules, which fire at once here. Null where it is not installed. */
async function startPrometheus(ports: Record<string, number>) {
  const dir = await mkdtemp(path.join(tmpdir(), 'quoth-prometheus-'))
  const rules = await readFile(path.join(monitoring, 'quoth.rules.yml'), 'utf8')
  await writeFile(path.join(dir, 'rules.yml'), rules.replaceAll(/for: \d+m/g, 'for: 1s'))
  const jobs = Object.entries(ports).map(([name, port]) => ({
    job_name: `quoth-${name}`,
    authorization: { credentials: TOKEN },
    static_configs: [{ targets: [`127.0.0.1:${port}`] }],
  }))
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: jobs,
  }
  // JSON is YAML too.
  await writeFile(path.join(dir, 'prometheus.yml'), JSON.stringify(settings))
  const port = await freePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${dir}/prometheus.yml`,
      `--storage.tsdb.path=${dir}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { env: inherited, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const isThere = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isThere) return null
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await exited
    await rm(dir, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ status }) => status,
      () => said,
    )
  await expect.poll(isReady, WAIT).toBe(200)
  return {
    /** The present value of an expression, by the job that tells it. */
    async ask(query: string): Promise<Record<string, number>> {
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
      const { data } = Answer.parse(await answer.json())
      return Object.fromEntries(
        data.result.map(({ metric, value }) => [metric['job'] ?? '', Number(value[1])]),
      )
    },
    /** Those that this test is about: a busy machine may have others. */
    async firing(): Promise<string[]> {
      const query = 'ALERTS{alertstate="firing",alertname=~".*(Queue|Worker|Process|Seen).*"}'
      const answer = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`)
      const { data } = Answer.parse(await answer.json())
      return data.result.map(({ metric }) => metric['alertname'] ?? '').sort()
    },
  }
}

test('Prometheus reads the numbers of the table from web and worker, and is alarmed', async ({
  cluster,
  skip,
}) => {
  const { db, dataDir, confirmed } = cluster
  const ports = { web: await freePort(), worker: await freePort() }
  const prometheus = await startPrometheus(ports)
  if (!prometheus) return skip('Prometheus is not installed: sudo apt install prometheus')

  // Nobody sees anything yet.
  await expect
    .poll(prometheus.firing, WAIT)
    .toEqual(['QuothHasNoWorker', 'QuothIsNotSeen', 'QuothProcessIsDown', 'QuothProcessIsDown'])
  // A machine without a recogniser works on mails and leaves recordings to others. The set-up may have
  // fetched a model, so the recogniser is named, and it is not on this path.
  const settings = {
    ...settingsOf(cluster),
    METRICS_TOKEN: TOKEN,
    TRANSCRIBER: 'pocketsphinx',
    PATH: path.join(dataDir, 'programs'),
  }
  const web = await startServer({
    dataDir,
    port: await freePort(),
    settings: { ...settings, ROLE: 'web', OPS_PORT: String(ports.web) },
  })
  onTestFinished(() => web.stop())
  const worker = await startRealWorker(cluster, {
    name: 'watched',
    settings: { ...settings, OPS_PORT: String(ports.worker) },
  })
  onTestFinished(async () => void (await worker.end('SIGKILL')))
  for (let n = 0; n < 3; n++) await confirmed()

  const { rows } = await db.execute<{ n: number; seconds: number }>(sql`
    select count(*)::int as n, sum(duration_ms)::float8 / 1000 as seconds from pgboss.job
    join transcriptions on transcriptions.id = (job.data ->> 'transcriptionId')::uuid
    where name = 'transcribe' and state = 'created'`)
  const both = (value: number | undefined) => ({ 'quoth-web': value, 'quoth-worker': value })
  expect(rows[0]?.n).toBe(3)
  const due = 'quoth_queue_jobs{queue="transcribe",state="due"}'
  await expect.poll(() => prometheus.ask(due), WAIT).toEqual(both(3))
  expect(await prometheus.ask('quoth_queue_audio_seconds')).toEqual(both(rows[0]?.seconds))
  expect(await prometheus.ask('up')).toEqual(both(1))
  await expect.poll(prometheus.firing, WAIT).toEqual([])

  const dashboard = await readFile(path.join(monitoring, 'dashboard.json'), 'utf8')
  const asked = Panels.parse(JSON.parse(dashboard)).panels.flatMap(({ targets }) => targets)
  for (const { expr } of asked)
    await expect(prometheus.ask(expr), `the dashboard's ${expr}`).resolves.toBeDefined()

  await db.execute(sql`
    update pgboss.job set created_on = created_on - interval '1 hour',
      start_after = start_after - interval '1 hour' where name = 'transcribe'`)
  await expect.poll(prometheus.firing, WAIT).toEqual(['QuothQueueWaits'])
  await worker.end('SIGTERM')
  await expect
    .poll(prometheus.firing, WAIT)
    .toEqual(['QuothHasNoWorker', 'QuothProcessIsDown', 'QuothQueueWaits'])
}, 300_000)
