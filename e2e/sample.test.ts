import { expect, test } from '@playwright/test'

import { expectEachAccessible, expectCredits, haveAccount, openHome, toast } from './steps.ts'

test('the free sample is opened, read, and deleted again, its recording first', async ({
  page,
}) => {
  await openHome(page)
  const library = page.getByRole('region', { name: 'Library' })
  await expect(library).toContainText(
    'Nothing here yet. Transcribe a recording, or open the sample.',
  )
  await expect(library.getByRole('listitem')).toHaveText([
    'Open the sample',
    'Transcribe your first file',
  ])
  // Each way to begin is offered once.
  for (const name of [/sample/i, /choose/i, /record/i])
    await expect(page.getByRole('main').getByRole('button', { name })).toHaveCount(1)
  await expectEachAccessible(page)

  await library.getByRole('button', { name: 'Open the sample (free)' }).click()
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeFocused()
  await expect(page.getByText('Sample · As it was heard')).toBeVisible()
  await expect(page.getByRole('tabpanel', { name: 'Transcription' })).toContainText(
    'Did any be right at down?',
  )
  await page.getByRole('tab', { name: 'Summary' }).click()
  const summary = page.getByRole('tabpanel', { name: 'Summary' })
  await expect(summary).toContainText(
    'Written by hand, for our own sample recording. The text is as it was heard.',
  )
  const said = summary.getByRole('button', { name: 'Said at 0:18' })
  const quote = summary.locator('mark')
  await said.click()
  await expect(quote).toHaveText(
    'I made some notes on paper, and then I left the paper on the train.',
  )
  await said.press('ArrowLeft')
  await expect(quote).toHaveCount(0)
  await said.press('ArrowRight')
  await expect(quote).toBeVisible()
  await expectCredits(page, 10)
  await expectEachAccessible(page)

  const more = page.getByRole('button', { name: 'More for this result' })
  const deletes = page.getByRole('menuitem', {
    name: /^Delete the recording now It is kept until \w+ \d+, \d{4}\.$/,
  })
  await more.click()
  await deletes.click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'The recording is deleted now. The text and the summary stay.',
  )
  await expectEachAccessible(page)
  await question.getByRole('button', { name: 'Keep it' }).click()
  await expect(more).toBeFocused()
  await more.click()
  await deletes.click()
  await question.getByRole('button', { name: 'Delete the recording' }).click()
  await expect(toast(page, 'Recording deleted')).toBeVisible()
  await expect(more).toBeFocused()
  await expect(page.getByRole('region', { name: 'Player' })).toContainText(
    /The recording was deleted on \w+ \d+, \d{4}\. The text stays\./,
  )
  await more.click()
  await expect(page.getByRole('menuitem', { name: 'Delete', exact: true })).toBeVisible()
  await expect(deletes).toHaveCount(0)
  await page.keyboard.press('Escape')

  await page.getByRole('main').getByRole('link', { name: 'Library' }).click()
  await page.getByRole('link', { name: 'New', exact: true }).click()
  const row = library.getByRole('row').filter({ hasText: 'sample.m4a' })
  await expect(row.getByText('Sample', { exact: true })).toBeVisible()
  await expect(library.getByText('Open the sample (done)')).toBeVisible()
  await expectEachAccessible(page)
  await row.getByRole('button', { name: 'More for sample.m4a' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete the recording now' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(toast(page, 'sample.m4a is no longer in your library.')).toBeVisible()

  await expect(library).toContainText('Nothing here yet.')
  await library.getByRole('button', { name: 'Hide steps' }).click()
  await page.reload()
  await expect(library.getByRole('button', { name: 'Open the sample (free)' })).toBeVisible()
  await expect(library.getByRole('listitem')).toHaveCount(0)
})

test.describe('by touch', () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1024, height: 1366 },
  ])
    test.describe(`at ${viewport.width}`, () => {
      test.use({ viewport, hasTouch: true, isMobile: true })
      test('nothing is said of dragging, or of doing it on a phone', async ({ page }) => {
        await openHome(page)
        await expect(page.getByText('Voice memos: add this page')).toBeVisible()
        const said = await page.getByRole('main').innerText()
        expect(said).toContain('Choose a file on this device, or record one')
        expect(said).not.toMatch(/\bdrag|\bdrop|on the phone/i)
      })
    })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    test('the ways at the thumb make room while the keyboard is open', async ({ page }) => {
      await haveAccount(page)
      await page.goto('/account')
      const ways = page.getByRole('navigation', { name: 'Main' })
      await expect(ways).toBeInViewport()
      await page.getByRole('textbox', { name: 'First name' }).tap()
      await expect(ways).toHaveCount(0)
      await page.getByRole('heading', { level: 1 }).tap()
      await expect(ways).toBeInViewport()
    })
  })
})
