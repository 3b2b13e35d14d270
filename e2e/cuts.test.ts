/** Words that are cut: struck in the text, left out while it plays, put back, and kept. */
import { type Page, expect, test } from '@playwright/test'

import { answerWith, cuts, id, refuse, result, words } from './states/answers.ts'
import {
  correct,
  expectAccessible,
  expectEachAccessible,
  haveAccount,
  openSample,
  saved,
  toast,
  transcript,
  turnEditor,
} from './steps.ts'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected words' })
const strip = (page: Page) => page.getByRole('group', { name: 'Cuts' })
const struck = (page: Page) =>
  page.evaluate<string[]>(`[...(CSS.highlights.get('cut') ?? [])].map(String)`)
const selected = (page: Page) => page.evaluate<string>('String(getSelection())')
/** Selects from a letter of one turn to a letter of another, as a drag does. */
const select = (page: Page, from: [number, number], to: [number, number]) =>
  page.evaluate(`(() => {
    const node = (turn) => document.querySelector('[data-turn-text="' + turn + '"]').firstChild
    getSelection().setBaseAndExtent(node(${from[0]}), ${from[1]}, node(${to[0]}), ${to[1]})
  })()`)
const slider = (page: Page) => page.getByRole('slider', { name: 'Playback position' })

/** What three people say, one after the other, from 0:06 to 0:23. */
const THREE = [
  'I was at that meeting, we talked for almost an hour, and I remember everything except the reason.',
  'Did any be right at down? The calendar has nothing but the time and the number of the room.',
  'I made some notes on paper, and then I left the paper on the train.',
]

test('words that are cut are struck and not played, stay so, and can be put back', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  await expect(strip(page)).toHaveCount(0)
  await select(page, [1, 0], [3, THREE[2]!.length])
  await expect(bar(page).getByRole('button', { name: 'Cut' })).toBeVisible()
  await page.keyboard.press('x')
  await expect.poll(() => struck(page)).toEqual(THREE)
  await expect(strip(page)).toContainText('1 cut · 0:55 of 1:11 left')
  await expect(
    page.getByText('Cut, 0:17. 1 cut in all.'),
    'an act is said to who does not see it',
  ).toBeAttached()
  await expect(page.locator('[data-turn="2"]')).toContainText(`Cut: “${THREE[1]}”.`)
  await expectAccessible(page)

  // From before the cut its seconds are jumped over.
  await page.evaluate('getSelection().empty()')
  await page.evaluate(`(() => {
    const slider = document.querySelector('[aria-label="Playback position"]')
    globalThis.heard = []
    new MutationObserver(() => globalThis.heard.push(Number(slider.value)))
      .observe(slider, { attributeFilter: ['aria-valuetext'] })
  })()`)
  await slider(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('k')
  await expect.poll(async () => Number(await slider(page).inputValue())).toBeGreaterThan(23)
  await page.keyboard.press('k')
  const heard = () => page.evaluate<number[]>('globalThis.heard')
  expect(await heard()).toContain(6)
  expect((await heard()).filter((second) => second > 6 && second < 23)).toEqual([])

  // With the switch off, the recording is heard as it is.
  await strip(page).getByRole('switch', { name: 'Play without the cuts' }).click()
  await slider(page).fill('9')
  await slider(page).focus()
  await page.keyboard.press('k')
  await expect.poll(heard).toContain(10)
  await page.keyboard.press('k')

  await page.reload()
  await expect.poll(() => struck(page)).toEqual(THREE)
  await expect(strip(page)).toContainText('1 cut · 0:55 of 1:11 left')
  // A double press takes all that is cut in the turn, so that one press more puts it back.
  await page.locator('[data-turn-text="2"]').dblclick({ position: { x: 40, y: 12 } })
  expect(await selected(page)).toBe(THREE[1])
  await bar(page).getByRole('button', { name: 'Put back' }).click()
  await expect.poll(() => struck(page)).toEqual([THREE[0], THREE[2]])
  await expect(strip(page)).toContainText('2 cuts · 1:00 of 1:11 left')
  await expect(bar(page).getByRole('button', { name: 'Cut' })).toBeVisible()

  // What was done here, and what was done before the page was loaded.
  await strip(page).getByRole('button', { name: 'Undo' }).click()
  await expect(strip(page)).toContainText('1 cut')
  await strip(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => struck(page)).toEqual([])
  await expect(strip(page)).toHaveCount(0)
})

