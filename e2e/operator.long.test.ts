/** An operator looks at the server and grants credits. */
import { type Page, expect, test } from '@playwright/test'

import { answerWith, id, operations, setUp, triedModel, user } from './states/answers.ts'
import { expectAccessible, toast } from './steps.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

test('the menu of an operator leads to where a language model is tried, and a grant leaves an empty form', async ({
  page,
}) => {
  let isOperator: true | undefined
  await answerWith(page, {
    ...operations(),
    ...setUp(),
    ...triedModel(),
    'GET /api/user': (route) => route.fulfill({ json: user({ isOperator }) }),
    [`POST /api/admin/users/${id(1)}/credits`]: {},
  })
  const entry = page.getByRole('menuitem', { name: 'Operations' })
  const open = async () => {
    await page.goto('/dashboard')
    await page.getByRole('button', { name: /Account menu/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Support' })).toBeVisible()
  }
  await open()
  await expect(entry).toHaveCount(0)
  isOperator = true
  await open()
  await entry.click()
  await expect(heading(page, 'Operations')).toBeVisible()

  await page.getByRole('link', { name: 'Models, mail, settings' }).click()
  await expect(page.getByRole('searchbox', { name: /settings$/ })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('llm key')
  await expect(page.getByRole('status')).toHaveText('1 setting says “llm key”.')
  await expect(page.getByRole('definition').filter({ hasText: 'Shown to nobody' })).toBeVisible()
  await page.keyboard.type('!')
  await expect(page.getByRole('status')).toHaveText('No setting says “llm key!”.')
  await page.keyboard.press('Escape')
  // Down from the search, through the groups.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('heading', { name: 'Processes', level: 2 })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/server#processes$/)
  await page.getByRole('link', { name: 'Summaries 1 to look at' }).click()
  await expect(page.getByText(/ Today [\d:]+: Sentences taken from this/)).toBeVisible()
  // Whoever closes it while the model writes finds the answer, and not another trial.
  const answer = Promise.withResolvers<void>()
  let tries = 0
  await page.route('**/api/admin/try-model', async (route) => {
    tries += 1
    await answer.promise
    await route.fallback()
  })
  await page.getByRole('button', { name: 'Try the model' }).click()
  await expect(page.getByText('Waiting for its answer.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const answered = page.waitForResponse('**/api/admin/try-model')
  answer.resolve()
  await answered
  await page.getByRole('button', { name: 'Try the model' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'It works' })).toContainText('The ferry')
  expect(tries).toBe(1)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  // On a phone the groups are a list, and each is a page.
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('link', { name: 'Server' }).click()
  await expect(heading(page, 'Server')).toBeVisible()
  await page.getByRole('link', { name: 'Mail 1 to look at' }).click()
  await expect(page.getByRole('region', { name: 'Mail' })).toBeFocused()
  await expect(heading(page, 'Server')).toBeHidden()
  await page.goBack()
  await page.setViewportSize(wide)
  await page.getByRole('link', { name: 'Operations' }).click()

  await page.getByRole('link', { name: 'Ada Lovett' }).click()
  await expect(heading(page, 'Ada Lovett')).toBeVisible()
  const credits = page.getByLabel('Credits', { exact: true })
  await credits.fill('20')
  await page.getByLabel('What happened').fill('A lost hour')
  await page.getByRole('button', { name: 'Grant 20 credits' }).click()
  await expect(toast(page, '20 credits granted.')).toBeVisible()
  await expect(credits).toHaveValue('')
  await expect(page.getByLabel('What happened')).toHaveValue('')
})
