/**
 * What Lighthouse says about the public pages as a phone on a slow line sees them: the median of
 * several runs, on the landing, the prices, an article and the sample as a link shows it. Its own
 * settings for phones: 4x slower processor, slow 4G, simulated. Beside it the time to the first byte,
 * measured without it.
 *
 *     npm run bench -- lighthouse [repeats = 5]
 *
 * Lighthouse is large and nothing else needs it, so npm fetches it, in the version named here, when
 * this is first run; LIGHTHOUSE names a program that is already there.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { z } from 'zod'

import { Share } from '#features/sharing/contract.ts'

import { openHouse } from './tools/house.ts'
import { median, printFigures, printMachine, seconds } from './tools/report.ts'

const VERSION = '13.5.0'
const CHROME = '/usr/bin/chromium'
const FIRST_BYTES = 200
/** Lighthouse's error when the start of Chromium's trace is lost, as happens on a busy machine. */
const LOST_TRACE = 'NO_NAVSTART'
const TRIES = 3
const SHARED = '/s/…'
const pages = ['/', '/pricing', '/blog/legal-transcription-requirements', SHARED]
const [repeats = 5] = process.argv.slice(2).map(Number)
let lostTraces = 0

const Score = z.object({ score: z.number() })
const Figure = z.object({ numericValue: z.number() })
const Report = z
  .object({
    categories: z.object({
      performance: Score,
      accessibility: Score,
      'best-practices': Score,
      seo: Score,
    }),
    audits: z.object({
      'largest-contentful-paint': Figure,
      'total-blocking-time': Figure,
      'cumulative-layout-shift': Figure,
    }),
  })
  .transform(({ categories, audits }) => ({
    performance: categories.performance.score * 100,
    accessibility: categories.accessibility.score * 100,
    practices: categories['best-practices'].score * 100,
    seo: categories.seo.score * 100,
    lcpMs: audits['largest-contentful-paint'].numericValue,
    blockedMs: audits['total-blocking-time'].numericValue,
    shift: audits['cumulative-layout-shift'].numericValue,
  }))
type Report = z.infer<typeof Report>
const Outcome = z.object({
  runtimeError: z.object({ code: z.string(), message: z.string() }).optional(),
})

/** One run. When its trace was lost, it is repeated, up to three times; other failures are not. */
async function measure(url: string, file: string, skipped: string[]): Promise<Report> {
  for (let tries = 1; ; tries += 1)
    try {
      return await lighthouse(url, file, skipped)
    } catch (error) {
      if (!String(error).includes(LOST_TRACE) || tries === TRIES) throw error
      lostTraces += 1
    }
}

async function lighthouse(url: string, file: string, skipped: string[]): Promise<Report> {
  const own = process.env['LIGHTHOUSE']
  const [program, ...before] = own
    ? [own]
    : ['npm', 'exec', '--yes', `--package=lighthouse@${VERSION}`, '--', 'lighthouse']
  const sandbox = process.getuid?.() === 0 ? ' --no-sandbox' : ''
  await promisify(execFile)(
    program ?? 'lighthouse',
    [
      ...before,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      '--only-categories=performance,accessibility,best-practices,seo',
      ...skipped.map((audit) => `--skip-audits=${audit}`),
      `--chrome-flags=--headless=new --disable-background-networking --disable-component-update${sandbox}`,
    ],
    { env: { ...process.env, CHROME_PATH: CHROME }, maxBuffer: 64 * 1024 * 1024 },
  )
  const answer: unknown = JSON.parse(await readFile(file, 'utf8'))
  // Lighthouse may exit with 0 and mention the error only in its report.
  const { runtimeError } = Outcome.parse(answer)
  if (runtimeError) throw new Error(`Lighthouse: ${runtimeError.code}: ${runtimeError.message}`)
  return Report.parse(answer)
}

/** From asking to the first byte of the answer, in ms. */
async function firstByte(url: string): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url)
  const ms = performance.now() - start
  await answer.arrayBuffer()
  return ms
}

/** The address of a link to the sample, with all that a link can show. */
async function addressOfLink(): Promise<string> {
  const { headers } = await house.visitor()
  const post = async (path: string) => {
    const answer = await fetch(house.server.url + path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{}',
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.json()
  }
  const { id } = z.object({ id: z.string() }).parse(await post('/api/transcriptions/sample'))
  return Share.parse(await post(`/api/transcriptions/${id}/shares`)).url ?? ''
}

printMachine()
const folder = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
const house = await openHouse()
try {
  for (const page of pages) {
    const isShared = page === SHARED
    const url = isShared ? await addressOfLink() : house.server.url + page
    // A link is not to be found, and says so.
    const skipped = isShared ? ['is-crawlable'] : []
    const times: number[] = []
    for (let index = 0; index < FIRST_BYTES; index += 1) times.push(await firstByte(url))
    const p95 = times.toSorted((a, b) => a - b)[Math.floor(FIRST_BYTES * 0.95)] ?? 0

    const reports: Report[] = []
    for (let index = 0; index < repeats; index += 1)
      reports.push(await measure(url, join(folder, 'report.json'), skipped))
    const of = (name: keyof Report) => median(reports.map((report) => report[name]))
    const score = (name: keyof Report, what: string, bar: number) => ({
      what,
      figure: String(of(name)),
      bar: bar === 100 ? '100' : `≥ ${bar}`,
      isMet: of(name) >= bar,
    })
    printFigures(`${page}, median of ${repeats}`, [
      score('performance', 'performance', 95),
      score('accessibility', 'accessibility', 100),
      score('practices', 'best practices', 100),
      score('seo', 'search engines', 100),
      {
        what: 'largest contentful paint',
        figure: seconds(of('lcpMs')),
        bar: '≤ 1.5 s',
        isMet: of('lcpMs') <= 1500,
      },
      {
        what: 'blocked',
        figure: `${of('blockedMs').toFixed(0)} ms`,
        bar: '≤ 50 ms',
        isMet: of('blockedMs') <= 50,
      },
      {
        what: 'layout shift',
        figure: of('shift').toFixed(3),
        bar: '≤ 0.02',
        isMet: of('shift') <= 0.02,
      },
      {
        what: `first byte here, p95 of ${FIRST_BYTES}`,
        figure: `${p95.toFixed(1)} ms`,
        bar: '≤ 20 ms',
        isMet: p95 <= 20,
      },
    ])
  }
  process.stdout.write(`\nruns done again because the browser's trace was lost: ${lostTraces}\n`)
} finally {
  await house.stop()
  await rm(folder, { recursive: true, force: true })
}