test('corrections and cuts are undone in the order in which they were made', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  const text = page.locator('[data-turn-text="2"]')
  await correct(page, page.locator('[data-turn="2"]'))
  await turnEditor(page).fill('Did anybody write it down?')
  await page.keyboard.press('Control+Enter')
  await expect(saved(page)).toBeVisible()
  await select(page, [2, 0], [2, 11])
  await page.keyboard.press('x')
  await expect.poll(() => struck(page)).toEqual(['Did anybody'])
  await select(page, [3, 0], [3, 1])
  await page.keyboard.press('x')
  await expect.poll(() => struck(page)).toEqual(['Did anybody', 'I'])

  await page.keyboard.press('Control+z')
  await expect.poll(() => struck(page)).toEqual(['Did anybody'])
  await page.keyboard.press('Control+z')
  await expect.poll(() => struck(page)).toEqual([])
  await expect(text).toHaveText('Did anybody write it down?')
  await page.keyboard.press('Control+z')
  await expect(text).toHaveText(THREE[1]!)
  await page.keyboard.press('Control+Shift+z')
  await expect(text).toHaveText('Did anybody write it down?')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(() => struck(page)).toEqual(['Did anybody'])
})

test('a file is made without the cuts, and is heard, saved and deleted', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await haveAccount(page)
  await openSample(page)
  await select(page, [1, 0], [3, THREE[2]!.length])
  await page.keyboard.press('x')
  await strip(page).getByRole('button', { name: 'Export the cut recording' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export the cut recording' })
  await dialog.getByLabel('Kind of file').selectOption('mp3')
  await dialog.getByRole('button', { name: 'Make the file' }).click()
  const download = dialog.getByRole('link', { name: 'Download' })
  await expect(download).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByText('MP3 · 0:55')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Play the recording' }).click()
  await expect(dialog.getByRole('button', { name: 'Pause the recording' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Pause the recording' }).click()
  const saving = page.waitForEvent('download')
  await download.click()
  expect((await saving).suggestedFilename()).toMatch(/ \(cut\)\.mp3$/)
  await dialog.getByRole('button', { name: 'Share this file' }).click()
  const sharing = page.getByRole('dialog', { name: 'Share the file' })
  await sharing.getByRole('switch', { name: 'Captions' }).click()
  await sharing.getByRole('button', { name: 'Create link' }).click()
  const address = await sharing.getByLabel('Address of the link').inputValue()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  const visitor = await page.context().newPage()
  await visitor.goto(address)
  await expect(visitor.getByRole('heading', { name: / \(cut\)\.mp3$/ })).toBeVisible()
  await expect(visitor.getByText(THREE[0]!)).toHaveCount(0)
  await expectAccessible(visitor)
  await visitor.getByRole('button', { name: 'Play' }).click()
  await expect(visitor.getByRole('button', { name: 'Pause' })).toBeVisible()
  const savingElsewhere = visitor.waitForEvent('download')
  await visitor.getByRole('link', { name: 'Download' }).click()
  expect((await savingElsewhere).suggestedFilename()).toMatch(/ \(cut\)\.mp3$/)

  // It is found again beside the recording's sound.
  await page.getByRole('tab', { name: 'Export' }).click()
  await page.getByRole('radio', { name: /^Sound/ }).check({ force: true })
  const tab = page.getByRole('tabpanel', { name: 'Export' })
  await expect(tab.getByText('MP3 · 0:55')).toBeVisible()
  await tab.getByRole('button', { name: 'Export the cut recording' }).click()
  await dialog.getByRole('button', { name: 'Delete this file' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete the file?' })
  await expect(question).toContainText('Its link ends.')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Delete the file' }).click()
  await expect(download).toHaveCount(0)
  await visitor.reload()
  await expect(visitor.getByText('This link has ended')).toBeVisible()
})

test.describe('of made-up words', () => {
  const ofIt = `/api/transcriptions/${id(10)}/cuts`
  const open = async (page: Page, answers: Parameters<typeof answerWith>[1] = {}) => {
    await answerWith(page, { ...result(), ...answers })
    await page.goto(`/dashboard?t=${id(10)}`)
    await expect(page.locator('[data-turn-text="1"]')).toBeVisible()
  }

  test('ums, repeats and long pauses are looked through, and taken out in one act', async ({
    page,
  }) => {
    const said = [
      {
        speaker: 0,
        text: 'Right, um, everybody is is here. Ten minutes, and then Tomas has a train.',
      },
      { speaker: 1, text: 'I would, I would rather open in March, uh, with all of it.' },
    ]
    await open(page, {
      ...result({}, words(said)),
      [`POST ${ofIt}`]: cuts([{ start: 0.3, end: 0.7 }]),
    })
    await page.getByRole('button', { name: 'More for this result' }).click()
    await page.getByRole('menuitem', { name: 'Take out ums and repeats…' }).click()
    const panel = page.getByRole('region', { name: 'Take out ums and repeats' })
    await expect(panel).toContainText('5 places found.')
    await expect(panel.getByRole('checkbox', { name: 'Pauses over 1.5 s' })).not.toBeChecked()
    const proposed = () =>
      page.evaluate<string[]>(`[...(CSS.highlights.get('proposed') ?? [])].map(String)`)
    await expect.poll(proposed).toEqual(['um,', 'is', 'I would,', 'uh,'])
    expect(await struck(page), 'nothing is cut by looking').toEqual([])
    await expect(page.locator('[data-turn="0"]')).toContainText('Proposed cut: “um,”, “is”.')
    await panel.getByRole('checkbox', { name: /with all/ }).click()
    await expect.poll(proposed).toEqual(['um,', 'is', 'I would,'])
    await expectAccessible(page)
    // It is listened to from the first that is in view.
    await page.setViewportSize({ width: 1280, height: 500 })
    await panel.getByRole('checkbox', { name: /with all/ }).scrollIntoViewIfNeeded()
    await panel.getByRole('button', { name: 'Listen first' }).click()
    await expect(page.getByText(/^0:1\d \/ /)).toBeVisible()
    const wanted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(ofIt),
    )
    await panel.getByRole('button', { name: 'Take out 3' }).click()
    const { cut } = (await wanted).postDataJSON() as { cut: unknown[] }
    expect(cut).toHaveLength(3)
    await expect(panel).toHaveCount(0)
    await expect(toast(page, '3 taken out')).toBeVisible()
  })

  test('a pause that was shortened is put back by itself', async ({ page }) => {
    const said = [
      { speaker: 0, text: 'Right, everybody is here.' },
      { speaker: 1, text: 'I would rather open in March.' },
    ]
    const pause = { start: 5.5, end: 7 }
    await open(page, {
      ...result({}, words(said)),
      [`GET ${ofIt}`]: cuts([pause]),
      [`POST ${ofIt}`]: cuts([]),
    })
    await page.getByRole('button', { name: 'More for this result' }).click()
    await page.getByRole('menuitem', { name: 'Take out ums and repeats…' }).click()
    const panel = page.getByRole('region', { name: 'Take out ums and repeats' })
    await expect(panel).toContainText('Shortened pauses')
    await expect(panel).toContainText('1.5 s shorter')
    await expectAccessible(page)
    const wanted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(ofIt),
    )
    await panel.getByRole('button', { name: 'Put back 0:05' }).click()
    expect((await wanted).postDataJSON()).toEqual({ cut: [], restore: [pause] })
    await expect(panel).not.toContainText('Shortened pauses')
  })

  test('what the server does not take is not cut, and the words are back', async ({ page }) => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await open(page, {
      [`POST ${ofIt}`]: async (route) => {
        await held
        await refuse('too_many_cuts')(route)
      },
    })
    await select(page, [2, 0], [2, 27])
    await page.keyboard.press('x')
    // Before the server has answered.
    await expect.poll(() => struck(page)).toEqual(['And nobody wrote that down.'])
    await expect(strip(page)).toContainText('1 cut')
    answer()
    await expect(toast(page, 'Not saved. The words are back.')).toBeVisible()
    await expect.poll(() => struck(page)).toEqual([])
    await expect(strip(page)).toHaveCount(0)
  })

  test('all that a search finds is cut at once', async ({ page }) => {
    await open(page, { [`POST ${ofIt}`]: cuts([{ start: 2, end: 3 }]) })
    const wanted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(ofIt),
    )
    await page.keyboard.press('Control+h')
    await page.getByRole('searchbox', { name: 'Find' }).fill('the')
    await page.getByRole('button', { name: 'Cut all 27' }).click()
    const { cut } = (await wanted).postDataJSON() as { cut: unknown[] }
    expect(cut).toHaveLength(27)
  })

  test('a chapter is cut in one act', async ({ page }) => {
    const chapters = [
      { title: 'Who reads the minutes', start: 0 },
      { title: 'Two numbers at the end', start: 30 },
      { title: 'The second archive', start: 60 },
    ]
    await open(page, {
      ...result({ chapters, chaptersBy: 'words' }),
      [`POST ${ofIt}`]: cuts([{ start: 30, end: 60 }]),
    })
    const wanted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith(ofIt),
    )
    await page.getByRole('button', { name: 'Cut the chapter at 0:30' }).click()
    expect((await wanted).postDataJSON()).toMatchObject({ cut: [{ start: 30, end: 60 }] })
    await expect(page.getByRole('button', { name: 'Put back the chapter at 0:30' })).toBeVisible()
    // Its heading, and its entry beside the text.
    await expect(page.locator('s', { hasText: 'Two numbers at the end' })).toHaveCount(2)
    await expectAccessible(page)
  })

  test('nothing is cut where there is nothing to be heard any more', async ({ page }) => {
    const gone = { recordingKeptUntil: null, recordingDeletedAt: '2026-11-01T10:00:00Z' }
    await open(page, { ...result(gone), [`GET ${ofIt}`]: cuts([{ start: 29.9, end: 32 }]) })
    await expect.poll(() => struck(page)).toEqual(['And nobody wrote that down.'])
    await select(page, [3, 0], [3, 41])
    await expect(bar(page)).toBeVisible()
    await expect(bar(page).getByRole('button', { name: 'Cut' })).toHaveCount(0)
    await expect(strip(page)).toHaveCount(0)
    // What was cut before can be put back for the text.
    await select(page, [2, 0], [2, 27])
    await expect(bar(page).getByRole('button', { name: 'Put back' })).toBeVisible()
  })

  test('on a phone the strip stands above the player in two lines, and gives way to selected words', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open(page, { [`GET ${ofIt}`]: cuts([{ start: 29.9, end: 32 }]) })
    const sum = strip(page).getByText('1 cut')
    const undo = strip(page).getByRole('button', { name: 'Undo' })
    const bottomOf = async (part: typeof undo) => {
      const box = await part.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0)
    }
    await expect(undo).toBeVisible()
    expect(await bottomOf(sum)).toBeLessThanOrEqual((await undo.boundingBox())!.y)
    const player = (await page.getByRole('region', { name: 'Player' }).boundingBox())!
    expect(Math.abs((await bottomOf(strip(page))) - player.y)).toBeLessThanOrEqual(1)
    await expectEachAccessible(page)
    // The menu of the result lies over both, to its last entry.
    await page.getByRole('button', { name: 'More for this result' }).click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click({ trial: true })
    await page.keyboard.press('Escape')
    // The end of the page can be scrolled out from under it.
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    const end = transcript(page)
    await expect
      .poll(async () => (await bottomOf(end)) <= (await strip(page).boundingBox())!.y)
      .toBe(true)

    await page.evaluate('scrollTo(0, 0)')
    await select(page, [2, 0], [2, 27])
    await expect(bar(page)).toBeVisible()
    await expect(strip(page)).toBeHidden()
    const more = bar(page).getByRole('button', { name: 'More for the selected words' })
    const { x, width } = (await more.boundingBox())!
    expect(x + width).toBeLessThanOrEqual(390)
    await expect(bar(page).getByRole('button', { name: 'Put back' })).toBeVisible()
    await expectEachAccessible(page)
  })
})
