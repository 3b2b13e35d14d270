/** A transcription in another language that is there already. */
import { expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import { everything } from '../test/promises.ts'
import { answerWith, id, inOther, result, translated } from './states/answers.ts'

if (isLong)
  test('what was translated is read, exported and deleted when the model is gone', async ({
    page,
  }) => {
    const said = Array.from({ length: 4 }, () => ({ speaker: 0, text: 'Die Brücke ist zu.' }))
    await answerWith(page, {
      ...result(),
      ...translated({ changed: 1 }, inOther(said)),
      'GET /api/capabilities': { ...everything, translations: false },
      [`DELETE /api/transcriptions/${id(10)}/translations/de`]: {},
    })
    await page.goto(`/dashboard?t=${id(10)}&in=de`)
    await expect(page.locator('[data-translation]').first()).toContainText('Die Brücke ist zu.')
    const note = page.getByRole('region', { name: 'Translation into German' })
    await expect(note).toContainText('The text has changed since in 1 place.')
    await expect(note.getByRole('button', { name: 'Translate it again' })).toHaveCount(0)
    await page.getByRole('tab', { name: 'Export' }).click()
    await page.getByText('More choices').click()
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('tab', { name: 'Transcription' }).click()
    await page.getByRole('button', { name: /^Aa/ }).click()
    const dialog = page.getByRole('dialog', { name: 'How the text is shown' })
    await expect(dialog).toContainText('This server has no language model any more.')
    await dialog.getByRole('button', { name: 'Delete the translation into German' }).click()
    await expect(dialog.getByLabel('In another language')).toHaveCount(0)
  })
