/** Every screen of the signed-in app, and of shared links, in every state that a user can see. */
import { readFile } from 'node:fs/promises'

import { type Page, expect } from '@playwright/test'

import {
  type Answers,
  LINK,
  again,
  apiKeys,
  away,
  billing,
  broken,
  captions,
  carried,
  closed,
  delivery,
  failed,
  generated,
  id,
  job,
  ledger,
  library,
  manyInDoubt,
  never,
  noneInDoubt,
  operations,
  ownAccount,
  refuse,
  result,
  rows,
  said,
  session,
  share,
  shared,
  soFar,
  tags,
  taken,
  user,
  webhook,
  words,
} from './answers.ts'
import type { Billing } from '../../src/features/billing/contract.ts'
import type { Engines } from '../../src/features/recordings/contract.ts'
import type { AgainRun, Batch } from '../../src/features/transcriptions/contract.ts'
import { refusals } from '../../src/shared/refusals.ts'
import { chooseFile, correct, media, sample, transcript, turnEditor } from '../steps.ts'

export interface State {
  name: string
  path: string
  answers?: Answers
  /** What a user does to get there, and what shows that it is there. */
  reach?: (page: Page) => Promise<unknown>
}

const one = `/api/transcriptions/${id(10)}`
const documents = `GET /api/transcription/${id(10)}/documents`
const opened = `/dashboard?t=${id(10)}`
const nobody: Answers = { 'GET /api/user': refuse('not_signed_in') }

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click()
const says = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
const see = (text: string | RegExp) => (page: Page) => says(page, text)

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('ada.lovett@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await press(page, 'Sign In')
}

const used = refuse('link_used')

