/** What is on the screen stays where it is, whatever order the answers of the server come in. */
import { type Page, expect, test } from '@playwright/test'

import config from '../playwright.config.ts'
import { type RefusalCode, refusals } from '../src/shared/refusals.ts'
import { isLong } from '../test/long.ts'
import {
  type Answers,
  answerWith,
  broken,
  id,
  job,
  library,
  refuse,
  result,
  rows,
  soFar,
} from './states/answers.ts'
import { type Step, batchOf, ways, waysWithWords } from './states/ways.ts'
import { drawn, expectStill, watch } from './steps.ts'

// Scrollbars take space beside the page, as on most desktops.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
})

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** Every answer comes alone: the one before it has been drawn. */
async function oneByOne(page: Page): Promise<{ quiet: () => Promise<void> }> {
  let last: Promise<unknown> = Promise.resolve()
  await page.route('**/api/**', async (route) => {
    const before = last
    const turn = Promise.withResolvers<void>()
    last = turn.promise
    await before
    await drawn(page).catch(() => undefined)
    await route.fallback()
    turn.resolve()
  })
  return {
    quiet: async () => {
      for (let seen; seen !== last;) await (seen = last)
      await drawn(page)
    },
  }
}

const openShare = (page: Page) => page.getByRole('button', { name: 'Share', exact: true }).click()

/** Sends a file from the dashboard. Its upload begins when the test says so. */
async function sendHeldBack(page: Page): Promise<{ goOn: () => void }> {
  const wanted = Promise.withResolvers<void>()
  await page.route('**/api/uploads', async (route) => {
    await wanted.promise
    await route.fallback()
  })
  await page.goto('/dashboard')
  await (ways['send a file'] as Step)(page)
  await expect(page.getByText(/^Uploading file/)).toBeVisible()
  return { goOn: wanted.resolve }
}

/** The work begins when its price is confirmed. */
function transcribedAgain(): Answers {
  const [one, run] = [`/api/transcriptions/${id(10)}`, `/api/transcriptions/${id(30)}`]
  const status = 'processing chunk 2/5'
  let isStarted = false
  return {
    ...result(),
    [`GET ${one}`]: (route) => {
      const work = { id: id(30), what: 'text', status, errorMessage: null } as const
      return route.fulfill({ json: job({ again: isStarted ? work : null }) })
    },
    [`POST ${one}/again`]: { id: id(30), creditsRequired: 13, creditsAvailable: 142 },
    [`POST ${run}/confirm`]: (route) => {
      isStarted = true
      return route.fulfill({ json: { creditsDeducted: 13, creditsRemaining: 129 } })
    },
    [`GET ${run}`]: job({ id: id(30), status }),
  }
}

async function transcribeAgain(page: Page): Promise<void> {
  await (ways['open Transcribe again'] as Step)(page)
  await page.getByRole('button', { name: 'Transcribe again', exact: true }).click()
}

async function makeFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for this result' }).click()
  await page.getByRole('menuitem', { name: 'Export the cut recording…' }).click()
  await page.getByRole('button', { name: 'Make the file' }).click()
}

/** Each with what stands there when all of it has come. The second, fourth and so on are looked at on a phone. */
const pages: readonly [path: string, there: string | RegExp, answers?: Answers][] = [
  ['/home', 'Open the sample (free)', { 'GET /api/transcriptions': library({}) }],
  [`/home?t=${id(10)}`, 'What was read before it failed', ways['failed']],
  ['/library', /recordings/],
  ['/ask', /^The model found no answer/, ways['the library asked']],
  [`/home?t=${id(10)}`, /^They do, mostly/, ways['film']],
  // A new text that leaves something to decide, with a translation beside it.
  [
    `/home?t=${id(10)}&in=de`,
    '2 corrections need you',
    { ...result(), ...ways['corrections carried over'], ...ways['translation, both'] },
  ],
  [`/home?batch=${id(30)}`, '2 of 3 done', batchOf('completed', 'completed', 'processing')],
  ['/account', 'How right your texts were'],
  ['/account/credits', 'For signing up'],
  ['/account/vocabulary', 'Okafor'],
  ['/account/templates', 'Sales call'],
  ['/account/security', 'The password was changed'],
  ['/account/data', 'Links to others'],
  ['/account/api-keys', 'Nightly import of the newsroom'],
  ['/account/webhooks', /hooks/],
  [
    `/home?t=${id(10)}&in=de`,
    /^It belongs to the text from before/,
    { ...result(), ...ways['translated'] },
  ],
  [
    `/home?t=${id(10)}`,
    /could not be loaded, so the text cannot be corrected/,
    { ...ways['result, words broken'], [`GET /api/transcriptions/${id(10)}/words`]: broken },
  ],
  ['/library', 'Left before it was confirmed.wav', ways['jobs running']],
]

