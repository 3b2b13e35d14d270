import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import { crash, shortRecording, type Victim } from './crashes.ts'
import { begin } from './database.ts'
import { isLong, times } from './long.ts'

const victims: Victim[] = isLong ? ['server', 'database', 'server'] : ['server', 'database']

test(
  'a job survives kill -9 of its server and of its database, and is charged or returned once',
  async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-crash-'))
    await begin(dataDir)
    await chmod(dataDir, 0o755)
    try {
      const report = await crash({
        victims,
        dataDir,
        recording: await shortRecording(4),
        random: seeded(3),
        jobMs: 2_000,
      })
      expect(report.problems).toEqual([])
      expect(report.completed + report.failed).toBe(victims.length)
      expect(report.completed).toBeGreaterThan(0)

      // No file that was written can be read by other users of the machine.
      const { written } = report
      expect([...written.keys()]).toEqual(
        expect.arrayContaining([
          '.',
          'files/ID',
          'work/ID/audio-ID.pcm',
          'postgres/data/PG_VERSION',
        ]),
      )
      const open = [...written].filter(([, mode]) => (mode & 0o077) !== 0)
      expect(open.map(([name, mode]) => `${name} ${mode.toString(8)}`)).toEqual([])
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  },
  times(120_000, 240_000),
)
