/** How one gets to the states in states.txt: what is answered there, and what a user does. */
import { readFile } from 'node:fs/promises'

import { type Page, expect } from '@playwright/test'

import {
  type Answers,
  LINK,
  again,
  answer,
  apiKeys,
  asked,
  away,
  billing,
  captions,
  carried,
  closed,
  cuts,
  foundName,
  hidden,
  render,
  delivery,
  documentTypes,
  failed,
  generated,
  id,
  inOther,
  job,
  ledger,
  library,
  manyInDoubt,
  noneInDoubt,
  operations,
  passages,
  questions,
  quoted,
  ownAccount,
  ownType,
  refuse,
  result,
  rows,
  said,
  session,
  setUp,
  share,
  shared,
  soFar,
  tags,
  taken,
  translated,
  triedModel,
  user,
  webhook,
  words,
} from './answers.ts'
import type { Billing } from '../../src/features/billing/contract.ts'
import type { Renders } from '../../src/features/cuts/contract.ts'
import type { Engines } from '../../src/features/recordings/contract.ts'
import type { AgainRun, Batch, SummaryAgain } from '../../src/features/transcriptions/contract.ts'
import { everything } from '../../test/promises.ts'
import { chooseFile, correct, media, sample, transcript, turnEditor } from '../steps.ts'

export type Step = (page: Page) => Promise<unknown>

export const says = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()

const one = `/api/transcriptions/${id(10)}`
const documents = `GET /api/transcription/${id(10)}/documents`
const nobody: Answers = { 'GET /api/user': refuse('not_signed_in') }

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada.lovett@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await press('Sign In')(page)
}

const longName = `${'Quarterly-review-with-the-whole-newsroom-and-guests-'.repeat(3).slice(0, 116)}.m4a`

const selectFirst = (page: Page) =>
  page.evaluate(`getSelection().selectAllChildren(document.querySelector('[data-turn-text="0"]'))`)

const choose = (page: Page) => chooseFile(page, sample)
const quote = (fields: Record<string, unknown> = {}) => ({
  transcriptionId: id(10),
  filename: 'sample.m4a',
  duration: 2_470,
  creditsRequired: 13,
  creditsAvailable: 142,
  ...fields,
})
async function send(page: Page): Promise<void> {
  await choose(page)
  await press(/^Start Transcription/)(page)
}
/** Answers this call as if the session had ended. */
function endsWith(call: string): Answers {
  let hasEnded = false
  const noSession = refuse('not_signed_in')
  return {
    'GET /api/user': (route) => (hasEnded ? noSession(route) : route.fulfill({ json: user() })),
    [call]: (route) => {
      hasEnded = true
      return noSession(route)
    },
  }
}
async function confirmable(page: Page): Promise<void> {
  await send(page)
  await expect(page.getByRole('alertdialog')).toBeVisible()
}
const writtenAgain = (fields: Partial<SummaryAgain> = {}): SummaryAgain => ({
  status: 'writing',
  language: 'en',
  length: 'long',
  canGoBack: false,
  ...fields,
})
/** It is there when it is asked for a second time. */
function writtenWhileSeen(): Answers {
  let times = 0
  return {
    ...result(),
    [`GET ${one}`]: (route) => {
      times += 1
      const summaryAgain = writtenAgain(times > 1 ? { status: 'written', canGoBack: true } : {})
      return route.fulfill({ json: job({ summaryPending: times === 1, summaryAgain }) })
    },
  }
}
const waiting = job({ status: 'uploading', originalName: 'sample.m4a' })
const bill = (fields = {}): Answers => ({
  ...taken(quote(fields)),
  [`GET ${one}`]: { ...waiting, ...fields },
  'GET /api/transcriptions': library({ open: [{ ...waiting, ...fields }], finished: rows(3) }),
})
async function chooseSeveral(page: Page): Promise<void> {
  const buffer = await readFile(sample)
  const of = (name: string) => ({ name, mimeType: 'audio/mp4', buffer })
  await page
    .locator('input[type=file]')
    .setInputFiles([
      of('field-notes-12-ben-okafor.m4a'),
      of('field-notes-13-ruth-abara.m4a'),
      of('intro-take-3.m4a'),
      of('kendal-market-street.m4a'),
      { name: 'field-notes-12-camera-2.aiff', mimeType: 'video/quicktime', buffer },
    ])
  await expect(page.getByRole('heading', { name: '5 files chosen' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Confirm 4 credits' })).toBeVisible()
}
const names = ['intro-take-3.wav', 'field-notes-12-ben-okafor.m4a', longName, 'market.mp3']
export const batchOf = (...statuses: string[]): Answers => ({
  [`GET /api/batches/${id(30)}`]: {
    id: id(30),
    createdAt: new Date(0).toISOString(),
    transcriptions: statuses.map((status, index) =>
      job({
        id: id(31 + index),
        status,
        originalName: names[index] ?? longName,
        creditsRequired: 13,
        batchId: id(30),
        ...(status === 'error'
          ? { errorMessage: 'Something broke on our side.', canRetry: true }
          : {}),
      }),
    ),
  } satisfies Batch,
})
const empty: Answers = { 'GET /api/transcriptions': library({}) }

const withRunning: Answers = {
  [`GET /api/transcriptions/${id(11)}`]: job({
    id: id(11),
    status: 'processing chunk 2/5',
    originalName: longName,
  }),
  'GET /api/transcriptions': library({
    open: [
      job({ id: id(11), status: 'processing chunk 2/5', originalName: longName }),
      job({
        id: id(12),
        status: 'uploading',
        originalName: 'Left before it was confirmed.wav',
        creditsRequired: 3,
      }),
    ],
    finished: rows(5),
  }),
}

async function choose3(page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: /^Choose [^a]/ })
  await box.first().click()
  await box.nth(2).click({ modifiers: ['Shift'] })
  await says(page, '3 chosen')
}

const running = (status: string): Answers => ({
  [`GET ${one}`]: job({ status, wordCount: null, language: null, speakers: [] }),
  'GET /api/transcriptions': library({ open: [job({ status })], finished: rows(3) }),
})

const edit = (page: Page, words: string) =>
  correct(page, transcript(page).getByRole('listitem').filter({ hasText: words }).first())
const FIRST = 'So the question'
async function replaceIn(page: Page, find: string): Promise<void> {
  await says(page, FIRST)
  await page.keyboard.press('Control+h')
  await page.getByRole('searchbox', { name: 'Find' }).fill(find)
}
const changed = words(said(12)).turns[0]

const sound = ['-f', 'lavfi', '-i', 'sine=duration=5']
const pictures = ['-f', 'lavfi', '-i', 'testsrc2=duration=5:size=320x180:rate=5', '-c:v', 'libvpx']
const filmed = {
  originalName: 'field-notes-12-film.webm',
  mediaType: 'video/webm',
  picture: 'shown',
} as const
/** A video whose file has pictures, or does not keep what was promised of it. */
const film = (fields = {}, file = [...sound, ...pictures]): Answers => ({
  ...result({ ...filmed, ...fields }),
  [`GET ${one}/media`]: async (route) =>
    route.fulfill({
      contentType: 'video/webm',
      body: await readFile(await media('film.webm', ...file)),
    }),
})
const inChapters = [
  { title: 'Two trucks of tape', start: 0 },
  { title: 'Margaret was a ferry', start: 292 },
  { title: 'The oven', start: 690 },
  { title: 'What vinegar means', start: 1_085 },
  { title: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz', start: 1_480 },
  { title: 'The wedding in Ulverston', start: 1_992 },
  { title: 'What to write down first', start: 2_330 },
]
/** On a phone they are in a sheet. */
async function openChapters(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'The oven' }).first()).toBeVisible()
  const tools = page.getByRole('button', { name: 'Tools', exact: true })
  if (!(await tools.isVisible())) return
  await tools.click()
  await page.getByRole('button', { name: /^Chapters/ }).click()
}
async function changeChapters(page: Page): Promise<void> {
  await openChapters(page)
  await press('Change chapters')(page)
}
const figure = (page: Page) => page.getByRole('figure', { name: /^Picture of/ })
async function seePicture(page: Page): Promise<void> {
  await expect(figure(page).getByRole('button', { name: 'Full screen' })).toBeVisible()
  await expect(figure(page).getByText('The picture is loading.')).toHaveCount(0)
}