const auth: State[] = [
  { name: 'auth sign-in', path: '/auth', answers: nobody, reach: see('Continue with Google') },
  {
    name: 'auth sign-in empty',
    path: '/auth',
    answers: nobody,
    reach: async (page) => {
      await press(page, 'Sign In')
      await says(page, 'Password is required')
    },
  },
  {
    name: 'auth sign-in refused',
    path: '/auth',
    answers: {
      ...nobody,
      'POST /api/login': refuse('wrong_password'),
    },
    reach: async (page) => {
      await signIn(page)
      await says(page, refusals.wrong_password[1])
    },
  },
  {
    name: 'auth sign-in unverified',
    path: '/auth',
    answers: {
      ...nobody,
      'POST /api/login': refuse('email_not_verified'),
    },
    reach: async (page) => {
      await signIn(page)
      await says(page, 'Please verify your email address before signing in.')
    },
  },
  {
    name: 'auth sign-in pending',
    path: '/auth',
    answers: { ...nobody, 'POST /api/login': never },
    reach: async (page) => {
      await signIn(page)
      await expect(page.locator('[aria-disabled=true], [aria-busy=true]').first()).toBeVisible()
    },
  },
  {
    name: 'auth google error',
    path: '/auth?error=google',
    answers: nobody,
    reach: see('Google Sign-In Error'),
  },
  {
    name: 'auth register',
    path: '/auth?mode=register',
    answers: nobody,
    reach: see('Create your account'),
  },
  {
    name: 'auth register empty',
    path: '/auth?mode=register',
    answers: nobody,
    reach: async (page) => {
      await press(page, 'Create account')
      await says(page, 'Last name is required')
    },
  },
  {
    name: 'auth register refused',
    path: '/auth?mode=register',
    answers: {
      ...nobody,
      'POST /api/register': refuse('too_many_attempts'),
    },
    reach: async (page) => {
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Last name').fill('Lovett')
      await page.getByLabel('Email').fill('ada.lovett@example.com')
      await page.getByLabel('Password', { exact: true }).fill('correct horse')
      await press(page, 'Create account')
      await says(page, 'Registration Failed')
    },
  },
  {
    name: 'auth forgot',
    path: '/auth?mode=forgot',
    answers: nobody,
    reach: see('Reset your password'),
  },
  {
    name: 'auth reset',
    path: '/auth?reset=token',
    answers: nobody,
    reach: see('Choose a new password'),
  },
  {
    name: 'auth reset used',
    path: '/auth?reset=token',
    answers: { ...nobody, 'POST /api/reset-password': used },
    reach: async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('correct horse')
      await page.locator('form button[type=submit]').click()
      await says(page, 'This link has been used or has expired.')
    },
  },
  {
    name: 'auth verifying',
    path: '/auth?verify=token',
    answers: { ...nobody, 'POST /api/verify-email': never },
    reach: see('Confirming your email…'),
  },
  {
    name: 'auth verify used',
    path: '/auth?verify=token',
    answers: { ...nobody, 'POST /api/verify-email': used },
    reach: see('This link has been used or has expired.'),
  },
  {
    name: 'auth verify away',
    path: '/auth?verify=token',
    answers: { ...nobody, 'POST /api/verify-email': refuse('database_away') },
    reach: see(refusals.database_away[1]),
  },
  {
    name: 'auth verify password',
    path: '/auth?verify=token',
    answers: { ...nobody, 'POST /api/verify-email': refuse('password_needed') },
    reach: see(refusals.password_needed[1]),
  },
  {
    name: 'auth verify password empty',
    path: '/auth?verify=token',
    answers: { ...nobody, 'POST /api/verify-email': refuse('password_needed') },
    reach: async (page) => {
      await press(page, 'Confirm and sign in')
      await says(page, 'Password is required')
    },
  },
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
  await press(page, /^Start Transcription/)
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
const together = (...statuses: string[]): Answers => ({
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
  {
    name: 'loading the user',
    path: '/dashboard',
    answers: { 'GET /api/user': never },
    reach: async (page) =>
      expect(page.getByRole('status').filter({ hasText: 'Loading' }).first()).toBeVisible(),
  },
  {
    name: 'the server is away',
    path: '/dashboard',
    answers: { 'GET /api/user': away },
    reach: see('The server did not answer.'),
  },
  {
    name: 'newest loading',
    path: '/dashboard',
    answers: { 'GET /api/transcriptions': never },
    reach: see('Transcribe a recording'),
  },
  {
    name: 'newest broken',
    path: '/dashboard',
    answers: { 'GET /api/transcriptions': broken },
    reach: see('Your library could not be loaded.'),
  },
  {
    name: 'newest, none yet',
    path: '/dashboard',
    answers: empty,
    reach: see('Open the sample (free)'),
  },
  {
    name: 'nothing came of what was shared',
    path: '/home?shared=missed',
    answers: empty,
    reach: see('What you shared did not arrive'),
  },
  {
    name: 'newest of hundreds',
    path: '/dashboard',
    answers: { 'GET /api/transcriptions': library({ finished: rows(5), total: 1_234 }) },
    reach: see('Show all 1,234'),
  },
  {
    name: 'newest with running jobs',
    path: '/dashboard',
    answers: withRunning,
    reach: see('Left before it was confirmed.wav'),
  },
  {
    name: 'library loading',
    path: '/library',
    answers: { 'GET /api/transcriptions': never },
    reach: see('Library'),
  },
  {
    name: 'library broken',
    path: '/library',
    answers: { 'GET /api/transcriptions': broken },
    reach: see('Your library could not be loaded.'),
  },
  {
    name: 'library empty',
    path: '/library',
    answers: { ...empty, 'GET /api/tags': tags({ tags: [], all: 0, none: 0 }) },
    reach: see('Open the sample (free)'),
  },
  { name: 'library', path: '/library', reach: see('voice memo.m4a') },
  {
    name: 'library of hundreds, with many tags',
    path: '/library?tag=Kendal&tag=Interviews',
    answers: {
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
    reach: see('16 of 1,234'),
  },
  {
    name: 'library with running jobs',
    path: '/library',
    answers: withRunning,
    reach: see('Left before it was confirmed.wav'),
  },
  {
    name: 'library nothing found',
    path: '/library?q=zeppelin',
    answers: empty,
    reach: see('Nothing found for “zeppelin”'),
  },
  {
    name: 'library nothing found in a tag',
    path: '/library?q=zeppelin&tag=Kendal',
    answers: empty,
    reach: see('Search everywhere'),
  },
  {
    name: 'library found',
    path: '/library?q=minutes',
    answers: {
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
    reach: see('6 more in this recording'),
  },
  { name: 'library, some chosen', path: '/library', reach: choose3 },
  {
    name: 'library, some chosen, to tag',
    path: '/library',
    reach: async (page) => {
      await choose3(page)
      await press(page, 'Tag')
      await page.getByRole('textbox', { name: 'Find or name a tag' }).fill('ken')
      await says(page, 'New tag “ken”')
    },
  },
  {
    name: 'library, some chosen, to export',
    path: '/library',
    reach: async (page) => {
      await choose3(page)
      await press(page, 'Export')
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'library, some chosen, to delete',
    path: '/library',
    reach: async (page) => {
      await choose3(page)
      await press(page, 'Delete')
      await says(page, 'Delete 3 recordings?')
    },
  },
  {
    name: 'library, a tag not saved',
    path: '/library',
    answers: { 'POST /api/transcriptions/tags': broken },
    reach: async (page) => {
      await choose3(page)
      await press(page, 'Tag')
      await page.getByRole('checkbox', { name: 'Kendal' }).click()
      await says(page, 'Not saved. Your change was undone.')
    },
  },
  {
    name: 'library, a new tag without a name',
    path: '/library',
    reach: async (page) => {
      await press(page, 'New tag')
      await press(page, 'Make tag')
      await says(page, 'A tag needs a name.')
    },
  },
  {
    name: 'library, the tags edited',
    path: '/library',
    reach: async (page) => {
      await press(page, 'Edit tags')
      await expect(page.getByRole('dialog', { name: 'Edit tags' })).toBeVisible()
    },
  },
  {
    name: 'library, a tag to be deleted',
    path: '/library',
    reach: async (page) => {
      await press(page, 'Edit tags')
      await press(page, 'Delete Field Notes')
      await says(page, 'It is taken off 14 recordings.')
    },
  },
  {
    name: 'library menu',
    path: '/library',
    reach: async (page) => {
      await press(page, 'More for interview.m4a')
      await expect(page.getByRole('menuitem', { name: 'Export as…' })).toBeVisible()
    },
  },
  ...(
    ['Rename', 'Tag…', 'Export as…', 'Transcribe again…', 'Delete the recording now'] as const
  ).map((item): State => ({
    name: `library ${item.toLowerCase().replace('…', '')} dialog`,
    path: '/library',
    reach: async (page) => {
      await press(page, 'More for interview.m4a')
      await page.getByRole('menuitem', { name: item }).click()
      await expect(page.getByRole(/Delete/.test(item) ? 'alertdialog' : 'dialog')).toBeVisible()
    },
  })),
  {
    name: 'library deleted, with undo',
    path: '/library',
    answers: {
      [`DELETE /api/transcriptions/${id(100)}`]: {
        message: 'Deleted.',
        restorableUntil: '2026-11-20T15:00:00Z',
      },
    },
    reach: async (page) => {
      await press(page, 'More for interview.m4a')
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    },
  },
]

const header: State[] = [
  {
    name: 'account menu',
    path: '/dashboard',
    answers: {
      ...empty,
      'GET /api/user': user({
        credits: 99_999,
        email: 'ada.augusta.lovett-of-the-newsroom@transcripts.example.com',
      }),
    },
    reach: async (page) => {
      await press(page, /^Account menu/)
      await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
    },
  },
  {
    name: '0 credits on Starter',
    path: '/dashboard',
    answers: { ...empty, 'GET /api/user': user({ credits: 0, planType: 'starter' }) },
    reach: async (page) => {
      await choose(page)
      await says(page, 'Documents are part of Professional.')
    },
  },
]

const upload: State[] = [
  {
    name: 'a better recogniser on its way',
    path: '/dashboard',
    answers: {
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
    reach: see('A better recognizer is being fetched: 62%'),
  },
  {
    name: 'a file held over the page',
    path: '/dashboard',
    reach: async (page) => {
      await says(page, 'voice memo.m4a')
      await page.evaluate(`{
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['a'], 'a.mp3', { type: 'audio/mpeg' }))
        dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
      }`)
      await says(page, 'Drop your file here')
    },
  },
  {
    name: 'a file chosen',
    path: '/dashboard',
    reach: async (page) => {
      await choose(page)
      await says(page, 'About 1 credit.')
    },
  },
  {
    name: 'a file chosen, with a document',
    path: '/dashboard',
    answers: { 'GET /api/user': user({ planType: 'enterprise', credits: 99_999 }) },
    reach: async (page) => {
      await chooseFile(page, { name: longName, mimeType: 'audio/mp4', buffer: Buffer.alloc(2_000) })
      await page.getByRole('checkbox', { name: /Generate Document/ }).check()
      await page.getByRole('radio', { name: 'Article' }).check()
    },
  },
  {
    name: 'a file chosen, its options open',
    path: '/dashboard',
    reach: async (page) => {
      await chooseFile(page, { name: longName, mimeType: 'audio/mp4', buffer: Buffer.alloc(2_000) })
      const options = page.getByRole('button', { name: /^Options/ })
      await expect(options).toHaveText(/2 terms$/)
      await options.click()
      await says(page, 'Two of your six terms that fit this file.')
      await press(page, 'Choose others')
      await page.getByRole('checkbox', { name: 'Ampex' }).check()
      await says(page, 'Three of your six terms are chosen.')
    },
  },
  {
    name: 'a file refused',
    path: '/dashboard',
    reach: async (page) => {
      await chooseFile(page, {
        name: 'notes.pdf',
        mimeType: 'application/pdf',
        buffer: Buffer.from('%PDF'),
      })
      await says(page, /^File format not supported/)
    },
  },
  {
    name: 'an upload left unfinished',
    path: '/dashboard',
    answers: {
      [`GET /api/uploads/${id(20)}`]: {
        id: id(20),
        name: longName,
        sizeBytes: 60_000_000,
        partBytes: 8_388_608,
        parts: [{ number: 3, url: '/part', keptBytes: 4_000_000 }],
      },
    },
    reach: async (page) => {
      await page.evaluate(
        `localStorage.setItem('uploads-begun', '${JSON.stringify([{ id: id(20) }])}')`,
      )
      await page.reload()
      await says(page, /was not sent completely/)
    },
  },
  {
    name: 'a bill of several files',
    path: '/dashboard',
    answers: { 'POST /api/uploads': never },
    reach: chooseSeveral,
  },
  {
    name: 'a bill of several files that is too high',
    path: '/dashboard',
    answers: { 'GET /api/user': user({ credits: 2 }), 'POST /api/uploads': never },
    reach: async (page) => {
      await chooseSeveral(page)
      await says(page, /^Keep the/)
    },
  },
  {
    name: 'leaving while several files are sent',
    path: '/dashboard',
    answers: { 'POST /api/uploads': never },
    reach: async (page) => {
      await chooseSeveral(page)
      await press(page, /^Account menu/)
      await page.getByRole('menuitem', { name: 'Account' }).click()
      await expect(page.getByRole('button', { name: 'Stay' })).toBeVisible()
    },
  },
  {
    name: 'several files that wait for their confirmation',
    path: '/dashboard',
    answers: {
      'GET /api/transcriptions': library({
        open: [1, 2].map((number) =>
          job({ id: id(number), status: 'uploading', creditsRequired: 13 }),
        ),
      }),
    },
    reach: see('2 files waiting for your confirmation'),
  },
  {
    name: 'several files at work',
    path: `/dashboard?batch=${id(30)}`,
    answers: together('completed', 'processing chunk 3/5', 'processing', 'processing'),
    reach: see('1 of 4 done'),
  },
  {
    name: 'cancelling what waits of several files',
    path: `/dashboard?batch=${id(30)}`,
    answers: together('completed', 'processing chunk 3/5', 'processing', 'processing'),
    reach: async (page) => {
      await press(page, 'Cancel what is waiting')
      await says(page, 'Cancel the 2 files that wait?')
    },
  },
  {
    name: 'several files done, one failed',
    path: `/dashboard?batch=${id(30)}`,
    answers: together('completed', 'error', 'completed'),
    reach: see('2 done, 1 failed'),
  },
  {
    name: 'uploading',
    path: '/dashboard',
    answers: { 'POST /api/uploads': never },
    reach: async (page) => {
      await send(page)
      await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible()
    },
  },
  {
    name: 'leaving while uploading',
    path: '/dashboard',
    answers: { 'POST /api/uploads': never },
    reach: async (page) => {
      await send(page)
      await press(page, /^Account menu/)
      await page.getByRole('menuitem', { name: 'Account' }).click()
      await expect(page.getByRole('button', { name: 'Stay' })).toBeVisible()
    },
  },
  {
    name: 'the server refused the file',
    path: '/dashboard',
    answers: {
      'POST /api/uploads': refuse('unsupported_format'),
    },
    reach: async (page) => {
      await send(page)
      await says(page, 'Upload Failed')
    },
  },
  {
    name: 'the session ended before the file was sent',
    path: '/dashboard',
    answers: endsWith('POST /api/uploads'),
    reach: async (page) => {
      await send(page)
      await says(page, 'Your session has ended.')
    },
  },
  { name: 'confirming', path: '/dashboard', answers: bill(), reach: confirmable },
  {
    name: 'the session ended before the price was confirmed',
    path: '/dashboard',
    answers: { ...bill(), ...endsWith(`POST ${one}/confirm`) },
    reach: async (page) => {
      await confirmable(page)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
      await says(page, 'Your session has ended. The file is kept.')
    },
  },
  {
    name: 'confirming, the price opened',
    path: '/dashboard',
    answers: bill({ creditsRequired: 14, originalName: longName, filename: longName }),
    reach: async (page) => {
      await confirmable(page)
      await page.getByRole('alertdialog').getByText('How this price is made').click()
    },
  },
  {
    name: 'confirming, short of credits',
    path: '/dashboard',
    answers: { ...bill({ creditsAvailable: 4 }), 'GET /api/user': user({ credits: 4 }) },
    reach: async (page) => {
      await confirmable(page)
      await says(page, /You need 9 more credits/)
    },
  },
  {
    name: 'confirming, pending',
    path: '/dashboard',
    answers: { ...bill(), [`POST ${one}/confirm`]: never },
    reach: async (page) => {
      await confirmable(page)
      await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
    },
  },
]

const running = (status: string): Answers => ({
  [`GET ${one}`]: job({ status, wordCount: null, language: null, speakers: [] }),
  'GET /api/transcriptions': library({ open: [job({ status })], finished: rows(3) }),
})

const processing: State[] = [
  ...(
    [
      ['queued', 'processing', '30% complete'],
      ['checking', 'preprocessing: analyzing file format', '15% complete'],
      ['on its first chunk', 'processing chunk 0/5', 'first of 5 chunks'],
      ['recognising', 'processing chunk 2/5', '54% complete'],
      ['summarizing', 'summarizing', '85% complete'],
    ] as const
  ).map(([name, status, percent]): State => ({
    name: `processing, ${name}`,
    path: opened,
    answers: running(status),
    reach: see(percent),
  })),
  {
    name: 'processing, its text so far',
    path: opened,
    answers: { ...running('processing chunk 3/8'), [`GET ${one}/so-far`]: soFar(86) },
    reach: async (page) => {
      await says(page, 'still being written')
      await press(page, 'Show them all')
      await says(page, 'Show fewer')
    },
  },
  {
    name: 'processing, its text before voices are told apart',
    path: opened,
    answers: {
      ...running('processing chunk 1/8'),
      [`GET ${one}/so-far`]: soFar(3, { speakers: 0 }),
    },
    reach: see('Who speaks is not told apart yet.'),
  },
  ...[12, 0].map((turns) => ({
    name: `processing, the rest of its text held back after ${turns} turns`,
    path: opened,
    answers: {
      ...running('processing chunk 3/8'),
      [`GET ${one}/so-far`]: soFar(turns, { isHeldBack: true }),
    },
    reach: see('comes with the finished transcription.'),
  })),
  {
    name: 'processing, its text could not be loaded',
    path: opened,
    answers: { ...running('processing chunk 3/8'), [`GET ${one}/so-far`]: broken },
    reach: see('What was read so far could not be loaded.'),
  },
  {
    name: 'processing, cancel asked with text so far',
    path: opened,
    answers: { ...running('processing chunk 3/8'), [`GET ${one}/so-far`]: soFar(12) },
    reach: async (page) => {
      await says(page, 'still being written')
      await press(page, 'Cancel')
      await says(page, 'Stop and throw away the text so far?')
    },
  },
  {
    name: 'processing, connection lost',
    path: opened,
    answers: running('transcribing'),
    reach: async (page) => {
      await says(page, '50% complete')
      await page.route(`**${one}`, away)
      await says(page, 'Connection lost. Your file is still being processed.')
    },
  },
  {
    name: 'processing, cancel asked',
    path: opened,
    answers: running('transcribing'),
    reach: async (page) => {
      await says(page, '50% complete')
      await press(page, 'Cancel')
      await says(page, 'Cancel this file?')
    },
  },
  {
    name: 'failed',
    path: opened,
    answers: {
      [`GET ${one}`]: failed(),
      'GET /api/transcriptions': library({ finished: [failed(), ...rows(2)] }),
    },
    reach: see('13 credits were returned.'),
  },
  {
    name: 'failed for good',
    path: opened,
    answers: {
      [`GET ${one}`]: failed({
        canRetry: false,
        errorCode: 'no_speech',
        errorMessage: 'No speech was found in this recording.',
        originalName: longName,
      }),
    },
    reach: see('Process New File'),
  },
  {
    name: 'a transcription that is gone',
    path: opened,
    reach: see('This transcription is not here.'),
  },
  {
    name: 'a transcription that did not load',
    path: opened,
    answers: { [`GET ${one}`]: broken },
    reach: see('Could not load this transcription.'),
  },
]

const edit = (page: Page, words: string) =>
  correct(page, transcript(page).getByRole('listitem').filter({ hasText: words }).first())
const FIRST = 'So the question'
async function replaceIn(page: Page, find: string): Promise<void> {
  await press(page, 'Find and replace')
  await page.getByRole('searchbox', { name: 'Find' }).fill(find)
}
const changed = words(said(12)).turns[0]

const sound = ['-f', 'lavfi', '-i', 'sine=duration=5']
const pictures = ['-f', 'lavfi', '-i', 'testsrc2=duration=5:size=320x180:rate=5', '-c:v', 'libvpx']
/** A video whose file has pictures, or does not keep what was promised of it. */
const film = (fields = {}, file = [...sound, ...pictures]): Answers => ({
  ...result({
    originalName: 'field-notes-12-film.webm',
    mediaType: 'video/webm',
    picture: 'shown',
    ...fields,
  }),
  [`GET ${one}/media`]: async (route) =>
    route.fulfill({
      contentType: 'video/webm',
      body: await readFile(await media('film.webm', ...file)),
    }),
})
const figure = (page: Page) => page.getByRole('figure', { name: /^Picture of/ })
async function seePicture(page: Page): Promise<void> {
  await expect(figure(page).getByRole('button', { name: 'Full screen' })).toBeVisible()
  await expect(figure(page).getByText('The picture is loading.')).toHaveCount(0)
}
const video: State[] = [
  ...['beside the text', 'above the text'].map((where) => ({
    name: `video, the picture ${where}`,
    path: opened,
    answers: film(),
    reach: seePicture,
  })),
  {
    name: 'video, words to check under the picture',
    path: opened,
    answers: film(),
    reach: async (page) => {
      await seePicture(page)
      await press(page, /^Words to check/)
      await says(page, /^1 of/)
    },
  },
  {
    name: 'video, the picture is loading',
    path: opened,
    answers: { ...film(), [`GET ${one}/media`]: never },
    reach: (page) => expect(figure(page).getByText('The picture is loading.')).toBeAttached(),
  },
  {
    name: 'video, its speakers',
    path: `${opened}#speakers`,
    answers: film(),
    reach: seePicture,
  },
  {
    name: 'video, small over another tab',
    path: opened,
    answers: film(),
    reach: async (page) => {
      await seePicture(page)
      await press(page, 'Play')
      await page.getByRole('tab', { name: 'Summary' }).click()
      await expect(page.getByRole('button', { name: 'Close the small picture' })).toBeVisible()
    },
  },
  {
    name: 'video, the picture fails',
    path: opened,
    answers: film({}, sound),
    reach: see('The picture cannot be shown at the moment.'),
  },
  {
    name: 'video, deleted while it plays',
    path: opened,
    answers: { ...film(), [`GET ${one}/media`]: refuse('not_found') },
    reach: see('The recording cannot be played at the moment.'),
  },
  {
    name: 'video whose picture cannot be shown',
    path: opened,
    answers: result({ mediaType: 'video/mp4', picture: 'cannot' }),
    reach: see('The picture of this file cannot be shown; the sound can.'),
  },
  {
    name: 'video of which the sound was uploaded',
    path: opened,
    answers: result({ picture: 'left_out' }),
    reach: see('Only the sound of this video was uploaded.'),
  },
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
  {
    name: 'result loading',
    path: opened,
    answers: { [`GET ${one}`]: never },
    reach: (page) => expect(page.getByText('Loading the transcription')).toBeAttached(),
  },
  {
    name: 'result, words loading',
    path: opened,
    answers: { ...result(), [`GET ${one}/words`]: never },
    reach: see('Export'),
  },
  {
    name: 'result, words broken',
    path: opened,
    answers: {
      ...result({
        speakerSegments: '[{"start":0,"end":14,"speaker":"Ada Lovett","text":"So the question."}]',
      }),
      [`GET ${one}/words`]: broken,
    },
    reach: see('could not be loaded, so the text cannot be corrected'),
  },
  { name: 'transcription', path: opened, answers: result(), reach: see(FIRST) },
  {
    name: 'transcription, searched',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await page.getByRole('searchbox', { name: 'Search in transcript' }).fill('minutes')
      await press(page, 'Hit after')
      await says(page, /1 of 3/)
    },
  },
  {
    name: 'transcription with fixed replacements',
    path: opened,
    answers: result({}, { ...words(said(12)), fixed: { replaced: 3, edit: 1 } }),
    reach: see('marked as corrected'),
  },
  {
    name: 'transcription, find and replace',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await replaceIn(page, 'minutes')
      await press(page, 'Hit after')
      await says(page, /1 of 3/)
    },
  },
  {
    name: 'transcription, nothing found to replace, with a turn open',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await edit(page, FIRST)
      await replaceIn(page, 'zeppelin')
      await says(page, 'Save the open turn first.')
    },
  },
  {
    name: 'transcription, many to replace',
    path: opened,
    answers: result({}, words(said(120))),
    reach: async (page) => {
      await replaceIn(page, 'the')
      await press(page, /^Remove all/)
      await says(page, /^Remove all \d+\?$/)
    },
  },
  {
    name: 'transcription, some changed before they were replaced',
    path: opened,
    answers: {
      ...result(),
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
    reach: async (page) => {
      await replaceIn(page, 'the')
      await press(page, /^Remove all/)
      await says(page, /changed and (was|were) left as/)
    },
  },
  {
    name: 'transcription, words to check',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await press(page, /^Words to check/)
      await says(page, /1 of 4/)
    },
  },
  {
    name: 'transcription, a word corrected everywhere',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await press(page, /^Words to check/)
      await press(page, 'Correct')
      await says(page, 'Fix all 3 in this recording')
    },
  },
  {
    name: 'transcription, many words in doubt',
    path: opened,
    answers: result({}, words(said(12), { isInDoubt: manyInDoubt })),
    reach: see('Check them · about 2 min'),
  },
  {
    name: 'transcription, doubt not known',
    path: opened,
    answers: result(
      {},
      {
        ...words(said(12), { isInDoubt: noneInDoubt }),
        checkBelow: null,
        isDoubtUnknown: true,
      },
    ),
    reach: see('No word is marked'),
  },
  {
    name: 'transcription, most words in doubt and their underlines hidden',
    path: opened,
    answers: result({}, words(said(12), { isInDoubt: () => true })),
    reach: async (page) => {
      await page.getByRole('checkbox', { name: 'Underline doubt' }).uncheck()
      await says(page, 'The underlines are switched off.')
    },
  },
  {
    name: 'transcription, a turn edited',
    path: opened,
    answers: result(),
    reach: (page) => edit(page, FIRST),
  },
  {
    name: 'transcription, edited in two tabs',
    path: opened,
    answers: {
      ...result(),
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
    reach: async (page) => {
      await edit(page, FIRST)
      await turnEditor(page).fill('So the question everyone asks.')
      await says(page, /changed in another tab/)
    },
  },
  {
    name: 'transcription, edited without a connection',
    path: opened,
    answers: { ...result(), [`PATCH ${one}/turns/${changed?.id}`]: away },
    reach: async (page) => {
      await edit(page, FIRST)
      await turnEditor(page).fill('So the question everyone asks.')
      await says(page, 'Not connected.')
    },
  },
  {
    name: 'transcription, a speaker named',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await press(page, /^Ada Lovett ?, name the speaker/)
      await expect(page.getByRole('combobox', { name: 'Name' })).toBeVisible()
    },
  },
  {
    name: 'transcription, the keys',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await says(page, FIRST)
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  {
    name: 'transcription, a key that another act has',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await says(page, FIRST)
      await page.keyboard.press('?')
      await press(page, 'Faster: .. Change')
      await page.keyboard.press('k')
      await says(page, 'K is “Play or pause”. Use it here instead?')
    },
  },
  {
    name: 'transcription, the times of a turn',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await edit(page, FIRST)
      await turnEditor(page).press('Alt+t')
      await page.getByRole('textbox', { name: 'Ends' }).fill('soon')
      await press(page, 'Set times')
      await says(page, 'Write a time as 1:02.5.')
    },
  },
  {
    name: 'transcription, two speakers made one',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await press(page, /^Ada Lovett ?, name the speaker/)
      await page.getByRole('combobox', { name: 'Name' }).fill('Ben Okafor')
      await says(page, 'Ben Okafor is already here. Make them one speaker?')
    },
  },
  {
    name: 'transcription, the recording deleted',
    path: opened,
    answers: result({
      recordingKeptUntil: null,
      recordingDeletedAt: '2026-12-21T10:00:00Z',
      mediaType: null,
    }),
    reach: see(/The recording was deleted on/),
  },
  {
    name: 'transcription, deleted while it plays',
    path: opened,
    answers: { ...result(), [`GET ${one}/media`]: refuse('not_found') },
    reach: see('The recording cannot be played at the moment.'),
  },
  {
    name: 'transcription, unplayable',
    path: opened,
    answers: result({ mediaType: null }),
    reach: see('Browsers cannot play a recording of this kind.'),
  },
  {
    name: 'transcription without words',
    path: opened,
    answers: result({ transcriptionText: '', speakers: [], wordCount: 0 }, words([])),
    reach: see('No transcription available'),
  },
  {
    name: 'transcription of 8 speakers and a long name',
    path: opened,
    answers: result(
      {
        originalName: longName,
        speakers: Array.from({ length: 8 }, (_, index) => `Speaker ${index}`),
        wordCount: 99_999,
      },
      words(said(24, 8)),
    ),
    reach: see('Speaker H'),
  },
  {
    name: 'transcription of 3 hours',
    path: opened,
    answers: result(
      { duration: 10_800, wordCount: 27_000 },
      words(said(720, 4), { isInDoubt: noneInDoubt }),
    ),
    reach: see(FIRST),
  },
  {
    name: 'transcription in Arabic',
    path: opened,
    answers: result({ language: 'ar', originalName: 'مقابلة مع آدا.m4a' }, words(arabic)),
    reach: see('السؤال'),
  },
  {
    name: 'transcription in Japanese',
    path: opened,
    answers: result({ language: 'ja', originalName: '会議の録音.m4a' }, words(japanese)),
    reach: see('最初'),
  },
  {
    name: 'transcription in German',
    path: opened,
    answers: result(
      { language: 'de', topics: ['Donaudampfschifffahrtsgesellschaft'] },
      words(german),
    ),
    reach: see('Betäubungsmittel'),
  },
  {
    name: 'transcription of the sample',
    path: opened,
    answers: result({ isSample: true, originalName: 'sample.m4a' }),
    reach: see('Corrected by hand'),
  },
  {
    name: 'result actions',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await says(page, FIRST)
      await press(page, 'More for this result')
      await expect(page.getByRole('menuitem', { name: 'Tag…' })).toBeVisible()
    },
  },
  {
    name: 'summary',
    path: `${opened}#summary`,
    answers: result(),
    reach: see('Most people read the minutes'),
  },
  {
    name: 'summary of sentences, while a better one is written',
    path: `${opened}#summary`,
    answers: result({
      summaryKind: 'sentences',
      summaryPending: true,
      summaryNote:
        'Sentences taken from this transcript. The language model of this server had not answered when the transcript was ready.',
    }),
    reach: see('A better summary is being written.'),
  },
  {
    name: 'summary empty',
    path: `${opened}#summary`,
    answers: result({
      summary: null,
      keyPoints: [],
      keyPointTimes: [],
      keyPointQuotes: [],
      topics: [],
    }),
    reach: see('No summary available'),
  },
  { name: 'speakers', path: `${opened}#speakers`, answers: result(), reach: see('Who spoke when') },
  {
    name: 'speakers, 8 of them',
    path: `${opened}#speakers`,
    answers: result({}, words(said(24, 8))),
    reach: see('Speaker H'),
  },
  {
    name: 'speakers unknown',
    path: `${opened}#speakers`,
    answers: result({ speakers: [] }, words([])),
    reach: see('No speaker timeline for this file.'),
  },
  {
    name: 'generate empty',
    path: `${opened}#generate`,
    answers: result(),
    reach: see('Documents are written during upload.'),
  },
  {
    name: 'generate',
    path: `${opened}#generate`,
    answers: {
      ...result(),
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
    // A document that failed because of its text is ordered again.
    reach: async (page) => {
      await says(page, '5 documents')
      await expect(page.getByRole('button', { name: 'Try again, free' })).toHaveCount(1)
    },
  },
  {
    name: 'generate broken',
    path: `${opened}#generate`,
    answers: { ...result(), [documents]: broken },
    reach: see('Something broke on our side.'),
  },
  {
    name: 'export',
    path: `${opened}#export`,
    answers: result(),
    reach: async (page) => {
      await says(page, 'Download All Results')
      await says(page, '0 of 612 captions in SRT break the rules.')
    },
  },
  {
    name: 'export, captions are looked at',
    path: `${opened}#export`,
    answers: { ...result(), [`GET ${one}/captions`]: never },
    reach: see('Looking at the captions…'),
  },
  {
    name: 'export, captions broken',
    path: `${opened}#export`,
    answers: { ...result(), [`GET ${one}/captions`]: broken },
    reach: see('Something broke on our side.'),
  },
  {
    name: 'export, captions that break rules',
    path: `${opened}#export`,
    answers: { ...result(), [`GET ${one}/captions`]: captions(11) },
    reach: async (page) => {
      await press(page, 'As they were')
      await press(page, 'Show all 11')
      await says(page, '11 of 612 captions in SRT break the rules.')
    },
  },
  {
    name: 'export, captions mended as far as they can be',
    path: `${opened}#export`,
    answers: { ...result(), [`GET ${one}/captions`]: captions(3) },
    reach: see(/still: the speech there is too fast/),
  },
]

