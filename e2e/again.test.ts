import { type Locator, type Page, expect, test } from '@playwright/test'
import type { z } from 'zod'

import { isLong } from '../test/long.ts'
import type {
  Again,
  DecideAgain,
  DecidedAgain,
  Edited,
  Words,
} from '../src/features/text/contract.ts'
import { again, answerWith, carried, id, job, result, words } from './states/answers.ts'
import { expectAccessible, toast, transcript } from './steps.ts'

const one = `/api/transcriptions/${id(10)}`
const panel = (page: Page) => page.getByRole('region', { name: /corrections? needs? you|placed/ })

/** Answers decisions as if they were stored. */
async function takeDecisions(page: Page, { carried: now }: Again): Promise<void> {
  await page.route(`**/api/transcriptions/${id(10)}/again/decision`, (route) => {
    const { number, decision } = route.request().postDataJSON() as z.infer<typeof DecideAgain>
    const question = now?.questions.find((each) => each.number === number)
    if (!question) return route.abort()
    return route.fulfill({
      json: { question: { ...question, decision }, edited: null } satisfies DecidedAgain,
    })
  })
}

test('what a new text could not place is decided row by row, with the keyboard alone', async ({
  page,
}) => {
  const left = carried()
  await answerWith(page, { ...result(), [`GET /api/transcriptions/${id(10)}/again`]: left })
  await takeDecisions(page, left)
  await page.goto(`/dashboard?t=${id(10)}`)
  await expect(panel(page)).toContainText('12 of your 14 corrections are in it')
  const row = (name: string | RegExp) => panel(page).getByRole('listitem', { name })
  const act = async (name: string) => {
    await panel(page).getByRole('button', { name }).first().press('Enter')
  }

  await act('Yes')
  await expect(row('2 of 3, Ben Okafor, 0:15')).toBeFocused()
  await expect(row(/^2 of 3/)).toContainText('They do, mostly. The runs that came back')
  await act('Put mine in')
  await expect(row('3 of 3, Speaker C, 0:31')).toBeFocused()
  await expect(panel(page).getByRole('heading')).toHaveText('1 correction needs you')
  await act('Leave as it is')
  await expect(page.getByRole('region', { name: 'All corrections are placed.' })).toBeFocused()
  await act('Undo, Speaker C, 0:31')
  await expect(row('3 of 3, Speaker C, 0:31')).toBeFocused()
  await act('Leave as it is')
  await act('Close')
  await expect(panel(page)).toHaveCount(0)
  // The way back stays, below the text.
  await expect(page.getByRole('button', { name: 'Go back to the earlier text' })).toBeVisible()
})

if (isLong)
  test('a tab with the text from before says so, and shows the new one when asked', async ({
    page,
    context,
  }) => {
    const other = await context.newPage()
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const [before, anew] = [inDays(20), inDays(30)]
    let isNew = false
    for (const tab of [page, other]) {
      await answerWith(tab, {
        ...result(),
        [`GET /api/transcriptions/${id(10)}/again`]: (route) =>
          route.fulfill({ json: again({ earlier: { keptUntil: isNew ? anew : before } }) }),
        [`GET /api/transcriptions/${id(10)}/words`]: (route) =>
          route.fulfill({ json: words([{ speaker: 0, text: isNew ? 'Anew.' : 'Before.' }]) }),
        [`POST /api/transcriptions/${id(10)}/again/back`]: (route) => {
          isNew = true
          return route.fulfill({ json: {} })
        },
      })
      await tab.goto(`/dashboard?t=${id(10)}`)
      await expect(transcript(tab)).toContainText('Before.')
      await expect(tab.getByText(/The earlier text is kept until/)).toBeVisible()
    }
    await page.getByRole('button', { name: 'Go back to the earlier text' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Go back' }).click()
    await expect(transcript(page)).toContainText('Anew.')

    await expect(transcript(other)).toContainText('This is the text from before.')
    await expect(transcript(other)).toContainText('Before.')
    await expect(other.getByRole('button', { name: /^Correct the turn/ })).toHaveCount(0)
    await expectAccessible(other)
    await other.getByRole('button', { name: 'Show the new text' }).click()
    await expect(transcript(other)).toContainText('Anew.')
    await expect(other.getByRole('button', { name: /^Correct the turn/ })).toHaveCount(1)
    await expect(other.getByText('This is the text from before.')).toHaveCount(0)
    await expect(page.getByText('This is the text from before.')).toHaveCount(0)
  })

if (isLong)
  test('that speakers were told apart again is taken back as any change, and who is who is asked', async ({
    page,
  }) => {
    const text = (name: string | null, revision: number): Words => ({
      ...words([{ speaker: 0, text: 'Good evening.' }]),
      speakers: [{ speaker: 0, label: 'Speaker A', name, talkTime: 3 }],
      revision,
    })
    const asked = again({
      carried: {
        placed: 0,
        questions: [{ kind: 'name', number: 0, decision: 'open', speaker: 0, name: 'Elinor' }],
      },
    })
    const run = { id: id(11), what: 'speakers', status: 'processing', errorMessage: null } as const
    let state: 'before' | 'working' | 'found' = 'before'
    const undone: unknown[] = []
    await answerWith(page, {
      ...result(),
      [`GET ${one}`]: (route) =>
        route.fulfill({ json: job({ again: state === 'working' ? run : null }) }),
      [`GET ${one}/words`]: (route) =>
        route.fulfill({ json: state === 'found' ? text(null, 8) : text('Elinor', 7) }),
      [`GET ${one}/again`]: (route) => route.fulfill({ json: state === 'found' ? asked : again() }),
      [`POST ${one}/speakers`]: (route) => {
        state = 'working'
        return route.fulfill({ json: run })
      },
      [`GET /api/transcriptions/${id(11)}`]: (route) => {
        state = 'found'
        return route.fulfill({ json: job({ id: id(11), status: 'completed' }) })
      },
      [`POST ${one}/undo`]: (route) => {
        undone.push(route.request().postDataJSON())
        state = 'before'
        const edited = { ...text('Elinor', 9), turns: [], removed: [], wordCount: 2 }
        return route.fulfill({ json: { ...edited, undo: 9, reload: true } satisfies Edited })
      },
    })
    await page.goto(`/dashboard?t=${id(10)}#speakers`)
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    const tellApart = async () => {
      await page.getByRole('button', { name: 'Tell the speakers apart again' }).click()
      // All of it is above the player.
      const cancel = page.getByRole('main').getByRole('button', { name: 'Cancel' })
      const player = page.getByRole('region', { name: 'Player' })
      await expect.poll(async () => (await top(player)) - (await top(cancel))).toBeGreaterThan(36)
      await page.getByRole('button', { name: 'Tell them apart' }).click()
      await expect(toast(page, '1 speaker was found.')).toBeVisible()
      await expect(toast(page, '1 speaker needs you.')).toBeVisible()
    }
    await tellApart()
    const question = page.getByRole('listitem', { name: /^1 of 1/ })
    await expect(question).toContainText('Elinor')
    await expectAccessible(page)
    const notes = page.getByRole('region', { name: /notifications/i })
    await notes.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByRole('button', { name: 'Rename Elinor' })).toBeVisible()
    await expect(question).toHaveCount(0)

    await tellApart()
    await page.getByRole('tab', { name: 'Transcription' }).click()
    await expect(question).toContainText('Elinor')
    await page.keyboard.press('Control+z')
    await expect(question).toHaveCount(0)
    expect(undone).toEqual([{ edit: 8 }, { edit: 8 }])
  })