const arabic = [
  {
    speaker: 0,
    text: 'السؤال الذي يطرحه الجميع أولاً هو ما إذا كان أحد يقرأ المحضر بعد الاجتماع، ومن الذي كتبه.',
  },
  {
    speaker: 1,
    text: 'نعم، في الغالب. النسخ التي عادت مع تصحيحات من Quoth هي التي احتفظنا بها في عام 2026.',
  },
]
const japanese = [
  {
    speaker: 0,
    text: '最初に皆さんが聞くのは、議事録をあとで読む人がいるのか、ということです。録音は一か月残ります。',
  },
  { speaker: 1, text: 'たいていは読みます。訂正が戻ってきたものだけを残しました。' },
]
const german = [
  {
    speaker: 0,
    text: 'Die Donaudampfschifffahrtsgesellschaftskapitänswitwe liest das Rindfleischetikettierungsüberwachungsprotokoll.',
  },
  {
    speaker: 1,
    text: 'Und die Geschwindigkeitsbegrenzung steht im Betäubungsmittelverschreibungsprotokoll.',
  },
]

/** Aa, or its row in the list that a phone has. */
async function openLook(page: Page): Promise<void> {
  await says(page, FIRST)
  const button = page.getByRole('button', { name: /^Aa/ })
  if (await button.isVisible()) await button.click()
  else {
    await press('Tools')(page)
    await page.getByRole('button', { name: /^How the text is shown/ }).click()
  }
  await expect(page.getByRole('dialog', { name: 'How the text is shown' })).toBeVisible()
}

async function giveAway(page: Page): Promise<void> {
  await says(page, FIRST)
  await press('Share')(page)
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible()
}
const links = `${one}/shares`
const linked = (fields: Parameters<typeof share>[0] = {}): Answers => ({
  ...result(),
  [`GET ${links}`]: { shares: [share(fields)] },
})
const severalLinks: Answers = {
  ...result(),
  [`GET ${links}`]: {
    shares: [
      share({ id: id(951), hasPassword: true, openings: 0, lastOpenedAt: null }),
      share({ id: id(952), includes: ['sound'], endsAt: null }),
      share({ id: id(953), includes: [], url: null }),
    ],
  },
}