async function giveAway(page: Page): Promise<void> {
  await says(page, FIRST)
  await press(page, 'Share')
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
  {
    name: 'share',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await giveAway(page)
      await page.getByRole('switch', { name: 'Ask for a password' }).check()
      await page.getByRole('switch', { name: 'Times' }).check()
      await says(page, 'Create link')
    },
  },
  {
    name: 'share loading',
    path: opened,
    answers: { ...result(), [`GET ${links}`]: never },
    reach: async (page) => {
      await giveAway(page)
      await says(page, 'Loading its links…')
    },
  },
  {
    name: 'share unloaded',
    path: opened,
    answers: { ...result(), [`GET ${links}`]: broken },
    reach: async (page) => {
      await giveAway(page)
      await says(page, 'Something broke on our side.')
    },
  },
  {
    name: 'share of a video whose picture may be left out, and with a short password',
    path: opened,
    answers: result({ mediaType: 'video/mp4', picture: 'shown' }),
    reach: async (page) => {
      await giveAway(page)
      await says(page, 'Sound only')
      await page.getByRole('switch', { name: 'Ask for a password' }).check()
      await page.getByRole('textbox', { name: 'Password of the link' }).fill('short')
      await press(page, 'Create link')
      await says(page, 'At least 8 characters')
    },
  },
  {
    name: 'share refused, of a recording that is deleted',
    path: opened,
    answers: {
      ...result({ recordingKeptUntil: null, recordingDeletedAt: '2026-11-20T09:00:00Z' }),
      [`POST ${links}`]: broken,
    },
    reach: async (page) => {
      await giveAway(page)
      await says(page, 'The recording was deleted on Nov 20, 2026.')
      await press(page, 'Create link')
      await says(page, 'The link could not be made. Nothing is shared.')
    },
  },
  {
    name: 'share with a link',
    path: opened,
    answers: linked({ hasPassword: true }),
    reach: async (page) => {
      await giveAway(page)
      await says(page, /^Seen 4 times, last today at/)
      await says(page, 'It is set, and cannot be shown again.')
    },
  },
  {
    name: 'share with several links',
    path: opened,
    answers: severalLinks,
    reach: async (page) => {
      await giveAway(page)
      await says(page, 'Transcript, sound only')
    },
  },
  {
    name: 'share, one link too many',
    path: opened,
    answers: { ...severalLinks, [`POST ${links}`]: refuse('too_many_links') },
    reach: async (page) => {
      await giveAway(page)
      await press(page, 'Another link')
      await press(page, 'Create link')
      await says(page, `The link could not be made. ${refusals.too_many_links[1]}`)
    },
  },
  {
    name: 'share, a change that failed',
    path: opened,
    answers: { ...linked(), [`PATCH /api/shares/${id(950)}`]: broken },
    reach: async (page) => {
      await giveAway(page)
      await page.getByRole('switch', { name: 'Speakers’ names' }).click({ force: true })
      await says(page, 'Not saved. Your change was undone.')
      await expect(page.getByRole('switch', { name: 'Speakers’ names' })).toBeChecked()
    },
  },
  {
    name: 'share, ending asked',
    path: opened,
    answers: linked({ openings: 0, lastOpenedAt: null, url: null }),
    reach: async (page) => {
      await giveAway(page)
      await press(page, 'End the link now')
      await says(page, /cannot be had again/)
    },
  },
]

