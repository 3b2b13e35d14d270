/** What a signed-in user is offered, by a server that can do little and by one that can do all. */
import { type Page, expect, test } from '@playwright/test'

import type { Capabilities } from '../src/shared/capabilities.ts'
import { everything, nothing, promisesIn } from '../test/promises.ts'
import { answerWith, generated, id, result } from './states/answers.ts'
import { chooseFile, sample } from './steps.ts'

/** A result with a document, to offer Google Docs for, by a server that is able to do so much. */
const isAbleTo = (page: Page, can: Capabilities) =>
  answerWith(page, {
    ...result(),
    [`GET /api/transcription/${id(10)}/documents`]: [generated(1)],
    'GET /api/capabilities': can,
  })

/** Goes through the forms where something is offered or sold, and answers what one reads there. */
async function walk(page: Page): Promise<string> {
  const read: string[] = []
  const look = async () => {
    const main = page.getByRole('main')
    // The second has the names of what one can choose.
    read.push(await main.innerText(), await main.ariaSnapshot())
  }
  await page.goto('/subscribe')
  await expect(page.getByText('Everything in Starter')).toBeVisible()
  await look()
  await page.goto('/account/vocabulary')
  await expect(page.getByText(/ of 500/)).toBeVisible()
  await look()
  await page.goto('/dashboard')
  await chooseFile(page, sample)
  await page.getByRole('checkbox', { name: /Generate Document/ }).check()
  await expect(page.getByRole('radio', { name: 'Article' })).toBeVisible()
  await look()
  await page.goto(`/dashboard?t=${id(10)}`)
  await page.getByRole('tab', { name: 'Generate' }).click()
  await expect(page.getByRole('radio', { name: 'Article' })).toBeVisible()
  await look()
  // The row of a recording tells of its own words, which is no offer.
  return read.join('\n').replaceAll(/\b\d+ words to check/g, '')
}

test('forms and plans offer what the server can do, and nothing else', async ({ page }) => {
  await isAbleTo(page, nothing)
  const little = await walk(page)
  expect(promisesIn(little)).toEqual([])
  for (const words of [
    'Documents put together from sentences of the transcript, 1 credit each',
    'The recognizer of this server cannot expect them.',
    'This server has no language model.',
    '+1 credit, put together from sentences of the transcript',
    'up to 900 words',
    'Put together from sentences of the transcript as it stands now',
  ])
    expect(little).toContain(words)

  await isAbleTo(page, everything)
  const offered = promisesIn(await walk(page)).map((each) => each.replace(/:.*/s, ''))
  expect(new Set(offered)).toEqual(
    new Set(['summaryLanguages', 'documentsByModel', 'translations', 'googleDocs']),
  )
})
