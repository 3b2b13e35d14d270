/**
 * `npm test`: unit, room and door tests with Vitest, and beside them the journeys in a real browser
 * with Playwright. Both always run; the last line counts both together. What the journeys print is
 * kept until Vitest has ended. `npm run test:long` does the same with `--long`, one after the other:
 * see test/long.ts.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** What failed and why, printed again at the end. Playwright prints its own failures last. */
  failures: string[]
}

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules/.bin')
const isLong = process.argv.includes('--long')
const reports = await mkdtemp(join(tmpdir(), 'quoth-reports-'))

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

async function run(
  program: string,
  args: string[],
  {
    report,
    type,
    output,
    env = {},
  }: {
    report: string
    type: z.ZodType<Outcome>
    /** Where it prints, instead of here. */
    output?: PassThrough
    env?: Record<string, string>
  },
): Promise<Outcome> {
  const printing = output ? 'pipe' : 'inherit'
  const child = spawn(join(bin, program), args, {
    cwd: root,
    // A session of its own. The kernel shares the processors fairly between sessions. In the session
    // of a busy terminal the recognisers, which give way to everything else there, hardly ran.
    detached: true,
    stdio: ['inherit', printing, printing],
    env: {
      ...process.env,
      // Servers and threads are started some hundred times. With a cache they compile code only
      // once.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      ...(isLong ? { QUOTH_TESTS: 'long' } : {}),
      ...env,
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => endGroup(child.pid, signal))
  const parts = [child.stdout, child.stderr]
  if (output) for (const part of parts) part?.pipe(output, { end: false })
  const closed = once(child, 'close')
  const [code]: unknown[] = await once(child, 'exit')
  // A process that it left behind may hold its output open for ever.
  if (output) await Promise.race([closed, sleep(5_000, undefined, { ref: false })])
  for (const part of parts) part?.destroy()
  output?.end()
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
  const unexplained = `${program} ended with ${String(code)}, and says above why`
  return { ...outcome, failed: 1, failures: [...outcome.failures, unexplained] }
}

/** Passes on what the terminal tells this session alone. */
function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

// Either alone leaves a third of two cores idle, because its tests wait. Side by side they use nearly
// all of them: Vitest with its three workers, and the journeys with two, because they end first all
// the same. The storms of a long run need the machine for themselves.
const journeyWorkers = isLong ? [] : ['--workers=2']

const vitestReport = join(reports, 'vitest.json')
const vitestRun = run(
  'vitest',
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
  { report: vitestReport, type: VitestReport },
)
if (isLong) await vitestRun

const playwrightReport = join(reports, 'playwright.json')
const journeys = new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER })
const playwrightRun = run('playwright', ['test', ...journeyWorkers, '--reporter=list,json'], {
  report: playwrightReport,
  type: PlaywrightReport,
  output: journeys,
  env: {
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
    ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}),
  },
})
const vitest = await vitestRun
journeys.pipe(process.stdout, { end: false })
await finished(journeys)
const playwright = await playwrightRun
await rm(reports, { recursive: true, force: true })

// The journeys print for minutes, so all failures are printed again at the end.
for (const failure of [...vitest.failures, ...playwright.failures]) console.log(`\n${failure}`)

const sum = (what: 'passed' | 'failed' | 'skipped') => vitest[what] + playwright[what]
if (sum('skipped') > 0) console.log(`${sum('skipped')} skipped`)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0