const wrongPassword = { problem: { problemText: 'That is not the password.' } }
const moving = { player: 'picture' } as const
const linkPages: State[] = [
  { name: 'shared page', path: LINK, answers: shared(), reach: see(FIRST) },
  {
    name: 'shared page, played and searched',
    path: LINK,
    answers: shared(),
    reach: async (page) => {
      await page.getByRole('searchbox').fill('minutes')
      await says(page, '1 of 3')
      await press(page, 'Play from 0:15')
      await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
      await press(page, 'Pause')
    },
  },
  {
    name: 'shared page, nothing found',
    path: LINK,
    answers: shared(),
    reach: async (page) => {
      await page.getByRole('searchbox').fill('zeppelin')
      await says(page, 'Nothing found')
    },
  },
  {
    name: 'shared page of the text alone, without names',
    path: LINK,
    answers: shared({ summary: null, names: new Map(), peaks: null }, { player: 'none' }),
    reach: see('Speaker A'),
  },
  {
    name: 'shared page of a recording that is gone',
    path: LINK,
    answers: shared({}, { player: 'gone' }),
    reach: see('The recording is no longer here. The text stays.'),
  },
  {
    name: 'shared page, its sound cannot be played',
    path: LINK,
    answers: { ...shared(), [`GET ${LINK}/recording`]: refuse('not_found') },
    reach: async (page) => {
      await press(page, 'Play')
      await says(page, 'The recording cannot be played at the moment. The text is all here.')
    },
  },
  {
    name: 'shared page of a video',
    path: LINK,
    answers: {
      ...shared({ title: 'field-notes-12-film.webm' }, moving),
      [`GET ${LINK}/recording`]: film()[`GET ${one}/media`] ?? {},
    },
    reach: see(FIRST),
  },
  {
    name: 'shared page of a video that cannot be played',
    path: LINK,
    answers: { ...shared({}, moving), [`GET ${LINK}/recording`]: refuse('not_found') },
    reach: see('The recording cannot be played at the moment. The text is all here.'),
  },
  {
    name: 'shared page in Arabic',
    path: LINK,
    answers: shared({
      title: 'مقابلة مع آدا.m4a',
      language: 'ar',
      spoken: arabic,
      summary: {
        heading: 'Summary',
        text: arabic[0]?.text ?? '',
        keyPoints: [],
        topics: [],
        note: null,
      },
    }),
    reach: see('السؤال'),
  },
  {
    name: 'shared page of 8 speakers and a long name',
    path: LINK,
    answers: shared(
      { title: longName, spoken: said(24, 8), durationMs: 10_800_000 },
      { sharedBy: 'Ada Augusta Lovett-Donaudampfschifffahrt of the newsroom' },
    ),
    reach: see('Speaker H'),
  },
  {
    name: 'shared page with a password',
    path: LINK,
    answers: closed('share-password'),
    reach: see('This page has a password'),
  },
  {
    name: 'shared page with another password',
    path: LINK,
    answers: closed('share-password', wrongPassword),
    reach: see('That is not the password.'),
  },
  {
    name: 'shared page that has ended',
    path: LINK,
    answers: closed('share-ended'),
    reach: see('This link has ended'),
  },
]