/** A translation that is being made, and then has failed. */
const translating = { ...result(), ...ways['translation, being made'] }
async function failTranslation(page: Page): Promise<void> {
  await page.goto(`/dashboard?t=${id(10)}&in=de`)
  await expect(page.getByText('4 of 12 turns')).toBeVisible()
  await page.evaluate('globalThis.pushed = []')
  await answerWith(page, { ...translating, ...ways['translation, failed'] })
}

/** What loads something after it was opened, on a result; `there` is in it when all of it has come. */
const opened = (): readonly [
  what: string,
  answers: Answers,
  open: (page: Page) => Promise<unknown>,
  there: string | RegExp,
][] => [
  ['Share', result(), openShare, 'Create link'],
  ['Share, with a link', ways['share with a link'], openShare, /^Seen 4 times/],
  ['Share, with several links', ways['several links'], openShare, 'Another link'],
  ['Transcribe again', transcribedAgain(), transcribeAgain, /^A new text is being written/],
  [
    'Transcribe again, not loaded',
    { ...result(), [`GET /api/transcriptions/${id(10)}/again`]: broken },
    ways['open Transcribe again'],
    'What was found last time could not be loaded.',
  ],
  [
    'A file that is refused',
    {
      ...ways['transcription, words cut'],
      ...ways['export the cut recording, files'],
      [`POST /api/transcriptions/${id(10)}/renders`]: refuse('too_much_rendered'),
    },
    makeFile,
    refusals.too_much_rendered[1],
  ],
  [
    'Generate',
    { ...result(), ...(ways['generate, own types'] as Answers) },
    (page) => page.getByRole('tab', { name: 'Generate' }).click(),
    'What the head of the team has to know',
  ],
  ['A translation that fails', translating, failTranslation, /1 credit was returned/],
]

