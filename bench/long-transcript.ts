/**
 * Does a transcript of hours stay pleasant in the browser? Three and eight hours of made talk are
 * opened in Chromium, scrolled from end to end, sought in, searched and corrected; and read, played
 * and searched by a link, without an account. Beside the wall
 * times stand those of the processor, which a busy machine does not change, and the same text as a
 * plain page without any program, opened in the same run. One hour and three are opened and corrected in
 * another editor too (see tools/peer-editor.ts), for which npm is asked.
 *
 *     npm run bench -- long-transcript [hours = 3 8]
 */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { type Browser, type Locator, type Page, chromium, errors } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { z } from 'zod'

import { transcriptions } from '#features/row/tables.ts'
import { Share } from '#features/sharing/contract.ts'
import { aTranscription } from '#test/factories.ts'

import { type House, type Visitor, openHouse } from './tools/house.ts'
import { peerEditorPage } from './tools/peer-editor.ts'
import { fairShareOf } from './tools/processes.ts'
import {
  type Figure,
  median,
  megabytes,
  milliseconds,
  percentile,
  printFigures,
  printMachine,
  printTable,
  ratio,
  within,
} from './tools/report.ts'
import { talk } from './tools/talk.ts'

const WORDS_PER_HOUR = 9_000
const TURNS_PER_HOUR = 625
const WORDS_PER_TURN = Math.floor(WORDS_PER_HOUR / TURNS_PER_HOUR)
/** A word that stands in the last turn of all and nowhere else. */
const RARE = 'zeppelin'
/** The other editor opens one hour in many seconds, and three hours never on the machines tried. */
const PEER_HOURS = [1, 3]
const PEER_WAITS_MS = 120_000
const OPENINGS = 3
const SCROLLS = 60
const SEEKS = 30
const PLAYED_MS = 3_000

const asked = process.argv.slice(2).map(Number)
const lengths = asked.length > 0 ? asked : [3, 8]

const isReady = `(async () => {
  while (!document.querySelector('[data-turn-text="0"]')) await new Promise(requestAnimationFrame)
  // Waits until the page is drawn and reacts again.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  return performance.now()
})()`

/** Ends when the page is drawn and its thread is free again. */
const REACTS = `new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`

