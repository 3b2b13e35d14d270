/**
 * `npm test`: unit, room and door tests with Vitest, then the journeys in a real browser with
 * Playwright. Both always run; the last line counts both together. `npm run test:long` does the same
 * with `--long`: see test/long.ts. `npm test -- NAME` runs the files with NAME in their path only.
 *
 * They run one after the other, because each has enough tests at once to keep two cores busy. Side by
 * side the same tests took 750 seconds of processor time, one after the other 666.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { z } from 'zod'

import { hasRealModel } from '#test/real-model.ts'

interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** The failures with their reasons, printed again at the end. Playwright prints its own failures last. */
  failures: string[]
}

/** A run writes 1.2 GB. It does so in memory only where five times as much is free. */
const SCRATCH_BYTES = 6e9

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
})
const isLong = options.long
const scratch = await scratchFolder()

/** Aborted by the signal that stops this run, with its name. */
const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stopped.abort(signal))

const VitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    numPendingTests: z.int(),
    numTodoTests: z.int(),
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string(),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()),
          }),
        ),
      }),
    ),
  })
  .transform((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      // An error outside of any test: the file could not be loaded, or its set-up failed.
      const outside = message || (failed.length === 0 ? 'see above' : '')
      return [
        ...(status === 'failed' && outside ? [outside] : []),
        ...failed.map((test) => `${test.fullName}\n${test.failureMessages.join('\n')}`),
      ].map((failure) => `${relative(root, name)} › ${failure}`)
    }),
  }))

const PlaywrightReport = z
  .object({
    stats: z.object({
      expected: z.int(),
      unexpected: z.int(),
      flaky: z.int(),
      skipped: z.int(),
    }),
  })
  // "Flaky" tests failed and then passed. Here they count as failed.
  .transform(({ stats }) => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    skipped: stats.skipped,
    failures: [],
  }))

interface Program {
  name: string
  args: string[]
  report: string
  type: z.ZodType<Outcome>
  env?: Record<string, string>
}

async function run({ name, args, report, type, env = {} }: Program): Promise<Outcome> {
  const child = spawn(join(bin, name), args, {
    cwd: root,
    // A session of its own. The kernel shares the processors fairly between sessions. In the session
    // of a busy terminal the recognisers, which give way to everything else there, hardly ran.
    detached: true,
    stdio: 'inherit',
    env: {
      ...process.env,
      TMPDIR: scratch,
      // Servers and threads are started some hundred times. With a cache they compile code only
      // once.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...(isLong ? { QUOTH_TESTS: 'long' } : {}),
      ...env,
    },
  })
  const pass = () => endGroup(child.pid, stopped.signal.reason as NodeJS.Signals)
  stopped.signal.addEventListener('abort', pass)
  const [code]: unknown[] = await once(child, 'exit')
  stopped.signal.removeEventListener('abort', pass)
  const text = await readFile(report, 'utf8').catch(() => 'null')
  const outcome = type.safeParse(JSON.parse(text)).data ?? {
    passed: 0,
    failed: 0,
    skipped: 0,
    failures: [],
  }
  // No test failed, but a file could not be loaded or a server did not start: that is a failure
  // too.
  if (code === 0 || outcome.failed > 0) return outcome
  const unexplained = `${name} ended with ${String(code)}, and says above why`
  return { ...outcome, failed: 1, failures: [...outcome.failures, unexplained] }
}

/** Passes on the signals that the terminal sends to this session alone. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/**
 * Where the tests keep their files: in memory where there is room and nobody set TMPDIR, else on the
 * disk. They make and throw away a hundred databases, and writing those to a disk takes a twentieth of
 * all processor time. The long run writes more, so it uses the disk.
 */
async function scratchFolder(): Promise<string> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  // Some tests write programs, and start them.
  const canBeUsed = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(mounts)
  const { bavail, bsize } = canBeUsed ? await statfs('/dev/shm') : { bavail: 0, bsize: 0 }
  const hasSpace = Math.min(bavail * bsize, process.availableMemory()) > SCRATCH_BYTES
  const parent = hasSpace && !isLong && !process.env['TMPDIR'] ? '/dev/shm' : tmpdir()
  const folder = await mkdtemp(join(parent, 'quoth-tests-'))
  // PostgreSQL runs as a user of its own where the tests run as root.
  await chmod(folder, 0o711)
  return folder
}

/** The files of these patterns that were asked for by name. Without a name: no list, which runs all. */
const asked = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: isLong ? [] : ['**/*.long.test.ts'] }).filter((file) =>
    names.some((name) => file.includes(name)),
  )

const reportOf = (name: string) => join(scratch, `${name}.json`)
const all: (Program & { files: string[] })[] = [
  {
    name: 'vitest',
    files: asked('{src,test,scripts,bench}/**/*.test.{ts,tsx}'),
    args: [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportOf('vitest')}`,
    ],
    report: reportOf('vitest'),
    type: VitestReport,
  },
  {
    name: 'playwright',
    files: asked('e2e/**/*.test.ts'),
    args: ['test', '--reporter=list,json'],
    report: reportOf('playwright'),
    type: PlaywrightReport,
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf('playwright') },
  },
]
const programs = all
  .filter(({ files }) => names.length === 0 || files.length > 0)
  .map(({ files, ...program }) => ({ ...program, args: [...program.args, ...files] }))
if (programs.length === 0) console.log(`No test file has ${names.join(' or ')} in its path.`)

const outcomes: Outcome[] = []
try {
  for (const program of programs) if (!stopped.signal.aborted) outcomes.push(await run(program))
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 })
}

// Both print for minutes, so all failures are printed again at the end.
for (const failure of outcomes.flatMap(({ failures }) => failures)) console.log(`\n${failure}`)

const sum = (what: 'passed' | 'failed' | 'skipped') =>
  outcomes.reduce((count, outcome) => count + outcome[what], 0)
if (!hasRealModel)
  console.log(
    'Tests of the real recogniser were skipped, because Moonshine tiny is not there: neither its publisher nor pip could be reached. node scripts/setup.mjs test asks again.',
  )
if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 || stopped.signal.aborted ? 1 : 0
