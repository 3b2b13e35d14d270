/** A question to a recording, or to all of them, and what was said for its answer. */
import { type Page, expect, test } from '@playwright/test'

import { answer, answerWith, asked, id, questions, quoted, result } from './states/answers.ts'
import {
  addSample,
  expectAccessible,
  expectEachAccessible,
  haveAccount,
  openSample,
  toast,
  transcript,
} from './steps.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'Ask this recording' })
const place = async (page: Page) =>
  Number(await page.getByRole('slider', { name: 'Playback position' }).inputValue())
const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

test('without a language model a question finds what was said about it, and a press plays it', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await haveAccount(page)
  await openSample(page)
  await expect(transcript(page)).toContainText('Did any be right at down?')
  await page.keyboard.press('a')
  const field = panel(page).getByRole('textbox', { name: 'Ask this recording' })
  await expect(field).toBeFocused()
  await expect(panel(page)).toContainText(
    'This server has no language model, so it shows what was said about it.',
  )
  await expectEachAccessible(page)
  await field.fill('Where was the paper left?')
  await field.press('Enter')
  await expect(panel(page)).toContainText('Passages that speak of this')
  await expect(panel(page).getByRole('heading', { level: 3 })).toHaveText(
    'Where was the paper left?',
  )
  await expect(field).toHaveValue('')
  const quote = panel(page).getByRole('link', {
    name: /^Play 0:\d\d, .*left the paper on the train/,
  })
  await expect(quote.locator('mark').first()).toBeVisible()
  await expectAccessible(page)
  await quote.click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => place(page)).toBeGreaterThan(17)
  await expect(page.locator('[data-now]')).toContainText('I left the paper on the train')
  await expect(page.locator('[data-now]')).toBeInViewport()
  await expect(panel(page)).toBeVisible()
  // The focus has left the field, so that keys act on what is played.
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await expect(field).toHaveValue('')

  // What was asked is kept, comes back into the empty field, and is removed.
  await page.reload()
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(quote).toBeVisible()
  await field.press('ArrowUp')
  await expect(field).toHaveValue('Where was the paper left?')
  await panel(page).getByRole('button', { name: 'More for “Where was the paper left?”' }).click()
  await page.getByRole('menuitem', { name: 'Copy with quotes' }).click()
  await expect(toast(page, 'Copied to clipboard')).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^Where was the paper left\?\n\nPassages that speak of this:\n\n“.*left the paper on the train/,
  )
  await panel(page).getByRole('button', { name: 'More for “Where was the paper left?”' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(quote).toHaveCount(0)
  await field.press('Escape')
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Ask', exact: true })).toBeFocused()
})

test('the library is asked with the words of its search, and a quote opens its recording there', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await haveAccount(page)
  await addSample(page)
  await page.goto('/library')
  // Without words it would be the Ask of every page once more.
  await expect(page.getByRole('row').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^Ask/ })).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search names and words' }).fill('paper on the train')
  await page.getByRole('link', { name: 'Ask about this' }).click()
  const field = page.getByRole('textbox', { name: 'Ask your library' })
  await expect(field).toHaveValue('paper on the train')
  await page.getByRole('button', { name: 'Find' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'sample.m4a' })).toBeVisible()
  await expectAccessible(page)
  await main.getByRole('link', { name: /^Open 0:\d\d, .*left the paper on the train/ }).click()
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
  await expect.poll(() => place(page)).toBeGreaterThan(17)
  await expect(page.getByText('I made some notes on paper')).toBeInViewport()

  // On a phone the questions to one recording are a sheet, which the list of the player opens.
  await page.getByRole('button', { name: 'Tools' }).click()
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await expect(panel(page).getByRole('textbox')).toBeFocused()
  await expectEachAccessible(page)
})

test('an answer comes piece by piece, is said once, and one that breaks off is asked again', async ({
  page,
}) => {
  let tries = 0
  const whole = answer({ question: 'Who reads them?', quotes: [quoted()] })
  const sentence = event('sentence', { text: 'Most people do.' })
  await answerWith(page, {
    ...result(),
    [`GET ${questions}`]: asked(),
    [`POST ${questions}`]: (route) => {
      tries += 1
      const body =
        tries === 1
          ? sentence
          : sentence + event('quote', quoted()) + event('done', { answer: whole, left: 17 })
      return route.fulfill({ contentType: 'text/event-stream', body })
    },
  })
  await page.goto(`/dashboard?t=${id(10)}`)
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  const field = panel(page).getByRole('textbox')
  await field.fill('Who reads them?')
  await expect(panel(page).getByRole('link', { name: 'All recordings' })).toHaveAttribute(
    'href',
    '/ask?q=Who+reads+them%3F',
  )
  await field.press('Enter')
  await expect(panel(page).getByRole('alert')).toContainText(
    'No answer this time. Your question is still in the field.',
  )
  await expect(field).toHaveValue('Who reads them?')
  await panel(page).getByRole('button', { name: 'Try again' }).click()
  await expect(panel(page).getByRole('status')).toHaveText(`${whole.text} 1 quote.`)
  await expect(panel(page)).toContainText('17 of 40 questions left today.')
  await expect(field).toHaveValue('')
  // The panel of the words to check takes its place.
  await page.keyboard.press('Escape')
  await page.keyboard.press('a')
  await page.getByRole('button', { name: '5 words to check' }).click()
  await expect(panel(page)).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Words to check' })).toBeVisible()
})