async function askAgain(page: Page): Promise<void> {
  await says(page, FIRST)
  await press(page, 'More for this result')
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
  await press(page, 'Tell the speakers apart again')
  await page.getByRole('radio', { name: 'At most' }).check({ force: true })
  await says(page, 'Free.')
}

const afresh: State[] = [
  {
    name: 'transcribing again',
    path: opened,
    answers: result(),
    reach: async (page) => {
      await askAgain(page)
      await says(page, 'Your 14 corrections are kept.')
    },
  },
  {
    name: 'transcribing again, loading',
    path: opened,
    answers: { ...result(), [`GET ${one}/again`]: never },
    reach: askAgain,
  },
  {
    name: 'transcribing again, broken',
    path: opened,
    answers: { ...result(), [`GET ${one}/again`]: broken },
    reach: async (page) => {
      await askAgain(page)
      await says(page, 'What was found last time could not be loaded.')
    },
  },
  {
    name: 'transcribing again, short of credits',
    path: opened,
    answers: { ...offered({ corrections: 0 }), 'GET /api/user': user({ credits: 4 }) },
    reach: async (page) => {
      await askAgain(page)
      await says(page, 'Insufficient credits.')
    },
  },
  {
    name: 'transcribing again for nothing, refused',
    path: opened,
    answers: {
      ...offered({ creditsRequired: 0, speakersFound: 0, corrections: 1 }),
      [`POST ${one}/again`]: refuse('server_busy'),
    },
    reach: async (page) => {
      await askAgain(page)
      await says(page, 'because the first try failed on our side.')
      await press(page, 'Transcribe again')
      await says(page, refusals.server_busy[1])
    },
  },
  {
    name: 'transcribing again, at another price than was shown',
    path: opened,
    answers: {
      ...offered({ creditsRequired: 0 }),
      [`POST ${one}/again`]: { id: id(30), creditsRequired: 13, creditsAvailable: 142 },
    },
    reach: async (page) => {
      await askAgain(page)
      await press(page, 'Transcribe again')
      await says(page, 'It was not started, and nothing was charged.')
    },
  },
  {
    name: 'a new text is written',
    path: opened,
    answers: beingDone({}),
    reach: see('Corrections wait until it is there.'),
  },
  {
    name: 'a new text is written, to be stopped',
    path: opened,
    answers: beingDone({}),
    reach: async (page) => {
      await press(page, 'Cancel')
      await says(page, 'Stop writing a new text?')
    },
  },
  {
    name: 'a new text has failed',
    path: opened,
    answers: failedAgain({
      errorMessage: 'The recording could not be transcribed again. Your credits were returned.',
    }),
    reach: see('The recording could not be transcribed again. Your credits were returned.'),
  },
  {
    name: 'a new text, with corrections that need somebody',
    path: opened,
    answers: { ...result(), [`GET ${one}/again`]: carried() },
    reach: see('2 corrections need you'),
  },
  {
    name: 'a new text, to be left for the earlier one',
    path: opened,
    answers: { ...result(), [`GET ${one}/again`]: carried() },
    reach: async (page) => {
      await press(page, 'Go back to the earlier text')
      await says(page, 'The new text is kept for 30 days in its place.')
    },
  },
  {
    name: 'a new text, a decision not saved',
    path: opened,
    answers: {
      ...result(),
      [`GET ${one}/again`]: carried(),
      [`POST ${one}/again/decision`]: broken,
    },
    reach: async (page) => {
      await press(page, 'Put mine in')
      await says(page, 'Not saved. Your change was undone.')
    },
  },
  {
    name: 'a new text with all corrections in it',
    path: opened,
    answers: {
      ...result(),
      [`GET ${one}/again`]: { ...carried(), carried: { placed: 14, questions: [] } },
    },
    reach: see('New text. All 14 corrections are in it.'),
  },
  {
    name: 'the speakers, to be told apart again',
    path: `${opened}#speakers`,
    answers: { ...result(), [`POST ${one}/speakers`]: refuse('server_busy') },
    reach: async (page) => {
      await tellApart(page)
      await press(page, 'Tell them apart')
      await says(page, refusals.server_busy[1])
    },
  },
  {
    name: 'the speakers are told apart again',
    path: `${opened}#speakers`,
    answers: beingDone({ what: 'speakers' }),
    reach: see('Corrections wait until that is done.'),
  },
  {
    name: 'the speakers could not be told apart again',
    path: `${opened}#speakers`,
    answers: failedAgain({
      what: 'speakers',
      errorMessage:
        'The speakers could not be told apart again. Nothing was charged, and the text is as it was.',
    }),
    reach: see('Nothing was charged, and the text is as it was.'),
  },
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
  {
    name: 'subscribe',
    path: '/subscribe',
    answers: { 'GET /api/billing': billing({ plan: null }) },
    reach: see('How Credits Work'),
  },
  {
    name: 'subscribe, a plan wished for',
    path: '/subscribe?plan=enterprise',
    answers: { 'GET /api/billing': billing({ plan: null }) },
    reach: see('Choose a plan'),
  },
  { name: 'subscribed', path: '/subscribe', reach: see('Choose a plan') },
  {
    name: 'subscribe loading',
    path: '/subscribe',
    answers: { 'GET /api/billing': never },
    reach: see('Choose a plan'),
  },
  {
    name: 'subscribe broken',
    path: '/subscribe',
    answers: { 'GET /api/billing': broken },
    reach: see('Choose a plan'),
  },
  {
    name: 'subscribe, payments off',
    path: '/upgrade',
    answers: { 'GET /api/billing': billing({ payments: 'off', plan: null }) },
    reach: see('Choose a plan'),
  },
  {
    name: 'plan and receipts',
    path: '/account/plan',
    answers: {
      'GET /api/billing': billing({
        invoices: [aReceipt, { ...aReceipt, id: 'in_2', refunded: '$5.00' }],
        unmatched: [unmatched],
      }),
    },
    reach: see('Cancel plan'),
  },
  {
    name: 'plan and receipts, none',
    path: '/account/plan',
    answers: { 'GET /api/billing': billing({ plan: null }) },
    reach: see('No plan is running. Your credits stay.'),
  },
  {
    name: 'plan and receipts loading',
    path: '/account/plan',
    answers: { 'GET /api/billing': never },
    reach: see('Loading your plan…'),
  },
  {
    name: 'plan and receipts broken',
    path: '/account/plan',
    answers: { 'GET /api/billing': broken },
    reach: see('Try again'),
  },
  {
    name: 'subscribe, checkout opening',
    path: '/subscribe',
    answers: {
      'GET /api/billing': billing({ plan: null }),
      'POST /api/create-payment-intent': never,
    },
    reach: async (page) => {
      await press(page, 'Subscribe to Professional')
      await says(page, 'Opening secure checkout…')
    },
  },
  {
    name: 'subscribe, payment error',
    path: '/subscribe',
    answers: {
      'GET /api/billing': billing({ plan: null }),
      'POST /api/create-payment-intent': refuse('payments_unreachable'),
    },
    reach: async (page) => {
      await press(page, 'Subscribe to Professional')
      await says(page, refusals.payments_unreachable[1])
    },
  },
  {
    name: 'payment checking',
    path: '/subscription-success?plan=professional&session_id=cs_1',
    answers: { 'POST /api/subscription-success': never },
    reach: see('Adding your credits…'),
  },
  {
    name: 'payment done',
    path: '/subscription-success?plan=professional&session_id=cs_1',
    answers: {
      'POST /api/subscription-success': {
        creditsAdded: 150,
        planId: 'professional',
        amountPaid: 19.99,
      },
    },
    reach: see(/150 credits have been added/),
  },
  {
    name: 'payment not found',
    path: `/subscription-success?plan=professional&session_id=cs_${'a1'.repeat(30)}`,
    answers: {
      'POST /api/subscription-success': refuse('not_paid'),
    },
    reach: see('If you have paid, your payment is safe.'),
  },
  {
    name: 'payment for an unknown plan',
    path: '/subscription-success?plan=gold',
    reach: see('We do not recognize this plan.'),
  },
]

