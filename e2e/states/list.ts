/** Every screen of the signed-in app, and of shared links, in every state that a user can see. */
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
  broken,
  captions,
  carried,
  closed,
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
  never,
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
import type { Engines } from '../../src/features/recordings/contract.ts'
import type { AgainRun, Batch } from '../../src/features/transcriptions/contract.ts'
import { refusals } from '../../src/shared/refusals.ts'
import { everything } from '../../test/promises.ts'
import { chooseFile, correct, media, sample, transcript, turnEditor } from '../steps.ts'

type Step = (page: Page) => Promise<unknown>

export interface State {
  name: string
  path: string
  answers: Answers
  /** What a user does to get there, and what shows that it is there. */
  steps: Step[]
}

type Faces = Record<string, (Step | Answers)[]>
/** The faces of one screen, by name: what is answered besides there, and the steps that lead to it. */
function screen(path: string, ...rest: [Answers, Faces] | [Faces]): State[] {
  const [answers, faces] = rest.length === 2 ? rest : [{}, rest[0]]
  return Object.entries(faces).map(([name, parts]) => ({
    name,
    path,
    answers: Object.assign({}, answers, ...parts.filter((part) => typeof part !== 'function')),
    steps: parts.filter((part) => typeof part === 'function'),
  }))
}

const one = `/api/transcriptions/${id(10)}`
const documents = `GET /api/transcription/${id(10)}/documents`
const opened = `/dashboard?t=${id(10)}`
const nobody: Answers = { 'GET /api/user': refuse('not_signed_in') }

type Role = Parameters<Page['getByRole']>[0]
/** The first part of this role; a name that is a text is its whole name. */
const part = (page: Page, role: Role, name?: string | RegExp) =>
  page.getByRole(role, name ? { name, exact: typeof name === 'string' } : {}).first()
const shown = (role: Role, name?: string | RegExp) => (page: Page) =>
  expect(part(page, role, name)).toBeVisible()
const click = (role: Role, name: string | RegExp) => (page: Page) => part(page, role, name).click()
const press = (name: string | RegExp) => click('button', name)
const fill = (label: string, words: string) => (page: Page) =>
  page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(words)
const says = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
const see = (text: string | RegExp) => (page: Page) => says(page, text)

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada.lovett@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await press('Sign In')(page)
}

const used = refuse('link_used')

const auth: State[] = [
  ...screen('/auth', nobody, {
    'auth sign-in': [see('Continue with Google')],
    'auth sign-in empty': [press('Sign In'), see('Password is required')],
    'auth sign-in refused': [
      { 'POST /api/login': refuse('wrong_password') },
      signIn,
      see(refusals.wrong_password[1]),
    ],
    'auth sign-in unverified': [
      { 'POST /api/login': refuse('email_not_verified') },
      signIn,
      see('Please verify your email address before signing in.'),
    ],
    'auth sign-in pending': [
      { 'POST /api/login': never },
      signIn,
      (page) =>
        expect(page.locator('[aria-disabled=true], [aria-busy=true]').first()).toBeVisible(),
    ],
  }),
  ...screen('/auth?error=google', nobody, { 'auth google error': [see('Google Sign-In Error')] }),
  ...screen('/auth?mode=register', nobody, {
    'auth register': [see('Create your account')],
    'auth register empty': [press('Create account'), see('Last name is required')],
    'auth register refused': [
      { 'POST /api/register': refuse('too_many_attempts') },
      fill('First name', 'Ada'),
      fill('Last name', 'Lovett'),
      fill('Email', 'ada.lovett@example.com'),
      fill('Password', 'correct horse'),
      press('Create account'),
      see('Registration Failed'),
    ],
  }),
  ...screen('/auth?mode=forgot', nobody, { 'auth forgot': [see('Reset your password')] }),
  ...screen('/auth?reset=token', nobody, {
    'auth reset': [see('Choose a new password')],
    'auth reset used': [
      { 'POST /api/reset-password': used },
      fill('New password', 'correct horse'),
      (page) => page.locator('form button[type=submit]').click(),
      see('This link has been used or has expired.'),
    ],
  }),
  ...screen('/auth?verify=token', nobody, {
    'auth verifying': [{ 'POST /api/verify-email': never }, see('Confirming your email…')],
    'auth verify used': [
      { 'POST /api/verify-email': used },
      see('This link has been used or has expired.'),
    ],
    'auth verify away': [
      { 'POST /api/verify-email': refuse('database_away') },
      see(refusals.database_away[1]),
    ],
    'auth verify password': [
      { 'POST /api/verify-email': refuse('password_needed') },
      see(refusals.password_needed[1]),
    ],
    'auth verify password empty': [
      { 'POST /api/verify-email': refuse('password_needed') },
      press('Confirm and sign in'),
      see('Password is required'),
    ],
  }),
]

