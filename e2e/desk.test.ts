/** What the desk does by itself: asked with made-up answers, so that nothing has to be recognised for it. */
import { expect, test } from '@playwright/test'

import { answerWith, id, user } from './states/answers.ts'

const one = `/api/transcriptions/${id(10)}`

test('a user of whom the server says nothing but the id has 0 credits and every screen', async ({
  page,
}) => {
  const { id: userId } = user()
  await answerWith(page, {
    'GET /api/user': { id: userId },
    [`GET ${one}`]: { id: id(10), status: 'error', originalName: 'a.mp3' },
  })
  for (const path of ['/dashboard', '/subscribe', '/account', `/dashboard?t=${id(10)}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByText('0 credits').filter({ visible: true }).first()).toBeVisible()
  }
  await expect(page.getByText('An error occurred while processing your file.')).toBeVisible()
})