const account: State[] = [
  { name: 'profile', path: '/account', reach: see('76.5% right') },
  {
    name: 'profile, nothing checked yet',
    path: '/account',
    answers: { 'GET /api/accuracy': [] },
    reach: see('Nothing is counted yet.'),
  },
  {
    name: 'profile, an address changing',
    path: '/account',
    answers: {
      'GET /api/account': ownAccount({
        emailChange: {
          newEmail: 'ada.augusta.lovett-of-the-newsroom@transcripts.example.com',
          isOldConfirmed: true,
          isNewConfirmed: false,
        },
      }),
    },
    reach: see(/ada\.augusta/),
  },
  {
    name: 'profile loading',
    path: '/account',
    answers: { 'GET /api/account': never },
    reach: see('Profile'),
  },
  {
    name: 'profile broken',
    path: '/account',
    answers: { 'GET /api/account': broken },
    reach: see('Try again'),
  },
  {
    name: 'mails off, with a key of nobody',
    path: '/mails-off?key=00000000-0000-4000-8000-000000000000',
    reach: see('Nothing was changed'),
  },
  { name: 'credits', path: '/account/credits', reach: see('For signing up') },
  {
    name: 'credits empty',
    path: '/account/credits',
    answers: {
      'GET /api/credits': ledger({ available: 99_999, held: 0, spent: 0, count: 0, lines: [] }),
      'GET /api/user': user({ credits: 99_999 }),
    },
    reach: see('Credits'),
  },
  {
    name: 'credits loading',
    path: '/account/credits',
    answers: { 'GET /api/credits': never },
    reach: see('Credits'),
  },
  {
    name: 'credits broken',
    path: '/account/credits',
    answers: { 'GET /api/credits': broken },
    reach: see('Try again'),
  },
  {
    name: 'vocabulary',
    path: '/account/vocabulary',
    reach: see('This also changes “ten thousand reels”'),
  },
  {
    name: 'vocabulary, forms open',
    path: '/account/vocabulary',
    reach: async (page) => {
      await press(page, 'Change Okafor')
      await press(page, 'Change field notes')
      await press(page, 'Add')
      await says(page, 'Please enter a name or term')
    },
  },
  {
    name: 'vocabulary, empty',
    path: '/account/vocabulary',
    answers: {
      'GET /api/vocabulary': { revision: 0, terms: [], heardAs: [], used: [], replacements: [] },
    },
    reach: see('No terms yet.'),
  },
  {
    name: 'vocabulary, not saved',
    path: '/account/vocabulary',
    answers: { 'PUT /api/vocabulary': broken },
    reach: async (page) => {
      await press(page, 'Delete Kendal')
      await says(page, 'Not saved. Your change was undone.')
    },
  },
  {
    name: 'vocabulary broken',
    path: '/account/vocabulary',
    answers: { 'GET /api/vocabulary': broken },
    reach: (page) => expect(page.getByRole('button', { name: 'Try again' })).toBeVisible(),
  },
  { name: 'security', path: '/account/security', reach: see('Safari on iPhone') },
  {
    name: 'security without a password',
    path: '/account/security',
    answers: {
      'GET /api/account': ownAccount({
        hasPassword: false,
        issuers: [{ id: 'google', name: 'Google', email: 'ada@example.com', isOffered: true }],
      }),
      'GET /api/account/sessions': [session(0)],
      'GET /api/account/activity': [],
    },
    reach: see('ada@example.com'),
  },
  { name: 'data', path: '/account/data', reach: see('Not seen yet') },
  {
    name: 'data without links',
    path: '/account/data',
    answers: { 'GET /api/shares': { shares: [] } },
    reach: see(/There is none/),
  },
  {
    name: 'data, ending a link asked',
    path: '/account/data',
    reach: async (page) => {
      await press(page, /^End the link to/)
      await says(page, 'Keep it')
    },
  },
  {
    name: 'data, deletion asked',
    path: '/account/data',
    reach: async (page) => {
      await press(page, /^Delete/)
      await says(page, 'Keep my account')
    },
  },
  {
    name: 'keys',
    path: '/account/api-keys',
    answers: { 'GET /api/user': user({ planType: 'enterprise' }) },
    reach: see('Nightly import'),
  },
  {
    name: 'keys empty',
    path: '/account/api-keys',
    answers: { 'GET /api/keys': apiKeys({ keys: [] }) },
    reach: see('API keys'),
  },
  {
    name: 'keys of another plan',
    path: '/account/api-keys',
    answers: { 'GET /api/keys': apiKeys({ isAllowed: false, callsPerHour: 100, keys: [] }) },
    reach: see(/Enterprise/),
  },
  {
    name: 'a new key',
    path: '/account/api-keys',
    answers: {
      'POST /api/keys': {
        ...apiKeys().keys[0],
        id: id(701),
        key: `quoth_live_${'8f2aQ7'.repeat(7)}`,
      },
    },
    reach: async (page) => {
      await page.getByLabel('Name').fill('Import')
      await page.locator('form button[type=submit]').first().click()
      await says(page, /quoth_live_8f2aQ7/)
    },
  },
  {
    name: 'a key revoked',
    path: '/account/api-keys',
    reach: async (page) => {
      await press(page, 'Revoke Nightly import of the newsroom')
      await says(page, 'Keep it')
    },
  },
  {
    name: 'webhooks',
    path: '/account/webhooks',
    answers: {
      'GET /api/webhooks': [
        webhook(),
        webhook({ id: id(801), paused: 'dead' }),
        webhook({ id: id(802), paused: 'new_password' }),
      ],
    },
    reach: see(/newsroom\.example/),
  },
  {
    name: 'webhooks, what was sent',
    path: '/account/webhooks',
    answers: {
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
    reach: async (page) => {
      await page
        .locator('button[aria-expanded]')
        .filter({ hasText: /log|deliver/i })
        .first()
        .click()
      await says(page, /Log of the last/)
    },
  },
  {
    name: 'webhooks empty',
    path: '/account/webhooks',
    answers: { 'GET /api/webhooks': [] },
    reach: see('Webhooks'),
  },
  {
    name: 'webhooks broken',
    path: '/account/webhooks',
    answers: { 'GET /api/webhooks': broken },
    reach: see('Try again'),
  },
]

async function record(page: Page, until: string): Promise<void> {
  await press(page, 'Record')
  await press(page, 'Start recording')
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
  await press(page, /^Account menu/)
  await page.getByRole('menuitem', { name: 'Library' }).click()
  await expect(page.getByRole('link', { name: /Back to the recording$/ })).toBeVisible()
}

const recorder: State[] = [
  {
    name: 'recorder',
    path: '/dashboard',
    reach: async (page) => {
      await press(page, 'Record')
      await says(page, 'Make sure everyone knows they are being recorded.')
    },
  },
  { name: 'recorder recording', path: '/dashboard', reach: (page) => record(page, '0:02') },
  {
    name: 'recorder paused',
    path: '/dashboard',
    reach: async (page) => {
      await record(page, '0:01')
      await press(page, 'Pause')
    },
  },
  {
    name: 'recorder, the microphone silent',
    path: '/dashboard',
    reach: async (page) => {
      await lose(page, 'mute')
      await says(page, 'Ask for it again')
    },
  },
  {
    name: 'recorder, the microphone gone',
    path: '/dashboard',
    reach: async (page) => {
      await lose(page, 'ended')
      await says(page, 'Go on recording')
    },
  },
  {
    name: 'recorder, throwing away',
    path: '/dashboard',
    reach: async (page) => {
      await record(page, '0:01')
      await press(page, 'Throw away')
      await says(page, 'Throw this recording away?')
    },
  },
  { name: 'recorder, on another page', path: '/dashboard', reach: recordElsewhere },
  {
    name: 'recorder, logging out',
    path: '/dashboard',
    reach: async (page) => {
      await recordElsewhere(page)
      await press(page, /^Account menu/)
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await says(page, 'You are still recording.')
    },
  },
  {
    name: 'recorder, one kept and not sent',
    path: '/dashboard',
    reach: async (page) => {
      await record(page, '0:01')
      await press(page, 'Stop')
      await press(page, 'Record again')
      await says(page, 'Made in this browser and not sent.')
    },
  },
  {
    name: 'recorder done',
    path: '/dashboard',
    reach: async (page) => {
      await record(page, '0:01')
      await press(page, 'Stop')
      await says(page, 'Use this recording')
    },
  },
  {
    name: 'recorder refused',
    path: '/dashboard',
    reach: async (page) => {
      await page.evaluate(
        `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
      )
      await press(page, 'Record')
      await press(page, 'Start recording')
      await expect(page.getByRole('alert').first()).toBeVisible()
    },
  },
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
  { name: 'operations', path: '/admin', answers: operations(), reach: see('grace@example.com') },
  {
    name: 'operations, something paid for nothing',
    path: '/admin',
    answers: operations({
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
    reach: see('Paid, and nothing granted'),
  },
  {
    name: 'operations on a phone',
    path: '/admin',
    answers: operations(),
    reach: see('grace@example.com'),
  },
  {
    name: 'operations where nothing happened',
    path: '/admin',
    answers: { ...operations(quiet), ...nothing },
    reach: see('Operations'),
  },
  { name: 'operations loading', path: '/admin', answers: { 'GET /api/admin': never } },
  {
    name: 'operations broken',
    path: '/admin',
    answers: { 'GET /api/admin': broken },
    reach: (page) => expect(page.getByRole('alert').first()).toBeVisible(),
  },
  {
    name: 'a user, for operators',
    path: `/admin/user?id=${id(1)}`,
    answers: operations(),
    reach: see('An invoice for October'),
  },
  { name: 'the log', path: '/admin/log', answers: operations(), reach: see(/Goodwill/) },
  {
    name: 'the log, empty',
    path: '/admin/log',
    answers: { ...operations(), ...nothing },
    reach: (page) => expect(page.getByRole('heading').first()).toBeVisible(),
  },
]

export const statesOf = {
  'signing in': auth,
  'the dashboard': [...lists, ...header],
  'a new recording': [...upload, ...recorder],
  'a job': processing,
  'a result': results,
  'a result, once more': afresh,
  'a video': video,
  'a result, given away': sharing,
  'a shared page': linkPages,
  'buying credits': money,
  'the account': account,
  'operating it': operating,
} satisfies Record<string, State[]>
