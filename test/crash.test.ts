import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { crash, shortRecording } from './crashes.ts'

test('a job survives kill -9 of its server and of its database, and is charged or returned once', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-crash-'))
  try {
    const report = await crash({
      victims: ['server', 'database', 'server'],
      dataDir,
      recording: await shortRecording(8),
      random: seeded(3),
      jobMs: 4_000,
    })
    expect(report.problems).toEqual([])
    expect(report.completed + report.failed).toBe(3)
    expect(report.completed).toBeGreaterThan(0)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}, 240_000)
