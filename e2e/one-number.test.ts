/** One thing has one number: each screen that shows it is asked, with one recording. */
import { type Locator, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { addSample, haveAccount } from './steps.ts'

const lengthIn = (place: Locator) => place.locator('time[datetime^=PT]').first()
const all = (text: string | null, pattern: RegExp) =>
  [...(text ?? '').matchAll(pattern)].map(([found]) => found).toSorted()

if (isLong)
  test('length, talk time and words to check of a recording are the same on every screen', async ({
    page,
    browser,
  }) => {
    await haveAccount(page)
    const id = await addSample(page)
    const row = page.getByRole('row', { name: /sample\.m4a/ })
    await page.goto('/dashboard')
    const length = (await lengthIn(row).textContent())!
    expect(length).toMatch(/^\d+:\d\d$/)

    await page.goto('/library')
    await expect(lengthIn(row)).toHaveText(length)
    const [toCheck] = all(await row.textContent(), /\d+ words? to check/g)
    const inDoubt = Number.parseInt(toCheck!)
    expect(inDoubt).toBeGreaterThan(0)

    await page.goto(`/dashboard?t=${id}`)
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { name: 'sample.m4a' })).toBeVisible()
    await expect(lengthIn(main)).toHaveText(length)
    await expect(page.getByText(`/ ${length}`).first()).toBeVisible()
    // The line says one in how many, of the words that the head counts.
    const words = await main
      .getByText(/^\d+ words$/)
      .first()
      .textContent()
    await expect(page.getByRole('note', { name: 'Words in doubt' })).toContainText(
      `About 1 word in ${Math.round(Number.parseInt(words!) / inDoubt)} `,
    )
    await expect
      .poll(() => page.evaluate<number>(`CSS.highlights.get('check')?.size ?? 0`))
      .toBe(inDoubt)
    await page.getByRole('button', { name: /^Check them/ }).click()
    await expect(page.getByRole('region', { name: 'Words to check' })).toContainText(
      `1 of ${inDoubt}`,
    )

    await page.getByRole('tab', { name: 'Speakers' }).click()
    const speakers = page.getByRole('tabpanel', { name: 'Speakers' })
    await expect(speakers).toContainText('%')
    const shares = all(await speakers.textContent(), /\d+%/g)
    expect(shares.reduce((sum, share) => sum + Number.parseInt(share), 0)).toBe(100)

    // The tools of a phone.
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/dashboard?t=${id}`)
    await page.getByRole('button', { name: 'Tools' }).click()
    await expect(
      page.getByRole('button', { name: new RegExp(`^Check words ${inDoubt} `) }),
    ).toBeVisible()

    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const made = await page.request.post(`/api/transcriptions/${id}/shares`, { data: {}, headers })
    const { url } = (await made.json()) as { url: string }
    const context = await browser.newContext()
    const reader = await context.newPage()
    await reader.goto(url)
    const shared = await reader.locator('main').textContent()
    expect(shared).toContain(`${length}2 speakers`)
    expect(all(shared, /\d+%/g)).toEqual(shares)
    await context.close()

    const exported = async (format: string) => {
      const answer = await page.request.get(`/api/transcriptions/${id}/export?format=${format}`)
      expect(answer.ok()).toBe(true)
      return answer.text()
    }
    expect(await exported('md')).toContain(`length: "${length}"`)
  })