const longName = `${'Quarterly-review-with-the-whole-newsroom-and-guests-'.repeat(3).slice(0, 116)}.m4a`

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
const batchOf = (...statuses: string[]): Answers => ({
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

const lists: State[] = [
  ...screen('/dashboard', {
    'loading the user': [
      { 'GET /api/user': never },
      (page) =>
        expect(page.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeVisible(),
    ],
    'the server is away': [{ 'GET /api/user': away }, see('The server did not answer.')],
    'newest loading': [{ 'GET /api/transcriptions': never }, see('Transcribe a recording')],
    'newest broken': [
      { 'GET /api/transcriptions': broken },
      see('Your library could not be loaded.'),
    ],
  }),
  ...screen('/dashboard', empty, { 'newest, none yet': [see('Open the sample (free)')] }),
  ...screen('/home?shared=missed', empty, {
    'nothing came of what was shared': [see('What you shared did not arrive')],
  }),
  ...screen('/dashboard', {
    'newest of hundreds': [
      { 'GET /api/transcriptions': library({ finished: rows(5), total: 1_234 }) },
      see('Show all 1,234'),
    ],
  }),
  ...screen('/dashboard', withRunning, {
    'newest with running jobs': [see('Left before it was confirmed.wav')],
  }),
  ...screen('/library', {
    'library loading': [{ 'GET /api/transcriptions': never }, see('Library')],
    'library broken': [
      { 'GET /api/transcriptions': broken },
      see('Your library could not be loaded.'),
    ],
  }),
  ...screen('/library', empty, {
    'library empty': [
      { 'GET /api/tags': tags({ tags: [], all: 0, none: 0 }) },
      see('Open the sample (free)'),
    ],
  }),
  ...screen('/library', { library: [see('voice memo.m4a')] }),
  ...screen('/library?tag=Kendal&tag=Interviews', {
    'library of hundreds, with many tags': [
      {
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
      see('16 of 1,234'),
    ],
  }),
  ...screen('/library', withRunning, {
    'library with running jobs': [see('Left before it was confirmed.wav')],
  }),
  ...screen('/library?q=zeppelin', empty, {
    'library nothing found': [see('Nothing found for “zeppelin”')],
  }),
  ...screen('/library?q=zeppelin&tag=Kendal', empty, {
    'library nothing found in a tag': [see('Search everywhere')],
  }),
  ...screen('/library?q=minutes', {
    'library found': [
      {
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
      see('6 more in this recording'),
    ],
  }),
  ...screen('/library', {
    'library, some chosen': [choose3],
    'library, some chosen, to tag': [
      choose3,
      press('Tag'),
      fill('Find or name a tag', 'ken'),
      see('New tag “ken”'),
    ],
    'library, some chosen, to export': [choose3, press('Export'), shown('dialog')],
    'library, some chosen, to delete': [choose3, press('Delete'), see('Delete 3 recordings?')],
    'library, a tag not saved': [
      { 'POST /api/transcriptions/tags': broken },
      choose3,
      press('Tag'),
      click('checkbox', 'Kendal'),
      see('Not saved. Your change was undone.'),
    ],
    'library, a new tag without a name': [
      press('New tag'),
      press('Make tag'),
      see('A tag needs a name.'),
    ],
    'library, the tags edited': [press('Edit tags'), shown('dialog', 'Edit tags')],
    'library, a tag to be deleted': [
      press('Edit tags'),
      press('Delete Field Notes'),
      see('It is taken off 14 recordings.'),
    ],
    'library menu': [press('More for interview.m4a'), shown('menuitem', 'Export as…')],
  }),
  ...['Rename', 'Tag…', 'Export as…', 'Transcribe again…', 'Delete the recording now'].flatMap(
    (item) => {
      const kind = /Delete/.test(item) ? 'alertdialog' : 'dialog'
      return screen('/library', {
        [`library ${item.toLowerCase().replace('…', '')} dialog`]: [
          press('More for interview.m4a'),
          click('menuitem', item),
          (page) => expect(page.getByRole(kind)).toBeVisible(),
        ],
      })
    },
  ),
  ...screen('/library', {
    'library deleted, with undo': [
      {
        [`DELETE /api/transcriptions/${id(100)}`]: {
          message: 'Deleted.',
          restorableUntil: '2026-11-20T15:00:00Z',
        },
      },
      press('More for interview.m4a'),
      click('menuitem', 'Delete'),
      shown('button', 'Undo'),
    ],
  }),
]

const header: State[] = [
  ...screen('/dashboard', empty, {
    'account menu': [
      {
        'GET /api/user': user({
          credits: 99_999,
          email: 'ada.augusta.lovett-of-the-newsroom@transcripts.example.com',
        }),
      },
      press(/^Account menu/),
      shown('menuitem', 'Log out'),
    ],
    '0 credits on Starter': [
      { 'GET /api/user': user({ credits: 0, planType: 'starter' }) },
      choose,
      see('Documents are part of Professional.'),
    ],
  }),
]

const upload: State[] = [
  ...screen('/dashboard', {
    'a better recogniser on its way': [
      {
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
      see('A better recognizer is being fetched: 62%'),
    ],
    'a file held over the page': [
      see('voice memo.m4a'),
      (page) =>
        page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a'], 'a.mp3', { type: 'audio/mpeg' }))
        dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
      }`),
      see('Drop your file here'),
    ],
    'a file chosen': [choose, see('About 1 credit.')],
    'a file chosen, with a document': [
      { 'GET /api/user': user({ planType: 'enterprise', credits: 99_999 }) },
      (page) =>
        chooseFile(page, { name: longName, mimeType: 'audio/mp4', buffer: Buffer.alloc(2_000) }),
      (page) => page.getByRole('checkbox', { name: /Generate Document/ }).check(),
      (page) => page.getByRole('radio', { name: 'Article' }).check(),
    ],
    'a file chosen, its options open': [
      async (page) => {
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
    ],
    'a file refused': [
      (page) =>
        chooseFile(page, {
          name: 'notes.pdf',
          mimeType: 'application/pdf',
          buffer: Buffer.from('%PDF'),
        }),
      see(/^File format not supported/),
    ],
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
      (page) =>
        page.evaluate(
          `localStorage.setItem('uploads-begun', '${JSON.stringify([{ id: id(20) }])}')`,
        ),
      (page) => page.reload(),
      see(/was not sent completely/),
    ],
    'a bill of several files': [{ 'POST /api/uploads': never }, chooseSeveral],
    'a bill of several files that is too high': [
      { 'GET /api/user': user({ credits: 2 }), 'POST /api/uploads': never },
      chooseSeveral,
      see(/^Keep the/),
    ],
    'leaving while several files are sent': [
      { 'POST /api/uploads': never },
      chooseSeveral,
      press(/^Account menu/),
      click('menuitem', 'Account'),
      shown('button', 'Stay'),
    ],
    'several files that wait for their confirmation': [
      {
        'GET /api/transcriptions': library({
          open: [1, 2].map((number) =>
            job({ id: id(number), status: 'uploading', creditsRequired: 13 }),
          ),
        }),
      },
      see('2 files waiting for your confirmation'),
    ],
  }),
  ...screen(
    `/dashboard?batch=${id(30)}`,
    batchOf('completed', 'processing chunk 3/5', 'processing', 'processing'),
    {
      'several files at work': [see('1 of 4 done')],
      'cancelling what waits of several files': [
        press('Cancel what is waiting'),
        see('Cancel the 2 files that wait?'),
      ],
    },
  ),
  ...screen(`/dashboard?batch=${id(30)}`, batchOf('completed', 'error', 'completed'), {
    'several files done, one failed': [see('2 done, 1 failed')],
  }),
  ...screen('/dashboard', {
    uploading: [{ 'POST /api/uploads': never }, send, shown('button', 'Cancel')],
    'leaving while uploading': [
      { 'POST /api/uploads': never },
      send,
      press(/^Account menu/),
      click('menuitem', 'Account'),
      shown('button', 'Stay'),
    ],
    'the server refused the file': [
      { 'POST /api/uploads': refuse('unsupported_format') },
      send,
      see('Upload Failed'),
    ],
    'the session ended before the file was sent': [
      endsWith('POST /api/uploads'),
      send,
      see('Your session has ended.'),
    ],
  }),
  ...screen('/dashboard', bill(), {
    confirming: [confirmable],
    'the session ended before the price was confirmed': [
      { ...endsWith(`POST ${one}/confirm`) },
      confirmable,
      (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click(),
      see('Your session has ended. The file is kept.'),
    ],
  }),
  ...screen(
    '/dashboard',
    bill({ creditsRequired: 14, originalName: longName, filename: longName }),
    {
      'confirming, the price opened': [
        confirmable,
        (page) => page.getByRole('alertdialog').getByText('How this price is made').click(),
      ],
    },
  ),
  ...screen('/dashboard', bill({ creditsAvailable: 4 }), {
    'confirming, short of credits': [
      { 'GET /api/user': user({ credits: 4 }) },
      confirmable,
      see(/You need 9 more credits/),
    ],
  }),
  ...screen('/dashboard', bill(), {
    'confirming, pending': [
      { [`POST ${one}/confirm`]: never },
      confirmable,
      (page) => page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click(),
    ],
  }),
]

const running = (status: string): Answers => ({
  [`GET ${one}`]: job({ status, wordCount: null, language: null, speakers: [] }),
  'GET /api/transcriptions': library({ open: [job({ status })], finished: rows(3) }),
})

const processing: State[] = [
  ...screen(opened, {
    'processing, queued': [running('processing'), see('30% complete')],
    'processing, checking': [running('preprocessing: analyzing file format'), see('15% complete')],
    'processing, on its first chunk': [running('processing chunk 0/5'), see('first of 5 chunks')],
    'processing, recognising': [running('processing chunk 2/5'), see('54% complete')],
    'processing, summarizing': [running('summarizing'), see('85% complete')],
  }),
  ...screen(opened, running('processing chunk 3/8'), {
    'processing, its text so far': [
      { [`GET ${one}/so-far`]: soFar(86) },
      see('still being written'),
      press('Show them all'),
      see('Show fewer'),
    ],
  }),
  ...screen(opened, running('processing chunk 1/8'), {
    'processing, its text before voices are told apart': [
      { [`GET ${one}/so-far`]: soFar(3, { speakers: 0 }) },
      see('Who speaks is not told apart yet.'),
    ],
  }),
  ...screen(opened, running('processing chunk 3/8'), {
    'processing, the rest of its text held back after 12 turns': [
      { [`GET ${one}/so-far`]: soFar(12, { isHeldBack: true }) },
      see('comes with the finished transcription.'),
    ],
    'processing, the rest of its text held back': [
      { [`GET ${one}/so-far`]: soFar(0, { isHeldBack: true }) },
      see('comes with the finished transcription.'),
    ],
    'processing, its text could not be loaded': [
      { [`GET ${one}/so-far`]: broken },
      see('What was read so far could not be loaded.'),
    ],
    'processing, cancel asked with text so far': [
      { [`GET ${one}/so-far`]: soFar(12) },
      see('still being written'),
      press('Cancel'),
      see('Stop and throw away the text so far?'),
    ],
  }),
  ...screen(opened, running('transcribing'), {
    'processing, connection lost': [
      see('50% complete'),
      (page) => page.route(`**${one}`, away),
      see('Connection lost. Your file is still being processed.'),
    ],
    'processing, cancel asked': [see('50% complete'), press('Cancel'), see('Cancel this file?')],
  }),
  ...screen(opened, {
    failed: [
      {
        [`GET ${one}`]: failed(),
        'GET /api/transcriptions': library({ finished: [failed(), ...rows(2)] }),
      },
      see('13 credits were returned.'),
    ],
    'failed for good': [
      {
        [`GET ${one}`]: failed({
          canRetry: false,
          errorCode: 'no_speech',
          errorMessage: 'No speech was found in this recording.',
          originalName: longName,
        }),
      },
      see('Process New File'),
    ],
    'a transcription that is gone': [see('This transcription is not here.')],
    'a transcription that did not load': [
      { [`GET ${one}`]: broken },
      see('Could not load this transcription.'),
    ],
  }),
]

const edit = (page: Page, words: string) =>
  correct(page, transcript(page).getByRole('listitem').filter({ hasText: words }).first())
const FIRST = 'So the question'
async function replaceIn(page: Page, find: string): Promise<void> {
  await press('Find and replace')(page)
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
  const row = page.getByRole('button', { name: /^Chapters:/ })
  if (await row.isVisible()) await row.click()
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
const video: State[] = [
  ...screen(opened, film(), {
    'video, the picture beside the text': [seePicture],
    'video, the picture above the text': [seePicture],
    'video, words to check under the picture': [seePicture, press(/^Words to check/), see(/^1 of/)],
    'video in chapters': [
      result({ ...filmed, chapters: inChapters, chaptersBy: 'model' }, words(said(164))),
      seePicture,
      openChapters,
    ],
    'video, the picture is loading': [
      { [`GET ${one}/media`]: never },
      (page) => expect(figure(page).getByText('The picture is loading.')).toBeAttached(),
    ],
  }),
  ...screen(`${opened}#speakers`, film(), { 'video, its speakers': [seePicture] }),
  ...screen(opened, film(), {
    'video, small over another tab': [
      seePicture,
      press('Play'),
      click('tab', 'Summary'),
      shown('button', 'Close the small picture'),
    ],
  }),
  ...screen(opened, film({}, sound), {
    'video, the picture fails': [see('The picture cannot be shown at the moment.')],
  }),
  ...screen(opened, film(), {
    'video, deleted while it plays': [
      { [`GET ${one}/media`]: refuse('not_found') },
      see('The recording cannot be played at the moment.'),
    ],
  }),
  ...screen(opened, result({ mediaType: 'video/mp4', picture: 'cannot' }), {
    'video whose picture cannot be shown': [
      see('The picture of this file cannot be shown; the sound can.'),
    ],
  }),
  ...screen(opened, result({ picture: 'left_out' }), {
    'video of which the sound was uploaded': [see('Only the sound of this video was uploaded.')],
  }),
]

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

const results: State[] = [
  ...screen(opened, {
    'result loading': [
      { [`GET ${one}`]: never },
      (page) => expect(page.getByText('Loading the transcription')).toBeAttached(),
    ],
  }),
  ...screen(opened, result(), {
    'result, words loading': [{ [`GET ${one}/words`]: never }, see('Export')],
  }),
  ...screen(
    opened,
    result({
      speakerSegments: '[{"start":0,"end":14,"speaker":"Ada Lovett","text":"So the question."}]',
    }),
    {
      'result, words broken': [
        { [`GET ${one}/words`]: broken },
        see('could not be loaded, so the text cannot be corrected'),
      ],
    },
  ),
  ...screen(
    opened,
    result({ chapters: [{ title: 'Who reads the minutes', start: 0 }], chaptersBy: 'words' }),
    {
      'export, with chapters': [click('tab', 'Export'), see('Chapters for podcast apps, as JSON')],
    },
  ),
  ...screen(opened, result(), {
    transcription: [see(FIRST)],
    'transcription, searched': [
      fill('Search in transcript', 'minutes'),
      press('Hit after'),
      see(/1 of 3/),
    ],
  }),
  ...screen(opened, result({}, { ...words(said(12)), fixed: { replaced: 3, edit: 1 } }), {
    'transcription with fixed replacements': [see('marked as corrected')],
  }),
  ...screen(opened, result(), {
    'transcription, find and replace': [
      (page) => replaceIn(page, 'minutes'),
      press('Hit after'),
      see(/1 of 3/),
    ],
    'transcription, nothing found to replace, with a turn open': [
      (page) => edit(page, FIRST),
      (page) => replaceIn(page, 'zeppelin'),
      see('Save the open turn first.'),
    ],
  }),
  ...screen(opened, result({}, words(said(120))), {
    'transcription, many to replace': [
      (page) => replaceIn(page, 'the'),
      press(/^Remove all/),
      see(/^Remove all \d+\?$/),
    ],
  }),
  ...screen(opened, result(), {
    'transcription, some changed before they were replaced': [
      {
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
      (page) => replaceIn(page, 'the'),
      press(/^Remove all/),
      see(/changed and (was|were) left as/),
    ],
    'transcription, words to check': [press(/^Words to check/), see(/1 of 4/)],
    'transcription, a word corrected everywhere': [
      press(/^Words to check/),
      press('Correct'),
      see('Fix all 3 in this recording'),
    ],
  }),
  ...screen(opened, result({}, words(said(12), { isInDoubt: manyInDoubt })), {
    'transcription, many words in doubt': [see('Check them · about 2 min')],
  }),
  ...screen(
    opened,
    result(
      {},
      {
        ...words(said(12), { isInDoubt: noneInDoubt }),
        checkBelow: null,
        isDoubtUnknown: true,
      },
    ),
    { 'transcription, doubt not known': [see('No word is marked')] },
  ),
  ...screen(opened, result({}, words(said(12), { isInDoubt: () => true })), {
    'transcription, most words in doubt and their underlines hidden': [
      (page) => page.getByRole('checkbox', { name: 'Underline doubt' }).uncheck(),
      see('The underlines are switched off.'),
    ],
  }),
  ...screen(opened, result(), {
    'transcription, a turn edited': [(page) => edit(page, FIRST)],
    'transcription, edited in two tabs': [
      {
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
      (page) => edit(page, FIRST),
      (page) => turnEditor(page).fill('So the question everyone asks.'),
      see(/changed in another tab/),
    ],
    'transcription, edited without a connection': [
      { [`PATCH ${one}/turns/${changed?.id}`]: away },
      (page) => edit(page, FIRST),
      (page) => turnEditor(page).fill('So the question everyone asks.'),
      see('Not connected.'),
    ],
    'transcription, a speaker named': [
      press(/^Ada Lovett ?, name the speaker/),
      shown('combobox', 'Name'),
    ],
    'transcription, the keys': [
      see(FIRST),
      (page) => page.keyboard.press('?'),
      shown('dialog', 'Keyboard shortcuts'),
    ],
    'transcription, a key that another act has': [
      see(FIRST),
      (page) => page.keyboard.press('?'),
      press('Faster: .. Change'),
      (page) => page.keyboard.press('k'),
      see('K is “Play or pause”. Use it here instead?'),
    ],
    'transcription, the times of a turn': [
      (page) => edit(page, FIRST),
      (page) => turnEditor(page).press('Alt+t'),
      fill('Ends', 'soon'),
      press('Set times'),
      see('Write a time as 1:02.5.'),
    ],
    'transcription, two speakers made one': [
      press(/^Ada Lovett ?, name the speaker/),
      fill('Name', 'Ben Okafor'),
      see('Ben Okafor is already here. Make them one speaker?'),
    ],
  }),
  ...screen(
    opened,
    result({
      recordingKeptUntil: null,
      recordingDeletedAt: '2026-12-21T10:00:00Z',
      mediaType: null,
    }),
    { 'transcription, the recording deleted': [see(/The recording was deleted on/)] },
  ),
  ...screen(opened, result(), {
    'transcription, deleted while it plays': [
      { [`GET ${one}/media`]: refuse('not_found') },
      see('The recording cannot be played at the moment.'),
    ],
  }),
  ...screen(opened, result({ mediaType: null }), {
    'transcription, unplayable': [see('Browsers cannot play a recording of this kind.')],
  }),
  ...screen(opened, result({ transcriptionText: '', speakers: [], wordCount: 0 }, words([])), {
    'transcription without words': [see('No transcription available')],
  }),
  ...screen(
    opened,
    result(
      {
        originalName: longName,
        speakers: Array.from({ length: 8 }, (_, index) => `Speaker ${index}`),
        wordCount: 99_999,
      },
      words(said(24, 8)),
    ),
    { 'transcription of 8 speakers and a long name': [see('Speaker H')] },
  ),
  ...screen(
    opened,
    result(
      { duration: 10_800, wordCount: 27_000 },
      words(said(720, 4), { isInDoubt: noneInDoubt }),
    ),
    { 'transcription of 3 hours': [see(FIRST)] },
  ),
  ...screen(opened, result({ language: 'ar', originalName: 'مقابلة مع آدا.m4a' }, words(arabic)), {
    'transcription in Arabic': [see('السؤال')],
  }),
  ...screen(opened, result({ language: 'ja', originalName: '会議の録音.m4a' }, words(japanese)), {
    'transcription in Japanese': [see('最初')],
  }),
  ...screen(
    opened,
    result({ language: 'de', topics: ['Donaudampfschifffahrtsgesellschaft'] }, words(german)),
    { 'transcription in German': [see('Betäubungsmittel')] },
  ),
  ...screen(opened, result({ isSample: true, originalName: 'sample.m4a' }), {
    'transcription of the sample': [see('Sample · As it was heard')],
  }),
  ...screen(opened, result(), {
    'result actions': [see(FIRST), press('More for this result'), shown('menuitem', 'Tag…')],
  }),
  ...screen(opened, result({ recordedAt: '2024-09-03' }), {
    'result, its day': [
      see('Recorded Sep 3, 2024'),
      press('More for this result'),
      click('menuitem', 'Recorded on…'),
      shown('dialog', 'When was this recorded?'),
    ],
    'result, its day not saved': [
      { [`PATCH ${one}`]: broken },
      press('More for this result'),
      click('menuitem', 'Recorded on…'),
      fill('Day', '2024-09-04'),
      press('Save day'),
      (page) => expect(page.getByLabel('Day')).toHaveAttribute('aria-invalid'),
    ],
  }),
  ...screen(`${opened}#summary`, result(), {
    summary: [see('Most people read the minutes')],
    'action item changed': [
      press(/^Change “Send the corrected minutes/),
      (page) => expect(page.getByRole('textbox', { name: 'What' })).toBeFocused(),
    ],
    'action item added without words': [
      press('Add an action item'),
      press('Add'),
      see('Say what is to be done.'),
    ],
    'action item not saved': [
      { [`PATCH ${one}/action-items/${id(90)}`]: broken },
      click('checkbox', /^Send the corrected minutes/),
      see('Not saved. Your change was undone.'),
    ],
    'action item not added': [
      { [`POST ${one}/action-items`]: refuse('too_many_action_items') },
      press('Add an action item'),
      fill('What', 'Book the room'),
      press('Add'),
      see(/^A transcription has at most 200 action items/),
    ],
  }),
  ...screen(opened, result({ chapters: inChapters, chaptersBy: 'words' }, words(said(164))), {
    'transcription in chapters': [openChapters, see('Titles are phrases of the talk.')],
    'transcription, its chapters changed': [
      changeChapters,
      fill('Beginning of chapter 3', '4:50'),
      (page) => page.keyboard.press('Enter'),
      see('Another chapter begins at 4:52.'),
    ],
    'transcription, its chapters changed elsewhere': [
      { [`PUT ${one}/chapters`]: refuse('chapters_changed') },
      changeChapters,
      fill('Name of chapter 3', 'The oven, again'),
      (page) => page.keyboard.press('Enter'),
      see('Changed in another tab'),
    ],
  }),
  ...screen(opened, result(), {
    'transcription, chapters are looked for': [
      { [`POST ${one}/chapters/find`]: never },
      press('Find chapters'),
      (page) => expect(page.getByText('Looking for chapters…').first()).toBeAttached(),
    ],
    'transcription, no chapters are found': [
      { [`POST ${one}/chapters/find`]: refuse('no_chapters') },
      press('Find chapters'),
      see('No chapters could be found.'),
    ],
  }),
  ...screen(
    `${opened}#summary`,
    result({
      summaryKind: 'sentences',
      summaryPending: true,
      summaryNote:
        'Sentences taken from this transcript. The language model of this server had not answered when the transcript was ready.',
    }),
    {
      'summary of sentences, while a better one is written': [
        see('A better summary is being written.'),
      ],
    },
  ),
  ...screen(
    `${opened}#summary`,
    result({
      summary: null,
      keyPoints: [],
      keyPointTimes: [],
      keyPointQuotes: [],
      chapters: [],
      topics: [],
      actionItems: [],
    }),
    { 'summary empty': [see('No summary available')] },
  ),
  ...screen(`${opened}#speakers`, result(), { speakers: [see('Who spoke when')] }),
  ...screen(`${opened}#speakers`, result({}, words(said(24, 8))), {
    'speakers, 8 of them': [see('Speaker H')],
  }),
  ...screen(`${opened}#speakers`, result({ speakers: [] }, words([])), {
    'speakers unknown': [see('No speaker timeline for this file.')],
  }),
  ...screen(`${opened}#generate`, result(), {
    'generate empty': [see('Documents are written during upload.')],
    generate: [
      {
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
            title: 'Follow-up: minutes',
            documentType: 'follow-up-email',
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
      see('5 documents'),
      // A document that failed because of its text is ordered again.
      (page) => expect(page.getByRole('button', { name: 'Try again, free' })).toHaveCount(1),
    ],
    'generate broken': [{ [documents]: broken }, see('Something broke on our side.')],
    'generate, own types': [
      {
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
      see('Yours'),
      (page) => page.getByText('Instructions').click(),
      see('For the head of the team, who was not there.'),
    ],
  }),
  ...screen(`${opened}#export`, result(), {
    export: [see('Download All Results'), see('0 of 612 captions in SRT break the rules.')],
    'export, captions are looked at': [
      { [`GET ${one}/captions`]: never },
      see('Looking at the captions…'),
    ],
    'export, captions broken': [
      { [`GET ${one}/captions`]: broken },
      see('Something broke on our side.'),
    ],
    'export, captions that break rules': [
      { [`GET ${one}/captions`]: captions(11) },
      press('As they were'),
      press('Show all 11'),
      see('11 of 612 captions in SRT break the rules.'),
    ],
    'export, captions mended as far as they can be': [
      { [`GET ${one}/captions`]: captions(3) },
      see(/still: the speech there is too fast/),
    ],
  }),
]

/** What there is of a text in another language. */
const others: State[] = [
  ...screen(opened, result(), {
    'translation, choosing a language': [
      askToTranslate,
      see('1 credit, charged when it is there.'),
    ],
    'translation, loading': [
      { [`GET ${one}/translations`]: never },
      askToTranslate,
      see('Loading the translations…'),
    ],
    'translation, not loaded': [
      { [`GET ${one}/translations`]: broken },
      askToTranslate,
      see('Something broke on our side.'),
    ],
    'translation, without credits': [
      { 'GET /api/user': user({ credits: 0 }) },
      askToTranslate,
      see('A translation costs 1 credit, and you have none left.'),
    ],
    'translation, one is there': [
      translated({ changed: 3 }, inOther(german)),
      askToTranslate,
      see('Translated, 3 places changed since'),
    ],
    'translation, one is there and the model is gone': [
      { 'GET /api/capabilities': { ...everything, translations: false } },
      translated({ changed: 3 }, inOther(german)),
      askToTranslate,
      see('This server has no language model any more.'),
      see('Translated, 3 places changed since'),
    ],
  }),
  ...screen(`${opened}&in=de`, result(), {
    'translation, being made': [
      translated({ status: 'translating', progress: 40, creditsReserved: 1, finishedAt: null }),
      see('40% done.'),
    ],
    'translation, failed': [
      translated({
        status: 'error',
        isCreditReturned: true,
        problem: 'The language model of this server could not translate this text well enough.',
      }),
      see('1 credit was returned.'),
    ],
    'translation, of the text before': [translated(), see(/belongs to the text from before/)],
    'translation, both': [
      translated({}, inOther(Array.from({ length: 4 }, () => german).flat())),
      see('It cannot be edited.'),
      (page) => expect(page.locator('[data-translation]').first()).toBeVisible(),
    ],
    'translation, changed since and the model is gone': [
      { 'GET /api/capabilities': { ...everything, translations: false } },
      translated({ changed: 1 }, inOther(german)),
      see('The text has changed since in 1 place.'),
      (page) => expect(page.locator('[data-translation]').first()).toBeVisible(),
      (page) => expect(page.getByRole('button', { name: 'Translate it again' })).toHaveCount(0),
    ],
    'translation, changed since': [
      translated({ changed: 3, untranslated: 1 }, [
        ...inOther(german).map((turn) => ({ ...turn, isChanged: true, isUnsure: true })),
        { id: id(1_003), text: null, isChanged: false, isUnsure: false },
      ]),
      see('The text has changed since in 3 places.'),
      see('The original has changed since.'),
      see('Compare the numbers with the original.'),
    ],
    'translation alone': [
      translated({}, inOther(german)),
      (page) =>
        page
          .getByRole('region', { name: /^Translation into/ })
          .getByText('Translation', { exact: true })
          .click(),
      (page) => expect(page.locator('[data-turn-text="0"]')).toBeHidden(),
    ],
    'translation, its text not loaded': [
      translated({ isReadable: true }),
      { [`GET ${one}/translations/de`]: broken },
      see('Something broke on our side.'),
    ],
  }),
  ...screen(`${opened}&in=ar`, result(), {
    'translation from the right': [
      translated({ language: 'ar' }, inOther(arabic)),
      (page) => expect(page.locator('[data-translation] [dir=rtl]').first()).toBeVisible(),
    ],
  }),
  ...screen(`${opened}#export`, result(), {
    'export, in another language': [
      translated({}, inOther(german)),
      async (page) => page.getByLabel('Language').selectOption('de'),
      see('0 of 612 captions in SRT break the rules.'),
    ],
  }),
]

async function askToTranslate(page: Page): Promise<void> {
  await says(page, FIRST)
  const button = page.getByRole('button', { name: 'Translation', exact: true })
  if (await button.isVisible()) await button.click()
  else {
    await press('More for this result')(page)
    await page.getByRole('menuitem', { name: 'Translation…' }).click()
  }
  await expect(page.getByRole('dialog', { name: 'Translation' })).toBeVisible()
}

async function giveAway(page: Page): Promise<void> {
  await says(page, FIRST)
  // A phone has it in the menu.
  const share = page.getByRole('button', { name: 'Share', exact: true })
  if (await share.isVisible()) await share.click()
  else {
    await press('More for this result')(page)
    await page.getByRole('menuitem', { name: 'Share' }).click()
  }
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

const sharing: State[] = [
  ...screen(opened, result(), {
    share: [
      giveAway,
      (page) => page.getByRole('switch', { name: 'Ask for a password' }).check(),
      (page) => page.getByRole('switch', { name: 'Times' }).check(),
      see('Create link'),
    ],
    'share loading': [{ [`GET ${links}`]: never }, giveAway, see('Loading its links…')],
    'share unloaded': [{ [`GET ${links}`]: broken }, giveAway, see('Something broke on our side.')],
  }),
  ...screen(opened, result({ mediaType: 'video/mp4', picture: 'shown' }), {
    'share of a video whose picture may be left out, and with a short password': [
      giveAway,
      see('Sound only'),
      (page) => page.getByRole('switch', { name: 'Ask for a password' }).check(),
      fill('Password of the link', 'short'),
      press('Create link'),
      see('At least 8 characters'),
    ],
  }),
  ...screen(
    opened,
    result({ recordingKeptUntil: null, recordingDeletedAt: '2026-11-20T09:00:00Z' }),
    {
      'share refused, of a recording that is deleted': [
        { [`POST ${links}`]: broken },
        giveAway,
        see('The recording was deleted on Nov 20, 2026.'),
        press('Create link'),
        see('The link could not be made. Nothing is shared.'),
      ],
    },
  ),
  ...screen(opened, linked({ hasPassword: true }), {
    'share with a link': [
      giveAway,
      see(/^Seen 4 times, last today at/),
      see('It is set, and cannot be shown again.'),
    ],
  }),
  ...screen(opened, severalLinks, {
    'share with several links': [giveAway, see('Transcript, sound only')],
    'share, one link too many': [
      { [`POST ${links}`]: refuse('too_many_links') },
      giveAway,
      press('Another link'),
      press('Create link'),
      see(`The link could not be made. ${refusals.too_many_links[1]}`),
    ],
  }),
  ...screen(opened, linked(), {
    'share, a change that failed': [
      { [`PATCH /api/shares/${id(950)}`]: broken },
      giveAway,
      (page) => page.getByRole('switch', { name: 'Speakers’ names' }).click({ force: true }),
      see('Not saved. Your change was undone.'),
      (page) => expect(page.getByRole('switch', { name: 'Speakers’ names' })).toBeChecked(),
    ],
  }),
  ...screen(opened, linked({ openings: 0, lastOpenedAt: null, url: null }), {
    'share, ending asked': [giveAway, press('End the link now'), see(/cannot be had again/)],
  }),
]

const wrongPassword = { problem: { problemText: 'That is not the password.' } }
const moving = { player: 'picture' } as const
const linkPages: State[] = [
  ...screen(LINK, shared(), {
    'shared page': [see(FIRST)],
    'shared page, played and searched': [
      (page) => page.getByRole('searchbox').fill('minutes'),
      see('1 of 3'),
      press('Play from 0:15'),
      shown('button', 'Pause'),
      press('Pause'),
    ],
    'shared page, nothing found': [
      (page) => page.getByRole('searchbox').fill('zeppelin'),
      see('Nothing found'),
    ],
  }),
  ...screen(LINK, shared({ summary: null, names: new Map(), peaks: null }, { player: 'none' }), {
    'shared page of the text alone, without names': [see('Speaker A')],
  }),
  ...screen(LINK, shared({}, { player: 'gone' }), {
    'shared page of a recording that is gone': [
      see('The recording is no longer here. The text stays.'),
    ],
  }),
  ...screen(LINK, shared(), {
    'shared page, its sound cannot be played': [
      { [`GET ${LINK}/recording`]: refuse('not_found') },
      press('Play'),
      see('The recording cannot be played at the moment. The text is all here.'),
    ],
  }),
  ...screen(LINK, shared({ title: 'field-notes-12-film.webm' }, moving), {
    'shared page of a video': [
      { [`GET ${LINK}/recording`]: film()[`GET ${one}/media`] ?? {} },
      see(FIRST),
    ],
  }),
  ...screen(LINK, shared({}, moving), {
    'shared page of a video that cannot be played': [
      { [`GET ${LINK}/recording`]: refuse('not_found') },
      see('The recording cannot be played at the moment. The text is all here.'),
    ],
  }),
  ...screen(
    LINK,
    shared({
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
    { 'shared page in Arabic': [see('السؤال')] },
  ),
  ...screen(
    LINK,
    shared(
      { title: longName, spoken: said(24, 8), durationMs: 10_800_000 },
      { sharedBy: 'Ada Augusta Lovett-Donaudampfschifffahrt of the newsroom' },
    ),
    { 'shared page of 8 speakers and a long name': [see('Speaker H')] },
  ),
  ...screen(LINK, closed('share-password'), {
    'shared page with a password': [see('This page has a password')],
  }),
  ...screen(LINK, closed('share-password', wrongPassword), {
    'shared page with another password': [see('That is not the password.')],
  }),
  ...screen(LINK, closed('share-ended'), {
    'shared page that has ended': [see('This link has ended')],
  }),
]

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

const afresh: State[] = [
  ...screen(opened, result(), {
    'transcribing again': [askAgain, see('Your 14 corrections are kept.')],
    'transcribing again, loading': [{ [`GET ${one}/again`]: never }, askAgain],
    'transcribing again, broken': [
      { [`GET ${one}/again`]: broken },
      askAgain,
      see('What was found last time could not be loaded.'),
    ],
  }),
  ...screen(opened, offered({ corrections: 0 }), {
    'transcribing again, short of credits': [
      { 'GET /api/user': user({ credits: 4 }) },
      askAgain,
      see('Insufficient credits.'),
    ],
  }),
  ...screen(opened, offered({ creditsRequired: 0, speakersFound: 0, corrections: 1 }), {
    'transcribing again for nothing, refused': [
      { [`POST ${one}/again`]: refuse('server_busy') },
      askAgain,
      see('because the first try failed on our side.'),
      press('Transcribe again'),
      see(refusals.server_busy[1]),
    ],
  }),
  ...screen(opened, offered({ creditsRequired: 0 }), {
    'transcribing again, at another price than was shown': [
      { [`POST ${one}/again`]: { id: id(30), creditsRequired: 13, creditsAvailable: 142 } },
      askAgain,
      press('Transcribe again'),
      see('It was not started, and nothing was charged.'),
    ],
  }),
  ...screen(opened, beingDone({}), {
    'a new text is written': [see('Corrections wait until it is there.')],
    'a new text is written, to be stopped': [press('Cancel'), see('Stop writing a new text?')],
  }),
  ...screen(
    opened,
    failedAgain({
      errorMessage: 'The recording could not be transcribed again. Your credits were returned.',
    }),
    {
      'a new text has failed': [
        see('The recording could not be transcribed again. Your credits were returned.'),
      ],
    },
  ),
  ...screen(opened, result(), {
    'a new text, with corrections that need somebody': [
      { [`GET ${one}/again`]: carried() },
      see('2 corrections need you'),
    ],
    'a new text, to be left for the earlier one': [
      { [`GET ${one}/again`]: carried() },
      press('Go back to the earlier text'),
      see('The new text is kept for 30 days in its place.'),
    ],
    'a new text, a decision not saved': [
      { [`GET ${one}/again`]: carried(), [`POST ${one}/again/decision`]: broken },
      press('Put mine in'),
      see('Not saved. Your change was undone.'),
    ],
    'a new text with all corrections in it': [
      { [`GET ${one}/again`]: { ...carried(), carried: { placed: 14, questions: [] } } },
      see('New text. All 14 corrections are in it.'),
    ],
  }),
  ...screen(`${opened}#speakers`, result(), {
    'the speakers, to be told apart again': [
      { [`POST ${one}/speakers`]: refuse('server_busy') },
      tellApart,
      press('Tell them apart'),
      see(refusals.server_busy[1]),
    ],
  }),
  ...screen(`${opened}#speakers`, beingDone({ what: 'speakers' }), {
    'the speakers are told apart again': [see('Corrections wait until that is done.')],
  }),
  ...screen(
    `${opened}#speakers`,
    failedAgain({
      what: 'speakers',
      errorMessage:
        'The speakers could not be told apart again. Nothing was charged, and the text is as it was.',
    }),
    {
      'the speakers could not be told apart again': [
        see('Nothing was charged, and the text is as it was.'),
      ],
    },
  ),
]

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

const money: State[] = [
  ...screen('/subscribe', {
    subscribe: [{ 'GET /api/billing': billing({ plan: null }) }, see('How Credits Work')],
  }),
  ...screen('/subscribe?plan=enterprise', {
    'subscribe, a plan wished for': [
      { 'GET /api/billing': billing({ plan: null }) },
      see('Choose a plan'),
    ],
  }),
  ...screen('/subscribe', {
    subscribed: [see('Choose a plan')],
    'subscribe loading': [{ 'GET /api/billing': never }, see('Choose a plan')],
    'subscribe broken': [{ 'GET /api/billing': broken }, see('Choose a plan')],
  }),
  ...screen('/upgrade', {
    'subscribe, payments off': [
      { 'GET /api/billing': billing({ payments: 'off', plan: null }) },
      see('Choose a plan'),
    ],
  }),
  ...screen('/account/plan', {
    'plan and receipts': [
      {
        'GET /api/billing': billing({
          invoices: [aReceipt, { ...aReceipt, id: 'in_2', refunded: '$5.00' }],
          unmatched: [unmatched],
        }),
      },
      see('Cancel plan'),
    ],
    'plan and receipts, none': [
      { 'GET /api/billing': billing({ plan: null }) },
      see('No plan is running. Your credits stay.'),
    ],
    'plan and receipts loading': [{ 'GET /api/billing': never }, see('Loading your plan…')],
    'plan and receipts broken': [{ 'GET /api/billing': broken }, see('Try again')],
  }),
  ...screen('/subscribe', {
    'subscribe, checkout opening': [
      { 'GET /api/billing': billing({ plan: null }), 'POST /api/create-payment-intent': never },
      press('Subscribe to Professional'),
      see('Opening secure checkout…'),
    ],
    'subscribe, payment error': [
      {
        'GET /api/billing': billing({ plan: null }),
        'POST /api/create-payment-intent': refuse('payments_unreachable'),
      },
      press('Subscribe to Professional'),
      see(refusals.payments_unreachable[1]),
    ],
  }),
  ...screen('/subscription-success?plan=professional&session_id=cs_1', {
    'payment checking': [{ 'POST /api/subscription-success': never }, see('Adding your credits…')],
    'payment done': [
      {
        'POST /api/subscription-success': {
          creditsAdded: 150,
          planId: 'professional',
          amountPaid: 19.99,
        },
      },
      see(/150 credits have been added/),
    ],
  }),
  ...screen(`/subscription-success?plan=professional&session_id=cs_${'a1'.repeat(30)}`, {
    'payment not found': [
      { 'POST /api/subscription-success': refuse('not_paid') },
      see('If you have paid, your payment is safe.'),
    ],
  }),
  ...screen('/subscription-success?plan=gold', {
    'payment for an unknown plan': [see('We do not recognize this plan.')],
  }),
]

const account: State[] = [
  ...screen('/account', {
    profile: [see('76.5% right')],
    'profile, nothing checked yet': [{ 'GET /api/accuracy': [] }, see('Nothing is counted yet.')],
    'profile, an address changing': [
      {
        'GET /api/account': ownAccount({
          emailChange: {
            newEmail: 'ada.augusta.lovett-of-the-newsroom@transcripts.example.com',
            isOldConfirmed: true,
            isNewConfirmed: false,
          },
        }),
      },
      see(/ada\.augusta/),
    ],
    'profile loading': [{ 'GET /api/account': never }, see('Profile')],
    'profile broken': [{ 'GET /api/account': broken }, see('Try again')],
  }),
  ...screen('/mails-off?key=00000000-0000-4000-8000-000000000000', {
    'mails off, with a key of nobody': [see('Nothing was changed')],
  }),
  ...screen('/account/credits', {
    credits: [see('For signing up')],
    'credits empty': [
      {
        'GET /api/credits': ledger({ available: 99_999, held: 0, spent: 0, count: 0, lines: [] }),
        'GET /api/user': user({ credits: 99_999 }),
      },
      see('Credits'),
    ],
    'credits loading': [{ 'GET /api/credits': never }, see('Credits')],
    'credits broken': [{ 'GET /api/credits': broken }, see('Try again')],
  }),
  ...screen('/account/vocabulary', {
    vocabulary: [see('This also changes “ten thousand reels”')],
    'vocabulary, forms open': [
      press('Change Okafor'),
      press('Change field notes'),
      press('Add'),
      see('Please enter a name or term'),
    ],
    'vocabulary, empty': [
      {
        'GET /api/vocabulary': {
          revision: 0,
          terms: [],
          heardAs: [],
          used: [],
          replacements: [],
        },
      },
      see('No terms yet.'),
    ],
    'vocabulary, not saved': [
      { 'PUT /api/vocabulary': broken },
      press('Delete Kendal'),
      see('Not saved. Your change was undone.'),
    ],
    'vocabulary broken': [{ 'GET /api/vocabulary': broken }, shown('button', 'Try again')],
  }),
  ...screen('/account/templates', {
    'document types': [see('Sales call')],
    'document types, empty': [
      { 'GET /api/document-templates': { templates: [], trialsLeft: 10 } },
      see('No types of your own yet.'),
    ],
    'document types loading': [
      { 'GET /api/document-templates': never },
      see('Loading your types…'),
    ],
    'document types broken': [{ 'GET /api/document-templates': broken }, see('Try again')],
    'document types without a model': [
      { 'GET /api/capabilities': { ...everything, documentsByModel: false } },
      see(/needs a language model, and this server has none/),
    ],
    'document type, new': [
      press('New type of document'),
      press('Save'),
      see('Please give the type a name.'),
    ],
    'document type, tried': [
      {
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
      press('Change Weekly report'),
      press('Try it on the sample'),
      see('Why the price was raised'),
    ],
    'document type, being tried': [
      { 'POST /api/document-templates/try': never },
      press('Change Weekly report'),
      press('Try it on the sample'),
      see('Writing…'),
    ],
    'document type, not tried and not saved': [
      {
        'POST /api/document-templates/try': refuse('template_trial_failed'),
        [`PUT /api/document-templates/${id(601)}`]: refuse('template_exists'),
      },
      press('Change Weekly report'),
      press('Try it on the sample'),
      see(refusals.template_trial_failed[1]),
      press('Save'),
      see(refusals.template_exists[1]),
    ],
  }),
  ...screen('/account/security', {
    security: [see('Safari on iPhone')],
    'security without a password': [
      {
        'GET /api/account': ownAccount({
          hasPassword: false,
          issuers: [{ id: 'google', name: 'Google', email: 'ada@example.com', isOffered: true }],
        }),
        'GET /api/account/sessions': [session(0)],
        'GET /api/account/activity': [],
      },
      see('ada@example.com'),
    ],
  }),
  ...screen('/account/data', {
    data: [see('Not seen yet')],
    'data without links': [{ 'GET /api/shares': { shares: [] } }, see(/There is none/)],
    'data, ending a link asked': [press(/^End the link to/), see('Keep it')],
    'data, deletion asked': [press(/^Delete/), see('Keep my account')],
  }),
  ...screen('/account/api-keys', {
    keys: [{ 'GET /api/user': user({ planType: 'enterprise' }) }, see('Nightly import')],
    'keys empty': [{ 'GET /api/keys': apiKeys({ keys: [] }) }, see('API keys')],
    'keys of another plan': [
      { 'GET /api/keys': apiKeys({ isAllowed: false, callsPerHour: 100, keys: [] }) },
      see(/Enterprise/),
    ],
    'a new key': [
      {
        'POST /api/keys': {
          ...apiKeys().keys[0],
          id: id(701),
          key: `quoth_live_${'8f2aQ7'.repeat(7)}`,
        },
      },
      fill('Name', 'Import'),
      (page) => page.locator('form button[type=submit]').first().click(),
      see(/quoth_live_8f2aQ7/),
    ],
    'a key revoked': [press('Revoke Nightly import of the newsroom'), see('Keep it')],
  }),
  ...screen('/account/webhooks', {
    webhooks: [
      {
        'GET /api/webhooks': [
          webhook(),
          webhook({ id: id(801), paused: 'dead' }),
          webhook({ id: id(802), paused: 'new_password' }),
        ],
      },
      see(/newsroom\.example/),
    ],
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
      (page) =>
        page
          .locator('button[aria-expanded]')
          .filter({ hasText: /log|deliver/i })
          .first()
          .click(),
      see(/Log of the last/),
    ],
    'webhooks empty': [{ 'GET /api/webhooks': [] }, see('Webhooks')],
    'webhooks broken': [{ 'GET /api/webhooks': broken }, see('Try again')],
  }),
]

async function record(page: Page, until: string): Promise<void> {
  await press('Record')(page)
  await press('Start recording')(page)
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
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await expect(page.getByRole('link', { name: /Back to the recording$/ })).toBeVisible()
}

const recorder: State[] = [
  ...screen('/dashboard', {
    recorder: [press('Record'), see('Make sure everyone knows they are being recorded.')],
    'recorder recording': [(page) => record(page, '0:02')],
    'recorder paused': [(page) => record(page, '0:01'), press('Pause')],
    'recorder, the microphone silent': [(page) => lose(page, 'mute'), see('Ask for it again')],
    'recorder, the microphone gone': [(page) => lose(page, 'ended'), see('Go on recording')],
    'recorder, throwing away': [
      (page) => record(page, '0:01'),
      press('Throw away'),
      see('Throw this recording away?'),
    ],
    'recorder, on another page': [recordElsewhere],
    'recorder, logging out': [
      recordElsewhere,
      press(/^Account menu/),
      click('menuitem', 'Log out'),
      see('You are still recording.'),
    ],
    'recorder, one kept and not sent': [
      (page) => record(page, '0:01'),
      press('Stop'),
      press('Record again'),
      see('Made in this browser and not sent.'),
    ],
    'recorder done': [(page) => record(page, '0:01'), press('Stop'), see('Use this recording')],
    'recorder refused': [
      (page) =>
        page.evaluate(
          `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
        ),
      press('Record'),
      press('Start recording'),
      shown('alert'),
    ],
  }),
]

const nothing: Answers = {
  'GET /api/admin/jobs': [],
  'GET /api/admin/users': { users: [], hasMore: false },
  'GET /api/admin/letters': { letters: [], hasMore: false },
  'GET /api/admin/invitations': [],
  'GET /api/admin/log': { lines: [], next: null },
}
const quiet = { jobs: { running: 0, waiting: 0, failed: 0 }, users: 0, unanswered: 0 }

const operating: State[] = [
  ...screen('/admin', operations(), { operations: [see('grace@example.com')] }),
  ...screen(
    '/admin',
    operations({
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
    { 'operations, something paid for nothing': [see('Paid, and nothing granted')] },
  ),
  ...screen('/admin', operations(), { 'operations on a phone': [see('grace@example.com')] }),
  ...screen('/admin', operations(quiet), {
    'operations where nothing happened': [{ ...nothing }, see('Operations')],
  }),
  ...screen('/admin', {
    'operations loading': [{ 'GET /api/admin': never }],
    'operations broken': [{ 'GET /api/admin': broken }, shown('alert')],
  }),
  ...screen(`/admin/user?id=${id(1)}`, operations(), {
    'a user, for operators': [see('An invoice for October')],
  }),
  ...screen('/admin/server', setUp(), {
    'the language model tried': [triedModel(), press('Try it'), see(/^The ferry was late/)],
    'the language model refused': [
      triedModel({
        isAccepted: false,
        said: 'It was to write English and wrote another language.',
        answer: 'Die Fähre kam wieder zu spät.',
        hints: ['Ollama reads 4,096 tokens of this model at once.'],
      }),
      press('Try it'),
      see(/^Die Fähre/),
    ],
    'the language model being tried': [
      { 'POST /api/admin/try-model': never },
      press('Try it'),
      see(/^Waiting for its answer/),
    ],
    'the language model tried too often': [
      { 'POST /api/admin/try-model': refuse('too_many_trials') },
      press('Try it'),
      see(refusals.too_many_trials[1]),
    ],
    'no language model': [setUp({ languageModel: null }), see(/^None is set up/)],
    'how a server is set up, loading': [{ 'GET /api/admin/server': never }],
    'how a server is set up, broken': [{ 'GET /api/admin/server': broken }, shown('alert')],
  }),
  ...screen('/admin/log', operations(), {
    'the log': [see(/Goodwill/)],
    'the log, empty': [{ ...nothing }, shown('heading')],
  }),
]

/** On a phone it is in the menu of the result; the key opens it everywhere. */
async function openAsking(page: Page): Promise<void> {
  await says(page, /So the question/)
  await page.keyboard.press('a')
  await expect(page.getByRole('region', { name: 'Ask this recording' })).toBeVisible()
}

const asking: State[] = [
  ...screen(opened, film(), {
    'video, asked under the picture': [
      { [`GET ${questions}`]: asked({ answers: [answer(), passages({ id: id(702) })] }) },
      seePicture,
      openAsking,
      see('Passages that speak of this'),
    ],
  }),
  ...screen(opened, result(), {
    'transcription, asked': [
      {
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
      openAsking,
      see('Not said: who wrote them.'),
      see(/^40 questions a day/),
    ],
    'transcription, nothing asked': [openAsking, see('What is said about the minutes?')],
    'transcription, nothing asked, without a model': [
      { [`GET ${questions}`]: asked({ hasModel: false, left: null, perDay: null, offers: [] }) },
      openAsking,
      see(/^This server has no language model/),
    ],
    'transcription, an answer awaited': [
      { [`POST ${questions}`]: never },
      openAsking,
      press('What is said about the minutes?'),
      see('Reading the transcript…'),
    ],
    'transcription, no answer': [
      { [`POST ${questions}`]: away },
      openAsking,
      press('What is said about the minutes?'),
      see(/^No answer this time\. Your question is still in the field/),
    ],
    'transcription, asked of a server that fails': [
      { [`GET ${questions}`]: broken },
      openAsking,
      see('The answers so far could not be loaded.'),
    ],
    'transcription, the answers loading': [
      { [`GET ${questions}`]: never },
      openAsking,
      see('Loading the answers…'),
    ],
  }),
  ...screen('/ask', {
    'the library asked': [
      {
        'GET /api/questions': asked({
          answers: [
            answer({
              quotes: [
                quoted(),
                quoted({ transcriptionId: id(101), name: longName, speaker: null }),
              ],
            }),
            answer({ id: id(701), kind: 'not-said', text: null, quotes: [] }),
            passages({ id: id(702) }),
          ],
        }),
      },
      see('Not said in your library.'),
    ],
    'the library, nothing asked': [see('What is said about the minutes?')],
    'the library, an answer awaited': [
      { 'POST /api/questions': never },
      press('What is said about the minutes?'),
      see('Reading your transcripts…'),
    ],
    'the library, no answer': [
      { 'POST /api/questions': broken },
      press('What is said about the minutes?'),
      see(/^No answer this time/),
    ],
    'the library, its answers broken': [
      { 'GET /api/questions': broken },
      see('The answers so far could not be loaded.'),
    ],
    'the library, nothing to ask': [
      { ...empty, 'GET /api/questions': asked({ offers: [] }) },
      see(/^Nothing to ask yet/),
    ],
  }),
]

export const statesOf = {
  'signing in': auth,
  'the dashboard': [...lists, ...header],
  'a new recording': [...upload, ...recorder],
  'a job': processing,
  'a result': results,
  'a result, once more': afresh,
  'a result in other words': others,
  'a video': video,
  'questions and answers': asking,
  'a result, given away': sharing,
  'a shared page': linkPages,
  'buying credits': money,
  'the account': account,
  'operating it': operating,
} satisfies Record<string, State[]>
