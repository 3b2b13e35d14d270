/**
 * Does a job survive a crash? `kill -9` of the whole server at random moments of jobs, and of its
 * PostgreSQL, then an audit: every job completed and charged once, or failed and returned once.
 *
 *     npm run bench -- crash [server kills = 20] [database kills = 10] [seed = 7]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { seeded } from '#shared/random.ts'
import { type Victim, crash, shortRecording } from '#test/crashes.ts'

const [servers = 20, databases = 10, seed = 7] = process.argv.slice(2).map(Number)
const victims: Victim[] = [
  ...Array.from({ length: servers }, () => 'server' as const),
  ...Array.from({ length: databases }, () => 'database' as const),
]
const dataDir = await mkdtemp(path.join(tmpdir(), 'quoth-crash-'))
try {
  const report = await crash({
    victims,
    dataDir,
    recording: await shortRecording(14),
    random: seeded(seed),
    jobMs: 8_000,
    say: console.log,
  })
  console.log(
    `\n${victims.length} kills (${servers} server, ${databases} database), seed ${seed}: ` +
      `${report.completed} jobs completed and charged once, ${report.failed} failed and returned once, ` +
      `${report.problems.length} problems in the books`,
  )
  for (const problem of report.problems) console.log(`  ${problem}`)
  process.exitCode = report.problems.length > 0 ? 1 : 0
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