const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`

const until = (condition: string) =>
  `(async () => { while (!(${condition})) await new Promise((done) => setTimeout(done, 20)) })()`

const Trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      dur: z.number().optional(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
})

/** A page, with the moments at which it came and was first seen. */
const LOAD = `(async () => {
  const [{ encodedBodySize, decodedBodySize, requestStart, responseStart }] =
    performance.getEntriesByType('navigation')
  const first = () => performance.getEntriesByName('first-contentful-paint')[0]
  while (!first()) await new Promise(requestAnimationFrame)
  return {
    packed: encodedBodySize,
    whole: decodedBodySize,
    firstByteMs: responseStart - requestStart,
    firstPictureMs: first().startTime,
  }
})()`
const Load = z.object({
  packed: z.number(),
  whole: z.number(),
  firstByteMs: z.number(),
  firstPictureMs: z.number(),
})
type Load = z.infer<typeof Load>

printMachine()
const house = await openHouse()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const hours of lengths) printFigures(`${hours} hours`, await figuresOf(hours))
  for (const hours of PEER_HOURS) if (hours <= Math.max(...lengths)) await printBesidePeer(hours)
} finally {
  await browser.close()
  await house.stop()
}

async function figuresOf(hours: number): Promise<Figure[]> {
  const visitor = await house.visitor()
  const id = await aTalk(house, visitor, hours)
  const page = await signedIn(browser, visitor)
  try {
    return [
      ...(await fetching(visitor, id)),
      ...(await opening(page, id, hours * TURNS_PER_HOUR)),
      ...(await itsNodes(page, hours)),
      ...(await scrolling(page)),
      ...(await seeking(page)),
      ...(await finding(page)),
      ...(await correcting(page)),
      ...(await byLink(visitor, id)),
    ]
  } finally {
    await page.context().close()
  }
}

function talkOf(hours: number) {
  return talk(hours * TURNS_PER_HOUR, WORDS_PER_TURN)
}

/** Some 150 words a minute, 14 in a turn; its recording is silence, which is quickly made. */
async function aTalk({ database, dataDir }: House, { userId }: Visitor, hours: number) {
  const turns = talkOf(hours)
  const last = turns.at(-1)
  if (last) last.text += ` ${RARE}`
  const durationMs = hours * 3_600_000
  const row = await aTranscription(database.db, {
    userId,
    turns,
    // The embedded engine doubts one word in six of ordinary speech.
    sure: (place) => (place % 6 === 0 ? 0.4 : 0.9),
    durationMs,
    mediaType: 'audio/flac',
    originalName: `${hours} hours.flac`,
  })
  const file = join(dataDir, 'files', row.storageKey ?? '')
  const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', String(durationMs / 1000)]
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...silence, '-f', 'flac', file])
  const { size } = await stat(file)
  await database.db
    .update(transcriptions)
    .set({ sizeBytes: size })
    .where(eq(transcriptions.id, row.id))
  return row.id
}

async function signedIn(inBrowser: Browser, { headers }: Visitor): Promise<Page> {
  const context = await inBrowser.newContext({
    baseURL: house.server.url,
    viewport: { width: 1440, height: 900 },
    // Smooth scrolling would be measured as slowness.
    reducedMotion: 'reduce',
    // Behind one, the plain page below could not be put in the place of a real one.
    serviceWorkers: 'block',
  })
  const [name = '', value = ''] = (headers['Cookie'] ?? '').split('=')
  await context.addCookies([{ name, value, url: house.server.url }])
  return context.newPage()
}

async function fetching({ headers }: Visitor, id: string): Promise<Figure[]> {
  const times: number[] = []
  let json = ''
  for (let round = 0; round < 9; round += 1) {
    const startedAt = performance.now()
    json = await (
      await fetch(`${house.server.url}/api/transcriptions/${id}/words`, { headers })
    ).text()
    times.push(performance.now() - startedAt)
  }
  const packed = gzipSync(json).length
  const ms = median(times.slice(1))
  return [
    {
      what: 'words as JSON, packed',
      figure: `${(packed / 1e6).toFixed(2)} MB`,
      bar: '≤ 1 MB',
      isMet: packed <= 1e6,
    },
    within('answer of the call', ms, 150),
  ]
}

async function opening(page: Page, id: string, count: number): Promise<Figure[]> {
  const isWhole = until(`document.querySelectorAll('[data-turn]').length === ${count}`)
  await page.goto(`/dashboard?t=${id}`)
  await page.evaluate(isWhole)
  const texts = z
    .array(z.string())
    .parse(
      await page.evaluate(
        `[...document.querySelectorAll('[data-turn-text]')].map(({ textContent }) => textContent)`,
      ),
    )
  const plain = `<!doctype html><ol>${texts.map((text) => `<li data-turn-text="0">${text}</li>`).join('')}</ol>`
  await page.route('**/plain', (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: plain }),
  )
  const wholes: number[] = []
  const bare: number[] = []
  const traces: Tasks[] = []
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.goto('/plain')
    bare.push(z.number().parse(await page.evaluate(isReady)))
    await page.goto('/dashboard')
    // Opened from the loaded library, as a user does.
    const link = await middleOf(page.getByRole('link', { name: / hours\.flac$/ }))
    const tasks = await traced(page, async () => {
      const startedAt = z.number().parse(await page.evaluate('performance.now()'))
      await page.mouse.click(...link)
      wholes.push(z.number().parse(await page.evaluate(isReady)) - startedAt)
      // The rest is drawn while the page already reacts. It counts as work.
      await page.evaluate(isWhole)
    })
    traces.push(tasks)
  }
  const ms = median(wholes)
  const cpu = median(traces.map(({ cpuMs }) => cpuMs))
  return [
    within('opened from the library until it answers', ms, 800),
    { what: '… processor time of the page', figure: milliseconds(cpu) },
    { what: '… over the plain page of the same text', figure: ratio(ms / median(bare)) },
    ...worst('… its worst task', {
      wallMs: median(traces.map(({ wallMs }) => wallMs)),
      worstCpuMs: median(traces.map(({ worstCpuMs }) => worstCpuMs)),
    }),
  ]
}

async function itsNodes(page: Page, hours: number): Promise<Figure[]> {
  const { nodes, turns, inText } = z
    .object({ nodes: z.number(), turns: z.number(), inText: z.number() })
    .parse(
      await page.evaluate(`({
        nodes: document.querySelectorAll('[data-turn], [data-turn] *').length,
        turns: document.querySelectorAll('[data-turn]').length,
        inText: document.querySelectorAll('[data-turn-text] *').length,
      })`),
    )
  const each = nodes / turns
  return [
    {
      what: 'turns in the page',
      figure: String(turns),
      bar: String(hours * TURNS_PER_HOUR),
      isMet: turns === hours * TURNS_PER_HOUR,
    },
    { what: 'elements for each', figure: each.toFixed(1), bar: '≤ 10', isMet: each <= 10 },
    { what: 'elements for words', figure: String(inText), bar: '0', isMet: inText === 0 },
  ]
}

/** From the top to the end in even steps, and the time between two pictures meanwhile. */
async function scrolling(page: Page): Promise<Figure[]> {
  let frames: number[] = []
  const tasks = await traced(page, async () => {
    frames = z.array(z.number()).parse(
      await page.evaluate(`(async () => {
        const frames = []
        let last = performance.now()
        for (let step = 1; step <= ${SCROLLS}; step += 1) {
          scrollTo(0, (document.documentElement.scrollHeight * step) / ${SCROLLS})
          const now = await new Promise(requestAnimationFrame)
          frames.push(now - last)
          last = now
        }
        return frames
      })()`),
    )
  })
  return [
    { what: 'scrolled to the end: a picture every', figure: milliseconds(median(frames)) },
    { what: '… 95 of 100 pictures within', figure: milliseconds(percentile(frames, 0.95)) },
    ...worst('… worst task', tasks),
  ]
}

/** Presses all over the wave; each must move the mark of the turn that is being said. */
async function seeking(page: Page): Promise<Figure[]> {
  const times: number[] = []
  let missed = 0
  const wave = await page.getByRole('slider', { name: 'Playback position' }).boundingBox()
  if (!wave) throw new Error('there is no player')
  const tasks = await traced(page, async () => {
    for (let round = 0; round < SEEKS; round += 1) {
      const share = (((round * 7) % SEEKS) + 0.5) / SEEKS
      const startedAt = performance.now()
      await page.mouse.click(wave.x + share * wave.width, wave.y + wave.height / 2)
      times.push(performance.now() - startedAt)
      const isMarked = await page.evaluate(`document.querySelectorAll('[data-now]').length === 1`)
      if (isMarked !== true) missed += 1
    }
  })
  return [
    { what: 'sought', figure: milliseconds(median(times)) },
    { what: '… without its turn being marked', figure: String(missed), bar: '0', isMet: !missed },
    ...worst('… worst task', tasks),
  ]
}

/** A word of the last turn, looked for from the top. */
async function finding(page: Page): Promise<Figure[]> {
  await page.evaluate('scrollTo(0, 0)')
  const field = page.getByRole('searchbox', { name: 'Search in transcript' })
  await field.focus()
  let ms = 0
  const tasks = await traced(page, async () => {
    const startedAt = performance.now()
    await page.keyboard.type(RARE)
    await page.keyboard.press('Enter')
    await page.evaluate(until(`document.querySelector('search output')?.textContent === '1 of 1'`))
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    ms = performance.now() - startedAt
  })
  const isSeen = await page.evaluate(`(() => {
    const { top, bottom } = [...document.querySelectorAll('[data-turn-text]')].at(-1).getBoundingClientRect()
    return top > 0 && bottom < innerHeight
  })()`)
  await field.fill('')
  return [
    {
      what: `a word of the last turn, typed (${RARE.length} keys) and found`,
      figure: milliseconds(ms),
    },
    {
      what: '… and in sight',
      figure: isSeen === true ? 'yes' : 'no',
      bar: 'yes',
      isMet: isSeen === true,
    },
    ...worst('… worst task', tasks),
  ]
}

async function correcting(page: Page): Promise<Figure[]> {
  const keys = 'one more word'
  const last = page.locator('[data-turn]').last()
  await last.hover()
  const pencil = await middleOf(last.getByRole('button', { name: /^Correct the turn/ }))
  const tasks = await traced(page, async () => {
    await page.mouse.click(...pencil)
    await page.evaluate(until(`document.activeElement?.tagName === 'TEXTAREA'`))
    await page.keyboard.press('End')
    await page.keyboard.type(` ${keys}`)
    await page.keyboard.press('Control+Enter')
    await page.evaluate(
      until(
        `[...document.querySelectorAll('[data-turn-text]')].at(-1)?.textContent.endsWith('${keys}')`,
      ),
    )
  })
  return worst('a correction: worst task', tasks)
}

/** The same for people without an account: a page that the server makes for each of them. */
async function byLink({ headers }: Visitor, id: string): Promise<Figure[]> {
  const made = await fetch(`${house.server.url}/api/transcriptions/${id}/shares`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
  })
  const url = Share.parse(await made.json()).url ?? ''
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const loads: Load[] = []
  const opened: Tasks[] = []
  for (let round = 0; round < OPENINGS; round += 1) {
    // From a page of the same server, so that the browser has its process.
    await page.goto(`${house.server.url}/terms`)
    opened.push(await traced(page, async () => void (await page.goto(url))))
    loads.push(Load.parse(await page.evaluate(LOAD)))
  }
  const of = (pick: keyof Load) => median(loads.map((load) => load[pick]))

  const middle = page.locator('[data-turns] > li').nth(100)
  await middle.locator('p').click({ position: { x: 5, y: 10 } })
  await page.evaluate(until(`!document.querySelector('[data-media]').paused`))
  const played = await traced(page, async () => sleep(PLAYED_MS))
  await page.evaluate(`document.querySelector('[data-media]').pause()`)

  const field = page.getByRole('searchbox', { name: 'Search in transcript' })
  await field.focus()
  const found = await traced(page, async () => {
    await page.keyboard.type(RARE)
    await page.evaluate(until(`document.querySelector('[data-found]')?.textContent === '1 of 1'`))
    await page.evaluate(REACTS)
  })
  await field.fill('')
  const often = await traced(page, async () => {
    await page.keyboard.type('e')
    await page.evaluate(REACTS)
  })
  await context.close()
  const bytes = of('packed')
  return [
    {
      what: 'by a link: the page, packed; unpacked',
      figure: `${kilobytes(bytes)}; ${kilobytes(of('whole'))}`,
      bar: '≤ 1 MB',
      isMet: bytes <= 1e6,
    },
    within('… its first byte', of('firstByteMs'), 150),
    within('… its first picture', of('firstPictureMs'), 800),
    ...worst('… worst task', {
      wallMs: median(opened.map(({ wallMs }) => wallMs)),
      worstCpuMs: median(opened.map(({ worstCpuMs }) => worstCpuMs)),
    }),
    ...worst('… worst task while it plays', played),
    {
      what: '… share of a processor while it plays',
      figure: ratio(played.cpuMs / PLAYED_MS),
    },
    ...worst('… worst task while a rare word is searched', found),
    ...worst('… worst task while the commonest letter is searched', often),
  ]
}

interface Side {
  openedMs: number
  correctedMs: number
  heapBytes: number
  memoryBytes: number
}

/**
 * The same text, opened and corrected once in each: until it is there and the page reacts. Both begin
 * with a page whose program is loaded.
 */
async function printBesidePeer(hours: number): Promise<void> {
  const visitor = await house.visitor()
  const id = await aTalk(house, visitor, hours)
  const said = talkOf(hours)
  const peer = await peerEditorPage({
    mediaUrl: `/api/transcriptions/${id}/media`,
    turns: said.map(({ speaker, text }, turn) => ({
      speaker: `Speaker ${speaker + 1}`,
      words: text
        .split(' ')
        .map((word, place) => ({ text: word, ms: (turn * WORDS_PER_TURN + place) * 400 })),
    })),
  })
  const ours = await besides(visitor, {
    start: async (page) => {
      await page.goto('/dashboard')
    },
    open: (page) => page.getByRole('link', { name: / hours\.flac$/ }).first(),
    text: '[data-turn-text]',
    correct: (page) => page.getByRole('button', { name: /^Correct the turn/ }).first(),
    save: 'Control+Enter',
  })
  const theirs = await besides(visitor, {
    start: async (page) => {
      await page.route('**/peer', (route) =>
        route.fulfill({ contentType: 'text/html; charset=utf-8', body: peer }),
      )
      await page.goto('/peer')
    },
    open: (page) => page.getByRole('button', { name: 'Open', exact: true }),
    text: '.public-DraftEditor-content [data-block] [data-text]',
    correct: (page) => page.locator('[data-text]').first(),
  }).catch(nullWhenDead)
  const row = (what: string, pick: keyof Side, asText: (value: number) => string) => [
    what,
    asText(ours[pick]),
    theirs ? asText(theirs[pick]) : '',
    theirs ? ratio(theirs[pick] / ours[pick]) : '',
  ]
  printTable(`${hours} hours, beside @bbc/react-transcript-editor`, [
    ['', 'Quoth', 'the other', 'over ours'],
    row('opened until it answers', 'openedMs', milliseconds),
    row('the first correction, until it is in the text', 'correctedMs', milliseconds),
    row('memory of its objects afterwards', 'heapBytes', megabytes),
    row('memory of the page’s process', 'memoryBytes', megabytes),
  ])
  if (!theirs)
    console.log(`  The other was not open after ${PEER_WAITS_MS / 1000} s, or its page died.`)
}

/** For a page whose text is not there in time, or that dies. */
function nullWhenDead(error: unknown): null {
  if (error instanceof errors.TimeoutError || /crashed|closed/i.test(String(error))) return null
  throw error
}

async function besides(
  visitor: Visitor,
  how: {
    start: (page: Page) => Promise<void>
    open: (page: Page) => Locator
    /** The selector for the text of a turn; the first one is corrected. */
    text: string
    correct: (page: Page) => Locator
    /** The key that ends a correction, where it needs one. */
    save?: string
  },
): Promise<Side> {
  const page = await signedIn(browser, visitor)
  const reaches = async (condition: string) => {
    const isLate = sleep(PEER_WAITS_MS, 'late', { ref: false })
    const late = await Promise.race([page.evaluate(until(condition)), isLate])
    if (late) throw new errors.TimeoutError(condition)
    await page.evaluate(REACTS)
  }
  try {
    await how.start(page)
    const at = await middleOf(how.open(page))
    const openedFrom = performance.now()
    await page.mouse.click(...at)
    await reaches(`document.querySelector('${how.text}')`)
    const openedMs = performance.now() - openedFrom
    const turn = how.correct(page)
    await turn.hover()
    const place = await middleOf(turn)
    const correctedFrom = performance.now()
    await page.mouse.click(...place)
    if (how.save) await reaches(`document.activeElement?.tagName === 'TEXTAREA'`)
    await page.keyboard.type(RARE)
    if (how.save) await page.keyboard.press(how.save)
    await reaches(`[...document.querySelectorAll('${how.text}')].slice(0, 99).some(
      ({ textContent }) => textContent.includes('${RARE}'))`)
    const correctedMs = performance.now() - correctedFrom
    return { openedMs, correctedMs, ...(await memoryOfPage(page)) }
  } finally {
    await page.context().close()
  }
}

async function memoryOfPage(page: Page): Promise<Pick<Side, 'heapBytes' | 'memoryBytes'>> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const all = await browser.newBrowserCDPSession()
  const { processInfo } = await all.send('SystemInfo.getProcessInfo')
  await all.detach()
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  return {
    heapBytes: usedSize,
    memoryBytes: Math.max(...pages.map(({ id }) => fairShareOf(id))),
  }
}

/** Found before anything is measured: looking for a role goes through the whole page. */
async function middleOf(locator: Locator): Promise<[number, number]> {
  await locator.waitFor()
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not in the page')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

function worst(what: string, { wallMs, worstCpuMs }: Pick<Tasks, 'wallMs' | 'worstCpuMs'>) {
  return [within(what, wallMs, 100), within(`${what}, processor time`, worstCpuMs, 100)]
}

interface Tasks {
  /** The longest task of the page's own thread. */
  wallMs: number
  worstCpuMs: number
  /** All its tasks together. */
  cpuMs: number
}

/** The work of the page's main thread meanwhile, from the browser's own trace. */
async function traced(page: Page, work: () => Promise<void>): Promise<Tasks> {
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'],
  })
  await work()
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as unknown
  const { traceEvents } = Trace.parse(trace)
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`),
  )
  if (tasks.length === 0) throw new Error('the browser has written no tasks down')
  const ofAll = (pick: 'dur' | 'tdur') => tasks.map((task) => (task[pick] ?? 0) / 1000)
  return {
    wallMs: Math.max(...ofAll('dur')),
    worstCpuMs: Math.max(...ofAll('tdur')),
    cpuMs: ofAll('tdur').reduce((sum, ms) => sum + ms, 0),
  }
}