const wrongPassword = { problem: { problemText: 'That is not the password.' } }
const moving = { player: 'picture' } as const
const madeFile = (format: 'm4a' | 'mp4') => ({
  name: `interview (cut).${format}`,
  format,
  sizeBytes: 9_100_000,
  withCaptions: true,
  endsAt: new Date('2026-12-06T10:00:00Z'),
})

async function askAgain(page: Page): Promise<void> {
  await says(page, FIRST)
  await press('More for this result')(page)
  await page.getByRole('menuitem', { name: 'Transcribe again…' }).click()
  await expect(page.getByRole('dialog', { name: 'Transcribe again' })).toBeVisible()
}
const offer = again().offer
const offered = (fields: Partial<NonNullable<typeof offer>>): Answers => ({
  ...result(),
  [`GET ${one}/again`]: again({ offer: offer && { ...offer, ...fields } }),
})
const run = (fields: Partial<AgainRun>): AgainRun => ({
  id: id(30),
  what: 'text',
  status: 'processing chunk 2/5',
  errorMessage: null,
  ...fields,
})
const failedAgain = (fields: Partial<AgainRun>): Answers =>
  result({ again: run({ status: 'error', ...fields }) })
const beingDone = (fields: Partial<AgainRun>): Answers => ({
  ...result({ again: run(fields) }),
  [`GET /api/transcriptions/${id(30)}`]: job({ id: id(30), status: run(fields).status }),
})
async function tellApart(page: Page): Promise<void> {
  await press('Tell the speakers apart again')(page)
  await page.getByRole('radio', { name: 'At most' }).check({ force: true })
  await says(page, 'Free.')
}

const aReceipt: Billing['invoices'][number] = {
  id: 'in_1',
  number: 'QUOTH-0042',
  planId: 'professional',
  paidAt: '2026-11-02T09:14:00.000Z',
  amount: '$19.99',
  refunded: null,
  credits: 150,
}
const unmatched: Billing['unmatched'][number] = {
  id: 'in_1PmQb2Lk3Jh4Gf5Ds6',
  paidAt: '2026-11-20T09:14:00.000Z',
  amount: '€9.29',
  why: 'it is not for exactly one month of a plan that is sold here',
}

async function record(page: Page, until: string): Promise<void> {
  await press('Record')(page)
  await says(page, until)
}

/** Records, with the microphone in reach, which then says this of itself. */
async function lose(page: Page, event: 'mute' | 'ended'): Promise<void> {
  await page.evaluate(`(() => {
    const { mediaDevices } = navigator
    const ask = mediaDevices.getUserMedia.bind(mediaDevices)
    mediaDevices.getUserMedia = async (wish) => {
      const stream = await ask(wish)
      globalThis.given = stream.getAudioTracks()[0]
      return stream
    }
  })()`)
  await record(page, '0:01')
  await page.evaluate(`given.dispatchEvent(new Event('${event}'))`)
}
async function recordElsewhere(page: Page): Promise<void> {
  await record(page, '0:01')
  await press(/^Account menu/)(page)
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await expect(page.getByRole('link', { name: /Back to the recording$/ })).toBeVisible()
}

const nothing: Answers = {
  'GET /api/admin/jobs': [],
  'GET /api/admin/users': { users: [], hasMore: false },
  'GET /api/admin/letters': { letters: [], hasMore: false },
  'GET /api/admin/invitations': [],
  'GET /api/admin/log': { lines: [], next: null },
}
const quiet = { jobs: { running: 0, waiting: 0, failed: 0 }, users: 0, unanswered: 0 }

/** On a phone it is in the menu of the result; the key opens it everywhere. */
async function openAsking(page: Page): Promise<void> {
  await says(page, /So the question/)
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'Ask this recording' })).toBeVisible()
}

/** `credits 4, planType starter` as fields. */
const fieldsOf = (words: string) =>
  Object.fromEntries(
    words.split(', ').map((field) => {
      const [name = '', value = ''] = field.split(' ')
      return [name, /^\d+$/.test(value) ? Number(value) : value]
    }),
  )

/** What is answered there, what a user does, both one after the other; or one of these from words. */
export type Way = Answers | Step | (Answers | Step)[]

export const waysWithWords: Record<string, (words: string) => Answers | Step> = {
  batch: (words) => batchOf(...words.split(', ')),
  'captions too fast': (words) => ({ [`GET ${one}/captions`]: captions(Number(words)) }),
  'click the words': (words) => (page) => page.getByText(words).click(),
  closed: (words) => closed(words as 'share-password' | 'share-ended'),
  correct: (words) => (page) => edit(page, words),
  'in the page': (words) => (page) => expect(page.getByText(words).first()).toBeAttached(),
  key: (words) => (page) => page.keyboard.press(words),
  record: (words) => (page) => record(page, words),
  'record, and the microphone says': (words) => (page) => lose(page, words as 'mute' | 'ended'),
  replace: (words) => (page) => replaceIn(page, words),
  running: (words) => running(words),
  search: (words) => (page) => page.getByRole('searchbox').fill(words),
  'session ends at': (words) => endsWith(words),
  'so far': (words) => ({ [`GET ${one}/so-far`]: soFar(Number(words)) }),
  'so far, the rest held back': (words) => ({
    [`GET ${one}/so-far`]: soFar(Number(words), { isHeldBack: true }),
  }),
  user: (words) => ({ 'GET /api/user': user(fieldsOf(words)) }),
  write: (words) => (page) => turnEditor(page).fill(words),
}

