import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { searches } from '../test/searches.ts'
import { COLOUR, addSample, expectAccessible, paintOf, haveAccount } from './steps.ts'

const headers = { 'Sec-Fetch-Site': 'same-origin' }
const position = (page: Page) =>
  page.evaluate<number>(`document.querySelector('[data-media]').currentTime`)

test('a link is opened by somebody without an account, heard, read, and ended', async ({
  page,
  browser,
}) => {
  await haveAccount(page)
  const links = `/api/transcriptions/${await addSample(page)}/shares`
  const link = async (data: object) => {
    const answer = await page.request.post(links, { data, headers })
    expect(answer.status()).toBe(201)
    return (await answer.json()) as { id: string; url: string }
  }
  const { id, url } = await link({})

  const context = await browser.newContext()
  const reader = await context.newPage()
  await reader.goto(url)
  await expect(reader.getByRole('heading', { level: 1 })).toHaveText('sample.m4a')
  await expect(reader.getByText('I was at that meeting,')).toBeVisible()
  await expectAccessible(reader)
  await reader.getByRole('listitem').getByText('I was at that meeting,').click()
  await expect(reader.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => position(reader)).toBeGreaterThan(1)
  expect((await paintOf(reader, 'now')).background).toMatch(COLOUR)

  // The keys are those of a result.
  await reader.keyboard.press('k')
  await expect(reader.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const before = await position(reader)
  await reader.keyboard.press('l')
  await expect.poll(() => position(reader)).toBeCloseTo(before + 10, 1)
  await expect(reader.getByRole('slider')).toHaveValue(String(Math.floor(before + 10)))
  await reader.keyboard.press('.')
  await expect(reader.getByRole('combobox', { name: 'Speed' })).toHaveValue('1.25')
  await reader.keyboard.press('/')
  await expect(reader.getByRole('searchbox')).toBeFocused()
  await reader.getByRole('searchbox').fill('meeting')
  await expect(reader.getByRole('status')).not.toBeEmpty()
  expect((await paintOf(reader, 'hit')).background).toMatch(COLOUR)

  const search = reader.getByRole('searchbox')
  await search.dispatchEvent('keydown', { key: 'Escape', keyCode: 229 })
  await expect(search).toHaveValue('meeting')
  await search.press('Escape')
  await expect(search).toHaveValue('')

  // A link to a passage opens at it.
  await reader.goto(`${url}#t=48.2,50.1`)
  await expect.poll(() => position(reader)).toBeCloseTo(48.2, 1)
  await expect(reader.locator('[data-turn][data-now]')).toBeInViewport()

  // Where there is nothing to play, Space scrolls as on any page.
  await reader.goto((await link({ includes: ['names'] })).url)
  await expect(reader.getByText('I was at that meeting,')).toBeVisible()
  await reader.keyboard.press('Space')
  await expect.poll(() => reader.evaluate<number>('scrollY')).toBeGreaterThan(0)
  await context.close()

  const still = await browser.newContext({ javaScriptEnabled: false })
  const plain = await still.newPage()
  await plain.goto(url)
  await expect(plain.getByText('I was at that meeting,')).toBeVisible()
  await expect(plain.getByRole('searchbox')).toBeHidden()

  // Without a script a password is typed too.
  const change = { data: { password: 'dairy-reels-54' }, headers }
  expect((await page.request.patch(`/api/shares/${id}`, change)).ok()).toBe(true)
  await plain.reload()
  await plain.getByLabel('Password').fill('dairy-reels-55')
  await plain.keyboard.press('Enter')
  await expect(plain.getByText('That is not the password.')).toBeVisible()
  await plain.getByLabel('Password').fill('dairy-reels-54')
  await plain.keyboard.press('Enter')
  await expect(plain.getByText('I was at that meeting,')).toBeVisible()

  await page.request.delete(`/api/shares/${id}`, { headers })
  await plain.reload()
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('This link has ended')
  await still.close()
})

if (isLong)
  test('the search of a shared page marks what every other search finds', async ({ page }) => {
    await haveAccount(page)
    const path = `/api/transcriptions/${await addSample(page)}`
    const said = (await (await page.request.get(`${path}/words`)).json()) as {
      turns: { id: string; revision: number }[]
    }
    const [first] = said.turns
    const data = { text: searches.map(({ text }) => text).join(' | '), revision: first!.revision }
    const saved = await page.request.patch(`${path}/turns/${first!.id}`, { data, headers })
    expect(saved.ok(), await saved.text()).toBe(true)
    const made = await page.request.post(`${path}/shares`, { data: {}, headers })
    await page.goto(((await made.json()) as { url: string }).url)
    for (const { wanted, found } of searches.filter((each) => each.found.length > 0)) {
      await page.getByRole('searchbox').fill(wanted)
      const marked = await page.evaluate<string[]>(
        `[...CSS.highlights.get('hit')].map((range) => range.toString())`,
      )
      expect(marked).toEqual(expect.arrayContaining(found.map((each) => stored(each))))
    }
    // Letters that grow when they are made small moved what was marked.
    await page.getByRole('searchbox').fill('guzel')
    await expect(page.getByRole('status')).toHaveText('1 of 3')
  })

test('the search of a shared page stays in sight while one goes from hit to hit', async ({
  page,
}) => {
  await haveAccount(page)
  const path = `/api/transcriptions/${await addSample(page)}`
  const made = await page.request.post(`${path}/shares`, { data: {}, headers })
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto(((await made.json()) as { url: string }).url)
  const field = page.getByRole('searchbox')
  const last = page.locator('[data-turn]').last()
  await field.fill(((await last.locator('p').textContent()) ?? '').slice(0, 24))
  await expect(last).toBeInViewport()
  await expect(page.getByRole('heading', { name: 'Transcript' })).not.toBeInViewport()
  await expect(field).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('status')).toBeInViewport()
})

/** As the server keeps a text that is typed. */
const stored = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ')
