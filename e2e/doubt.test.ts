import { type Page, expect, test } from '@playwright/test'

import { answerWith, id, manyInDoubt, result, said, words } from './states/answers.ts'

const result10 = `/dashboard?t=${id(10)}`
const note = (page: Page) => page.getByRole('note', { name: 'Words in doubt' })
const underlines = (page: Page) => page.getByRole('checkbox', { name: 'Underline doubt' })
const underlined = (page: Page) => page.evaluate<number>(`CSS.highlights.get('check')?.size ?? 0`)
const numberIn = (text: string | null) => Number(text?.replace(/\D/g, ''))

test('every word in doubt is underlined, a note says how many, and a switch hides the marks', async ({
  page,
}) => {
  // Three hours of speech.
  await answerWith(page, result({}, words(said(900), { isInDoubt: manyInDoubt })))
  await page.goto(result10)
  await expect(note(page)).toContainText('About 1 word in 8 is in doubt.')
  const toCheck = page.getByRole('button', { name: /^Words to check/ })
  const count = numberIn(await toCheck.textContent())
  expect(count).toBeGreaterThan(2_000)
  await expect.poll(() => underlined(page)).toBe(count)

  await underlines(page).uncheck()
  await expect(note(page)).toContainText('The underlines are switched off.')
  await page.reload()
  await expect(underlines(page)).not.toBeChecked()
  await expect(note(page)).toBeVisible()
  expect(await underlined(page)).toBe(0)
})

test('the note leads to the words to check, is hidden for good, and goes when all are checked', async ({
  page,
}) => {
  const doubtful = words(said(4), { isInDoubt: manyInDoubt })
  const inDoubt = 10
  const accept = new RegExp(`/api/transcriptions/${id(10)}/turns/[^/]+/accept$`)
  await answerWith(page, result({}, doubtful))
  await page.route(accept, (route) =>
    route.fulfill({
      json: {
        revision: 1,
        undo: null,
        turns: [],
        removed: [],
        speakers: doubtful.speakers,
        wordCount: 60,
        reload: false,
      },
    }),
  )
  await page.goto(result10)
  await note(page).getByRole('button', { name: 'Check them · about 1 min' }).click()
  const queue = page.getByRole('region', { name: 'Words to check' })
  await expect(queue).toContainText(`1 of ${inDoubt}`)
  for (let left = inDoubt; left > 0; left -= 1) {
    await expect(queue).toContainText(` of ${left}`)
    await queue.getByRole('button', { name: 'Looks right' }).click()
  }
  await expect(queue).toContainText('All words are checked.')
  await queue.getByRole('button', { name: 'Close words to check' }).click()
  await expect(note(page)).toContainText('All words in doubt are checked.')

  await page.reload()
  await expect(note(page)).toContainText('is in doubt.')
  await note(page).getByRole('button', { name: 'Hide this note' }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: /^Words to check/ })).toBeVisible()
  await expect(note(page)).toHaveCount(0)
})