export const ways = {
  'a link': linked(),
  'a new text in the making': beingDone({}),
  'ask to tell apart again': tellApart,
  bill: bill(),
  'change the chapters': changeChapters,
  'choose a file': choose,
  'choose a file with a long name': (page) =>
    chooseFile(page, { name: longName, mimeType: 'audio/mp4', buffer: Buffer.alloc(2_000) }),
  'choose several files': chooseSeveral,
  'choose three': choose3,
  confirm: (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click(),
  'corrections carried over': { [`GET ${one}/again`]: carried() },
  empty,
  film: film(),
  'jobs running': withRunning,
  'no plan': { 'GET /api/billing': billing({ plan: null }) },
  'nothing happened': nothing,
  'open Ask': openAsking,
  'open Share': giveAway,
  'open Transcribe again': askAgain,
  'open Aa': openLook,
  'into German': (page) => page.getByLabel('In another language').selectOption('de'),
  'as Podcast': (page) => page.getByLabel('Kind').selectOption('podcast'),
  narrow: (page) => page.setViewportSize({ width: 390, height: 844 }),
  'open the chapters': openChapters,
  operations: operations(),
  'record and go elsewhere': recordElsewhere,
  reload: (page) => page.reload(),
  result: result(),
  'see the picture': seePicture,
  'select the first turn': selectFirst,
  'send a file': send,
  'send a file and see its price': confirmable,
  server: setUp(),
  'several links': severalLinks,
  shared: shared(),
  'sign in': signIn,
  'signed out': nobody,
  submit: (page) => page.locator('form button[type=submit]').first().click(),
  'the model is gone': { 'GET /api/capabilities': { ...everything, translations: false } },
  translated: translated(),
  'translated and changed since': translated({ changed: 3 }, inOther(german)),
  'translated into German': translated({}, inOther(german)),

  // Each of these belongs to one state, or to one and those like it.
  'loading the user': (page) =>
    expect(page.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeVisible(),
  'newest of hundreds': { 'GET /api/transcriptions': library({ finished: rows(5), total: 1_234 }) },
  'library empty': { 'GET /api/tags': tags({ tags: [], all: 0, none: 0 }) },
  'library of hundreds, with many tags': {
    'GET /api/transcriptions': library({ finished: rows(16), total: 1_234 }),
    'GET /api/tags': tags({
      all: 1_234,
      tags: Array.from({ length: 50 }, (_, place) => ({
        id: id(950 + place),
        name: `Interviews of the year ${1_976 + place}`,
        colour: place % 8,
        count: place,
      })),
    }),
  },
  'library found': {
    'GET /api/transcriptions': library({
      places: 9,
      finished: [
        {
          ...job({ originalName: longName, tags: tags().tags, isShared: true }),
          places: 8,
          hits: [
            {
              turnId: id(1_000),
              at: 83.4,
              speaker: 'Ada Lovett',
              speakerNumber: 0,
              snippet: 'whether anybody reads the minutes afterwards, and',
              marks: [[26, 33]],
            },
            {
              turnId: id(1_001),
              at: 4_211,
              speaker: null,
              speakerNumber: null,
              snippet: 'the minutes of the spring',
              marks: [[4, 11]],
            },
          ],
        },
        ...rows(2).slice(1),
      ],
    }),
  },
  'library deleted, with undo': {
    [`DELETE /api/transcriptions/${id(100)}`]: {
      message: 'Deleted.',
      restorableUntil: '2026-11-20T15:00:00Z',
    },
  },
  'a better recogniser on its way': {
    'GET /api/engines': {
      speech: {
        name: 'pocketsphinx',
        languages: ['en'],
        note: "This server's embedded recognizer understands English only. Expect about one word in three to be wrong.",
        fetching: { model: 'Parakeet TDT 0.6B v3', percent: 62 },
      },
      writing: { name: 'extractive', note: null },
    } satisfies Engines,
  },
  'a file held over the page': (page) =>
    page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a'], 'a.mp3', { type: 'audio/mpeg' }))
        dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
      }`),
  'a file chosen, its options open': async (page) => {
    await chooseFile(page, {
      name: longName,
      mimeType: 'audio/mp4',
      buffer: Buffer.alloc(2_000),
    })
    const options = page.getByRole('button', { name: /^Options/ })
    await expect(options).toHaveText(/2 terms$/)
    await options.click()
    await says(page, 'Two of your six terms that fit this file.')
    await press('Choose others')(page)
    await page.getByRole('checkbox', { name: 'Ampex' }).check()
    await says(page, 'Three of your six terms are chosen.')
  },
  'a file refused': (page) =>
    chooseFile(page, {
      name: 'notes.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF'),
    }),
  'an upload left unfinished': [
    {
      [`GET /api/uploads/${id(20)}`]: {
        id: id(20),
        name: longName,
        sizeBytes: 60_000_000,
        partBytes: 8_388_608,
        parts: [{ number: 3, url: '/part', keptBytes: 4_000_000 }],
      },
    },
    (page: Page) =>
      page.evaluate(
        `localStorage.setItem('uploads-begun:${user().id}', '${JSON.stringify([{ id: id(20), name: longName, size: 60_000_000 }])}')`,
      ),
  ],
  'several files that wait for their confirmation': {
    'GET /api/transcriptions': library({
      open: [1, 2].map((number) =>
        job({ id: id(number), status: 'uploading', creditsRequired: 13 }),
      ),
    }),
  },
  'confirming, the price opened': bill({
    creditsRequired: 14,
    originalName: longName,
    filename: longName,
  }),
  'confirming, the price opened, then': (page) =>
    page.getByRole('alertdialog').getByText('How this price is made').click(),
  'confirming, short of credits': bill({ creditsAvailable: 4 }),
  'processing, its text before voices are told apart': {
    [`GET ${one}/so-far`]: soFar(3, { speakers: 0 }),
  },
  'processing, connection lost': (page) => page.route(`**${one}`, away),
  failed: {
    [`GET ${one}`]: failed(),
    [`GET ${one}/so-far`]: soFar(6),
    'GET /api/transcriptions': library({ finished: [failed(), ...rows(2)] }),
  },
  'failed twice the same way': {
    [`GET ${one}`]: failed({
      failedAlike: 2,
      errorMessage: 'It failed twice the same way. Your credits were returned.',
    }),
  },
  'failed for good': {
    [`GET ${one}`]: failed({
      canRetry: false,
      errorCode: 'no_speech',
      errorMessage: 'No speech was found in this recording.',
      originalName: longName,
    }),
  },
  'failed for good, another language refused': async (page) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Spoken language').selectOption('de')
    await dialog.getByRole('button', { name: 'Transcribe again' }).click()
  },
  'a file that was refused': {
    [`GET ${one}`]: failed({
      canRetry: false,
      errorCode: 'unreadable_audio',
      errorMessage: 'The sound of this recording could not be read. Your credits were returned.',
    }),
  },
  'video in chapters': result(
    { ...filmed, chapters: inChapters, chaptersBy: 'model' },
    words(said(164)),
  ),
  'video, the picture is loading': (page) =>
    expect(figure(page).getByText('The picture is loading.')).toBeAttached(),
  'video, the picture fails': film({}, sound),
  'video whose picture cannot be shown': result({ mediaType: 'video/mp4', picture: 'cannot' }),
  'video of which the sound was uploaded': result({ picture: 'left_out' }),
  'result, words broken': result({
    speakerSegments: '[{"start":0,"end":14,"speaker":"Ada Lovett","text":"So the question."}]',
  }),
  'export, as cut': {
    ...result(),
    [`GET ${one}/cuts`]: cuts([
      { start: 0, end: 3 },
      { start: 30, end: 33 },
    ]),
  },
  'export, with chapters': result({
    chapters: [{ title: 'Who reads the minutes', start: 0 }],
    chaptersBy: 'words',
  }),
  'transcription with fixed replacements': result(
    {},
    { ...words(said(12)), fixed: { replaced: 3, edit: 1 } },
  ),
  'transcription, many to replace': result({}, words(said(120))),
  'transcription, some changed before they were replaced': {
    [`POST ${one}/replace`]: {
      replaced: 2,
      edit: 1,
      left: [changed?.id],
      revision: 1,
      turns: [],
      removed: [],
      speakers: [],
      wordCount: 1,
      reload: true,
    },
  },
  'transcription, many words in doubt': result({}, words(said(12), { isInDoubt: manyInDoubt })),
  'transcription, doubt not known': result(
    {},
    {
      ...words(said(12), { isInDoubt: noneInDoubt }),
      checkBelow: null,
      isDoubtUnknown: true,
    },
  ),
  'transcription, most words in doubt': result({}, words(said(12), { isInDoubt: () => true })),
  'transcription, edited in two tabs': {
    [`PATCH ${one}/turns/${changed?.id}`]: (route) =>
      route.fulfill({
        status: 409,
        json: {
          message: 'Changed elsewhere.',
          code: 'edited_elsewhere',
          current: { ...changed, revision: 3, text: 'So the question nobody asks.' },
        },
      }),
  },
  'transcription, the times of a turn': (page) => turnEditor(page).press('Alt+t'),
  'transcription, the recording deleted': result({
    recordingKeptUntil: null,
    recordingDeletedAt: '2026-12-21T10:00:00Z',
    mediaType: null,
  }),
  'transcription, words cut': {
    ...result(),
    [`GET ${one}/cuts`]: cuts([
      { start: 0, end: 7 },
      { start: 30, end: 32 },
    ]),
  },
  'transcription, ums and repeats': result(
    {},
    words([
      { speaker: 0, text: 'Right, um, everybody is is here, and Tomas has a train.' },
      { speaker: 1, text: 'I would, I would rather open in March, uh, with all of it.' },
    ]),
  ),
  'transcription, a name found': { ...result(), ...foundName() },
  'transcription, hidden for others': hidden(),
  'transcription, hidden while links have no sound': hidden('making'),
  'transcription, a clip': {
    ...result(),
    [`GET ${one}/renders`]: {
      usual: 'mp3',
      secondsLeft: 5_400,
      renders: [
        render({
          format: 'mp4',
          duration: 28.6,
          sizeBytes: 6_200_000,
          isAsWritten: false,
          clip: {
            start: 9.4,
            end: 38,
            shape: 'upright',
            captions: 'words',
            names: true,
            centre: { x: 0.5, y: 0.5 },
          },
        }),
      ],
    } satisfies Renders,
  },
  'export the cut recording, files': {
    [`GET ${one}/renders`]: {
      usual: 'mp3',
      secondsLeft: 5_400,
      renders: [
        render({ status: 'making', progress: 40, sizeBytes: null, keptUntil: null }),
        render({ format: 'wav', isAsCut: false, sizeBytes: 106_000_000 }),
        render({ format: 'ogg', status: 'failed', sizeBytes: null, keptUntil: null }),
      ],
    } satisfies Renders,
  },
  'transcription, unplayable': result({ mediaType: null }),
  'transcription without words': result(
    { transcriptionText: '', speakers: [], wordCount: 0 },
    words([]),
  ),
  'transcription of 8 speakers and a long name': result(
    {
      originalName: longName,
      speakers: Array.from({ length: 8 }, (_, index) => `Speaker ${index}`),
      wordCount: 99_999,
    },
    words(said(24, 8)),
  ),
  'transcription of 3 hours': result(
    { duration: 10_800, wordCount: 27_000 },
    words(said(720, 4), { isInDoubt: noneInDoubt }),
  ),
  'transcription in Arabic': result(
    { language: 'ar', originalName: 'مقابلة مع آدا.m4a' },
    words(arabic),
  ),
  'transcription in Japanese': result(
    { language: 'ja', originalName: '会議の録音.m4a' },
    words(japanese),
  ),
  'transcription in German': result(
    { language: 'de', topics: ['Donaudampfschifffahrtsgesellschaft'] },
    words(german),
  ),
  'transcription of the sample': result({ isSample: true, originalName: 'sample.m4a' }),
  'result, its day': result({ recordedAt: '2024-09-03' }),
  'result, its day not saved': (page) =>
    expect(page.getByLabel('Day')).toHaveAttribute('aria-invalid'),
  'action item changed': (page) =>
    expect(page.getByRole('textbox', { name: 'What' })).toBeFocused(),
  'transcription in chapters': result(
    { chapters: inChapters, chaptersBy: 'words' },
    words(said(164)),
  ),
  'transcription in two chapters': result(
    { chapters: inChapters.slice(0, 2), chaptersBy: 'words' },
    words(said(164)),
  ),
  'summary of sentences, while a better one is written': result({
    summaryKind: 'sentences',
    summaryPending: true,
    summaryNote:
      'Sentences taken from this transcript. The language model of this server had not answered when the transcript was ready.',
  }),
  'summary of sentences, from before there was a model': result({
    summaryKind: 'sentences',
    summaryNote:
      'Sentences taken from this transcript. No language model is set up on this server.',
  }),
  'summary that is written again': result({ summaryPending: true, summaryAgain: writtenAgain() }),
  'summary that was written again': writtenWhileSeen(),
  'summary changed by its owner': result({
    summaryChanged: ['summary', 'keyPoints'],
    keyPointsOwn: [true, false, false, true],
  }),
  'summary empty': result({
    summary: null,
    keyPoints: [],
    keyPointTimes: [],
    keyPointQuotes: [],
    chapters: [],
    topics: [],
    actionItems: [],
  }),
  'summary, of too little': result({
    summary: null,
    keyPoints: [],
    keyPointTimes: [],
    keyPointQuotes: [],
    topics: [],
    actionItems: [],
    wordCount: 41,
  }),
  'speakers, 8 of them': result({}, words(said(24, 8))),
  'speakers unknown': result({ speakers: [] }, words([])),
  generate: {
    [documents]: [
      generated(1, {
        status: 'generating',
        content: '',
        wordCount: 0,
        title: 'Article',
        documentType: 'article',
        note: null,
      }),
      generated(2),
      generated(5, {
        title: 'Show notes: minutes',
        documentType: 'show-notes',
        note: 'Put together from sentences of this transcript. The language model of this server gave no usable answer.',
        isCreditReturned: true,
      }),
      ...[null, 'This recording says too little for a document.'].map((problem, number) =>
        generated(3 + number, {
          status: 'error',
          content: '',
          wordCount: 0,
          title: 'Key insights',
          documentType: 'key-insights',
          problem,
          isCreditReturned: true,
          note: null,
        }),
      ),
    ],
  },
  'generate, seen': (page) =>
    expect(page.getByRole('button', { name: 'Try again, free' })).toHaveCount(1),
  'generate, own types': {
    'GET /api/document-types': [...documentTypes, ownType()],
    [documents]: [
      generated(6, {
        title: 'What the head of the team has to know',
        documentType: `template:${id(601)}`,
        template: {
          name: 'Weekly report',
          instructions: 'For the head of the team, who was not there.',
          length: 'middle',
          parts: ['quotes'],
        },
      }),
    ],
  },
  'translation, waiting': translated({
    status: 'translating',
    progress: 0,
    turnsDone: 0,
    ahead: 3,
    creditsReserved: 1,
    finishedAt: null,
  }),
  'translation, being made': translated({
    status: 'translating',
    progress: 40,
    turnsDone: 4,
    creditsReserved: 1,
    finishedAt: null,
  }),
  'translation, failed': translated({
    status: 'error',
    isCreditReturned: true,
    problem: 'The language model of this server could not translate this text well enough.',
  }),
  'translation, both': translated({}, inOther(Array.from({ length: 4 }, () => german).flat())),
  'translation, changed since and the model is gone': translated({ changed: 1 }, inOther(german)),
  'translation, changed since and the model is gone, seen': (page) =>
    expect(page.getByRole('button', { name: 'Translate it again' })).toHaveCount(0),
  'translation, changed since': translated({ changed: 3, untranslated: 1 }, [
    ...inOther(german).map((turn) => ({ ...turn, isChanged: true, isUnsure: true })),
    { id: id(1_003), text: null, isChanged: false, isUnsure: false },
  ]),
  'translation alone': async (page) => {
    await openLook(page)
    await page.getByText('Alone', { exact: true }).click()
    await page.keyboard.press('Escape')
  },
  'translation alone, seen': (page) => expect(page.locator('[data-turn-text="0"]')).toBeHidden(),
  'translation, its text not loaded': translated({ isReadable: true }),
  'translation from the right': translated({ language: 'ar' }, inOther(arabic)),
  'export, of a film': (page) => page.getByText('EDL', { exact: true }).click(),
  'export, in another language': async (page) => page.getByLabel('Language').selectOption('de'),
  'share of a video whose picture may be left out, and with a short password': result({
    mediaType: 'video/mp4',
    picture: 'shown',
  }),
  'share refused, of a recording that is deleted': result({
    recordingKeptUntil: null,
    recordingDeletedAt: '2026-11-20T09:00:00Z',
  }),
  'share of a made file': { [`GET ${one}/shares`]: { shares: [] } },
  'share with a link': linked({ hasPassword: true }),
  'share, a change that failed': (page) =>
    page.getByRole('switch', { name: 'Speakers’ names' }).click({ force: true }),
  'share, a change that failed, seen': (page) =>
    expect(page.getByRole('switch', { name: 'Speakers’ names' })).toBeChecked(),
  'share, ending asked': linked({ openings: 0, lastOpenedAt: null, url: null }),
  'shared page of the text alone, without names': shared(
    { summary: null, names: new Map(), peaks: null },
    { player: 'none' },
  ),
  'shared page of a recording that is gone': shared({}, { player: 'gone' }),
  'shared page of which the recording is being made': shared({}, { player: 'making' }),
  'shared page of a made file': shared({ spoken: [], summary: null }, { file: madeFile('m4a') }),
  'shared page of a made film': [
    shared({ spoken: [], summary: null }, { ...moving, file: madeFile('mp4') }),
    { [`GET ${LINK}/recording`]: film()[`GET ${one}/media`] ?? {} },
  ],
  'shared page of a video': [
    shared({ title: 'field-notes-12-film.webm' }, moving),
    { [`GET ${LINK}/recording`]: film()[`GET ${one}/media`] ?? {} },
  ],
  'shared page of a video that cannot be played': shared({}, moving),
  'shared page in Arabic': shared({
    title: 'مقابلة مع آدا.m4a',
    language: 'ar',
    spoken: arabic,
    summary: {
      heading: 'Summary',
      text: arabic[0]?.text ?? '',
      keyPoints: [],
      actionItems: [],
      topics: [],
      note: null,
    },
  }),
  'shared page of 8 speakers and a long name': shared(
    { title: longName, spoken: said(24, 8), durationMs: 10_800_000 },
    { sharedBy: 'Ada Augusta Lovett-Donaudampfschifffahrt of the newsroom' },
  ),
  'shared page with another password': closed('share-password', wrongPassword),
  'transcribing again, short of credits': offered({ corrections: 0 }),
  'transcribing again for nothing, refused': offered({
    creditsRequired: 0,
    speakersFound: 0,
    corrections: 1,
  }),
  'transcribing again, at another price than was shown': [
    offered({ creditsRequired: 0 }),
    { [`POST ${one}/again`]: { id: id(30), creditsRequired: 13, creditsAvailable: 142 } },
  ],
  'a new text has failed': failedAgain({
    errorMessage: 'The recording could not be transcribed again. Your credits were returned.',
  }),
  'a new text with all corrections in it': {
    [`GET ${one}/again`]: { ...carried(), carried: { placed: 14, questions: [] } },
  },
  'the speakers are told apart again': beingDone({ what: 'speakers' }),
  'the speakers could not be told apart again': failedAgain({
    what: 'speakers',
    errorMessage:
      'The speakers could not be told apart again. Nothing was charged, and the text is as it was.',
  }),
  'subscribe, payments off': { 'GET /api/billing': billing({ payments: 'off', plan: null }) },
  'plan and receipts': {
    'GET /api/billing': billing({
      invoices: [aReceipt, { ...aReceipt, id: 'in_2', refunded: '$5.00' }],
      unmatched: [unmatched],
    }),
  },
  'payment done': {
    'POST /api/subscription-success': {
      creditsAdded: 150,
      planId: 'professional',
      amountPaid: 19.99,
    },
  },
  'profile, nothing checked yet': { 'GET /api/accuracy': [] },
  'profile, an address changing': {
    'GET /api/account': ownAccount({
      emailChange: {
        newEmail: 'ada.augusta.lovett-of-the-newsroom@transcripts.example.com',
        isOldConfirmed: true,
        isNewConfirmed: false,
      },
    }),
  },
  'credits empty': {
    'GET /api/credits': ledger({ available: 99_999, held: 0, spent: 0, count: 0, lines: [] }),
    'GET /api/user': user({ credits: 99_999 }),
  },
  'vocabulary, empty': {
    'GET /api/vocabulary': {
      revision: 0,
      terms: [],
      heardAs: [],
      used: [],
      replacements: [],
    },
  },
  'document types, empty': { 'GET /api/document-templates': { templates: [], trialsLeft: 10 } },
  'document types without a model': {
    'GET /api/capabilities': { ...everything, documentsByModel: false },
  },
  'document type, tried': {
    'POST /api/document-templates/try': {
      title: 'Why the price was raised',
      content:
        '## What is stuck\n\nNobody can say any more why the price was raised.\n\n> “I made some notes on paper, and then I left the paper on the train.” — Speaker A, 0:18\n\n## What we need\n\n- A record of every meeting, kept where everybody finds it.',
      wordCount: 41,
      note: 'Written by AI from this transcript. Check it before you quote it.',
      seconds: 3.4,
      trialsLeft: 8,
    },
  },
  'security without a password': {
    'GET /api/account': ownAccount({
      hasPassword: false,
      issuers: [{ id: 'google', name: 'Google', email: 'ada@example.com', isOffered: true }],
    }),
    'GET /api/account/sessions': [session(0)],
    'GET /api/account/activity': [],
  },
  'data without links': { 'GET /api/shares': { shares: [] } },
  'keys empty': { 'GET /api/keys': apiKeys({ keys: [] }) },
  'keys of another plan': {
    'GET /api/keys': apiKeys({ isAllowed: false, callsPerHour: 100, keys: [] }),
  },
  'a new key': {
    'POST /api/keys': {
      ...apiKeys().keys[0],
      id: id(701),
      key: `quoth_live_${'8f2aQ7'.repeat(7)}`,
    },
  },
  webhooks: {
    'GET /api/webhooks': [
      webhook(),
      webhook({ id: id(801), paused: 'dead' }),
      webhook({ id: id(802), paused: 'new_password' }),
    ],
  },
  'webhooks, what was sent': [
    {
      [`GET /api/webhooks/${id(800)}/deliveries`]: [
        delivery(1),
        delivery(2, {
          status: 'failed',
          tries: 8,
          lastStatus: 500,
          lastProblem: 'It answered 500.',
        }),
      ],
    },
    (page: Page) =>
      page
        .locator('button[aria-expanded]')
        .filter({ hasText: /log|deliver/i })
        .first()
        .click(),
  ],
  'webhooks empty': { 'GET /api/webhooks': [] },
  'recorder refused': (page) =>
    page.evaluate(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
    ),
  'operations, something paid for nothing': operations({
    unmatched: [
      {
        id: unmatched.id,
        at: unmatched.paidAt,
        amount: '€9.29',
        why: unmatched.why,
        userId: id(1),
        email: 'grace@example.com',
      },
      {
        id: 'in_2',
        at: unmatched.paidAt,
        amount: '$9.99',
        why: unmatched.why,
        userId: null,
        email: null,
      },
    ],
  }),
  'operations where nothing happened': operations(quiet),
  'the language model tried': triedModel(),
  'the language model refused': triedModel({
    isAccepted: false,
    said: 'It was to write English and wrote another language.',
    answer: 'Die Fähre kam wieder zu spät.',
    hints: ['Ollama reads 4,096 tokens of this model at once.'],
  }),
  'no language model': setUp({ languageModel: null }),
  'video, asked under the picture': {
    [`GET ${questions}`]: asked({ answers: [answer(), passages({ id: id(702) })] }),
  },
  'transcription, asked': {
    [`GET ${questions}`]: asked({
      answers: [
        answer({ notSaid: 'who wrote them' }),
        answer({
          id: id(701),
          question: 'How much does it cost?',
          kind: 'not-said',
          text: null,
          quotes: [quoted({ isInDoubt: true })],
        }),
        passages({ id: id(702), note: 'used-up' }),
        passages({ id: id(703), note: 'no-answer', quotes: [], question: 'Zeppelin?' }),
      ],
      left: 0,
    }),
  },
  'transcription, nothing asked, without a model': {
    [`GET ${questions}`]: asked({ hasModel: false, left: null, perDay: null, offers: [] }),
  },
  'the library asked': {
    'GET /api/questions': asked({
      answers: [
        answer({
          quotes: [quoted(), quoted({ transcriptionId: id(101), name: longName, speaker: null })],
        }),
        answer({ id: id(701), kind: 'not-said', text: null, quotes: [] }),
        passages({ id: id(702) }),
      ],
    }),
  },
  'the library, nothing to ask': { 'GET /api/questions': asked({ offers: [] }) },
} satisfies Record<string, Way>
