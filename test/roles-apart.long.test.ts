import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect } from 'vitest'

import { test } from './cluster.ts'
import { startRealWorker } from './roles.ts'
import { freePort } from './server.ts'

test('a web process takes recordings without a recogniser, and speaks of none', async ({
  cluster: { web, client, confirmed },
}) => {
  const id = await confirmed()
  expect((await client.transcription(id)).status).toBe('processing')
  expect(web.output()).toContain('Jobs are left to the workers.')
  expect(web.output()).not.toMatch(/pocketsphinx|nothing can be transcribed/)
  await client.expect('DELETE', `/api/transcriptions/${id}/cancel`)
})

test('a worker answers requests of health and metrics alone, and may end its job before it goes', async ({
  cluster,
}) => {
  const { client, confirmed } = cluster
  const heard: ServerResponse[] = []
  const recogniser = createServer((request, response) => {
    request.resume().on('end', () => heard.push(response))
  }).listen(0, '127.0.0.1')
  await once(recogniser, 'listening')
  const { port } = recogniser.address() as AddressInfo
  const [unused, opsPort] = [await freePort(), await freePort()]
  const settings = {
    PORT: String(unused),
    OPS_PORT: String(opsPort),
    DRAIN_SECONDS: '60',
    TRANSCRIBER: 'openai',
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    SUMMARIZER: 'extractive',
  }
  const draining = await startRealWorker(cluster, { name: 'draining', settings })
  await expect(fetch(`http://localhost:${unused}/healthz`)).rejects.toThrow()
  const ready = await fetch(`http://127.0.0.1:${opsPort}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }])
  const metrics = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text()
  expect(metrics).toContain('quoth_process{role="worker",decoder=')
  expect((await fetch(`http://127.0.0.1:${opsPort}/api/user`)).status).toBe(404)

  const id = await confirmed()
  await expect.poll(() => heard.length).toBe(1)
  const ended = once(draining.process, 'exit')
  draining.process.kill('SIGTERM')
  await expect.poll(draining.output).toContain('stopping')
  const words = [{ word: 'meeting', start: 0.5, end: 1 }]
  heard[0]?.setHeader('content-type', 'application/json')
  heard[0]?.end(JSON.stringify({ text: 'meeting', language: 'english', words }))
  expect(await ended).toEqual([0, null])
  expect((await client.transcription(id)).status).toBe('completed')
  recogniser.close()
})

test('a process with a data folder of its own is stopped before it takes a job', async ({
  cluster,
}) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-alone-'))
  const alone = { ...cluster, dataDir }
  const worker = startRealWorker(alone, { name: 'alone' })
  await expect(worker).rejects.toThrow(/lie somewhere else[^]*All processes need the same files/)
  await rm(dataDir, { recursive: true })
})