for (const size of sizes) {
  const where = `at ${size.width}`
  test(`no page moves while it comes ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    for (const [place, [path, there, answers = {}]] of pages.entries()) {
      // Each page is looked at in one width, or in the long run in both.
      if (sizes[place % 2] !== size && !isLong) continue
      await answerWith(page, answers)
      const { quiet } = await oneByOne(page)
      await page.goto(path)
      await expect(page.getByText(there).first(), path).toBeAttached()
      await quiet()
      await expectStill(page)
      // The next page has answers of its own, and finds nothing stored.
      await page.evaluate('localStorage.clear(), sessionStorage.clear()')
      await page.goto('about:blank')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
  })

  // On a phone there is less room, and more is pushed.
  for (const [what, answers, open, there] of size.width === 390 || isLong ? opened() : [])
    test(`${what} stays where it is while it comes ${where}`, async ({ page }) => {
      await page.setViewportSize(size)
      await page.addInitScript(watch)
      await answerWith(page, answers)
      const { quiet } = await oneByOne(page)
      await page.goto(`/dashboard?t=${id(10)}`)
      await expect(page.getByText(/^So the question/).first()).toBeVisible()
      await quiet()
      await page.evaluate('globalThis.pushed = []')
      await open(page)
      await expect(page.getByText(there).first()).toBeAttached()
      await quiet()
      await expectStill(page, 'pushed')
    })

  test(`what was not sent completely is said from the start ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    const [answers, leave] = ways['an upload left unfinished'] as [Answers, Step]
    await answerWith(page, answers)
    await page.goto('/dashboard')
    await leave(page)
    const { quiet } = await oneByOne(page)
    await page.reload()
    await expect(page.getByText('53.0 of 57.2 MB have arrived.')).toBeVisible()
    await quiet()
    await expectStill(page)
    // It stays where the server cannot say how much has arrived.
    await page.route('**/api/uploads/*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.reload()
    await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible()
    await quiet()
    await expect(page.getByRole('region', { name: 'Upload left unfinished' })).toBeVisible()
    await expectStill(page)
  })

  test(`nothing moves from a file that is sent to its price ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    await answerWith(page, ways['bill'])
    const upload = await sendHeldBack(page)
    const library = page.getByRole('heading', { name: 'Library', includeHidden: true })
    const place = async () =>
      ((await library.boundingBox())?.y ?? 0) + (await page.evaluate<number>('scrollY'))
    expect(await place()).toBeGreaterThanOrEqual(size.height)
    const { quiet } = await oneByOne(page)
    await page.evaluate('globalThis.pushed = []')
    upload.goOn()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await quiet()
    expect(await place()).toBeGreaterThanOrEqual(size.height)
    await expectStill(page, 'pushed')
  })

  test(`nothing moves when a session has ended ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    const endsAt = (call: string) => ({
      ...ways['bill'],
      ...(waysWithWords['session ends at']?.(call) as Answers),
    })
    await answerWith(page, endsAt('POST /api/uploads'))
    const upload = await sendHeldBack(page)
    const { quiet } = await oneByOne(page)
    await page.evaluate('globalThis.pushed = []')
    upload.goOn()
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await expect(page.getByRole('main').getByText('Please sign in to continue.')).toBeVisible()
    await quiet()
    await expectStill(page, 'pushed')

    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await answerWith(page, endsAt(`POST /api/transcriptions/${id(10)}/confirm`))
    await page.goto('/dashboard')
    await (ways['send a file and see its price'] as Step)(page)
    const other = await oneByOne(page)
    await page.evaluate('globalThis.pushed = []')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
    await expect(page.getByText('Your session has ended. The file is kept.')).toBeVisible()
    await other.quiet()
    await expectStill(page, 'pushed')
  })

  test(`the dashboard stays where it is while a text is read ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    await page.addInitScript(watch)
    let read = 0
    const one = `/api/transcriptions/${id(10)}`
    const now = () => job({ status: `processing chunk ${read}/8`, speakers: [] })
    await answerWith(page, {
      'GET /api/transcriptions': (route) => library({ open: [now()], finished: rows(3) })(route),
      [`GET ${one}`]: (route) => route.fulfill({ json: now() }),
      [`GET ${one}/so-far`]: (route) => {
        const from = Number(new URL(route.request().url()).searchParams.get('from'))
        const { turns, ...more } = soFar(read * 2)
        return route.fulfill({ json: { ...more, from, turns: turns.slice(from) } })
      },
    })
    await page.goto(`/dashboard?t=${id(10)}`)
    const heading = page.getByRole('heading', { name: 'Library' })
    await expect(heading).toBeVisible()
    // First all of it is shown, and later its end alone.
    for (read of [1, 4])
      await expect(page.getByText(`Read up to ${formatted(read * 20)}.`)).toBeVisible()
    await drawn(page)
    await expectStill(page)
  })

  test(`the tabs stay where they are, and so do their names ${where}`, async ({ page }) => {
    await page.setViewportSize(size)
    // With it the buttons of one tab leave no room for what those of another leave room for.
    const originalName = `${'A long name of a recording '.repeat(3)}.m4a`
    await answerWith(page, result({ originalName }))
    await page.goto(`/dashboard?t=${id(10)}`)
    const tabs = page.getByRole('tablist', { name: 'Results' })
    await expect(tabs).toBeVisible()
    await page.evaluate('document.fonts.ready')
    const placesOf = () =>
      tabs.getByRole('tab').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    const names = await tabs.getByRole('tab').allInnerTexts()
    const places: [string, number | undefined, number[]][] = []
    for (const name of names) {
      await tabs.getByRole('tab', { name }).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      places.push([name, (await tabs.boundingBox())?.y, await placesOf()])
    }
    const [first] = places
    expect(places).toEqual(names.map((name) => [name, first?.[1], first?.[2]]))
  })
}

test('the buttons of a form stay where they are when it is refused', async ({ page }) => {
  // So high that nothing scrolls to show why.
  await page.setViewportSize({ width: 390, height: 2400 })
  const one = `/api/transcriptions/${id(10)}`
  await answerWith(page, {
    ...result(),
    [`PATCH ${one}/summary`]: refuse('summary_changed'),
    [`POST ${one}/action-items`]: refuse('too_many_action_items'),
    [`POST ${one}/speakers`]: refuse('server_busy'),
  })
  await page.goto(`/dashboard?t=${id(10)}#summary`)
  const stays = async (name: string, why: RefusalCode) => {
    const button = page.getByRole('button', { name, exact: true })
    const place = await button.boundingBox()
    await button.click()
    await expect(page.getByRole('alert').getByText(refusals[why][1])).toBeVisible()
    expect(await button.boundingBox(), name).toEqual(place)
  }
  await page.getByRole('button', { name: /^Change “Most people/ }).click()
  await stays('Save', 'summary_changed')
  await page.getByRole('button', { name: 'Add an action item' }).click()
  await page.getByRole('textbox', { name: 'What', exact: true }).fill('Book the room')
  await stays('Add', 'too_many_action_items')
  await page.getByRole('tab', { name: 'Speakers' }).click()
  await page.getByRole('button', { name: 'Tell the speakers apart again' }).click()
  await stays('Tell them apart', 'server_busy')
})

test('the header is at the same place on a page that scrolls and on one that does not', async ({
  page,
}) => {
  await answerWith(page, {})
  await page.goto('/subscribe')
  const account = page.getByRole('button', { name: /^Account menu/ })
  const placeAt = async (height: number) => {
    await page.setViewportSize({ width: 1440, height })
    await drawn(page)
    return {
      scrolls: await page.evaluate<boolean>('document.body.scrollHeight > innerHeight'),
      x: (await account.boundingBox())!.x,
    }
  }
  await expect(account).toBeVisible()
  const { x, scrolls } = await placeAt(4_000)
  expect(scrolls).toBe(false)
  expect(await placeAt(400)).toEqual({ scrolls: true, x })
})

const formatted = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
