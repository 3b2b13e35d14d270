import { readFile } from 'node:fs/promises'

import { type Page, expect, test } from '@playwright/test'

import { isLong } from '../test/long.ts'
import {
  addSample,
  correct,
  expectAccessible as expectNothingWrong,
  openSample as openResult,
  haveAccount,
  toast,
  transcript as text,
  turnEditor as editor,
  saved,
} from './steps.ts'

/** Runs axe in a window so high, and so far up, that the page's bars cover no text and no button. */
async function expectAccessible(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1280, height: 2600 })
  await page.evaluate('scrollTo(0, 0)')
  await expectNothingWrong(page)
  if (size) await page.setViewportSize(size)
}

async function expectEachAccessible(page: Page): Promise<void> {
  if (isLong) await expectAccessible(page)
}

const FIRST = 'Last month we decided to raise the price'
const THIRD = 'Did any be right at down?'

async function openSample(page: Page): Promise<void> {
  await haveAccount(page)
  await openResult(page)
  await expect(text(page).getByText(THIRD)).toBeVisible()
}
const turn = (page: Page, words: string) =>
  text(page).getByRole('listitem').filter({ hasText: words })
const position = (page: Page) => page.getByRole('slider', { name: 'Playback position' })
const seconds = async (page: Page) => Number(await position(page).inputValue())

const edit = (page: Page, words: string) => correct(page, turn(page, words))

test('a result is played, followed, searched and driven by keys', async ({ page }) => {
  await openSample(page)
  const player = page.getByRole('region', { name: 'Player' })
  await player.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => seconds(page)).toBeGreaterThan(0)
  await expect(position(page)).toHaveAttribute(
    'aria-valuetext',
    /of 1 minute 11 seconds, Speaker A/,
  )
  await player.getByRole('button', { name: 'Pause' }).click()

  // A word is heard by pressing it, and so is a turn by its time.
  await text(page)
    .getByText('I made some notes on paper')
    .click({ position: { x: 20, y: 10 } })
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(18)
  await text(page).getByRole('button', { name: 'Play from 0:30' }).click()
  await expect.poll(() => seconds(page)).toBeGreaterThanOrEqual(30)
  await page.keyboard.press('k')
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  const before = await seconds(page)
  await page.keyboard.press('j')
  await expect.poll(() => seconds(page)).toBe(before - 10)
  await position(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => seconds(page)).toBe(before - 5)
  await position(page).blur()

  await page.keyboard.press('.')
  await expect(player.getByRole('button', { name: 'Speed 1.25×' })).toBeVisible()
  await page.keyboard.press('/')
  const search = page.getByRole('searchbox', { name: 'Search in transcript' })
  await expect(search).toBeFocused()
  await search.fill('RECORD')
  await expect(page.getByText('2 found')).toBeVisible()
  await search.press('Enter')
  await expect(page.getByText('1 of 2')).toBeVisible()
  await search.press('Shift+Enter')
  await expect(page.getByText('2 of 2')).toBeVisible()
  // Away from where the header of the app lies over half a button.
  await page.evaluate('scrollTo(0, 0)')
  await expectAccessible(page)
  await search.press('Escape')
  await expect(search).toHaveCount(0)

  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toContainText('Forward 10 seconds')
  await expectEachAccessible(page)
  await sheet.getByRole('checkbox', { name: 'Single keys act while reading' }).uncheck()
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  // No key corrects a turn now or names its speaker: the Tab key leads to both.
  const stops = page.locator('[data-turn="1"] button:not([tabindex="-1"])')
  await expect(stops).toHaveCount(3)

  // What was set for listening is set the next time.
  await page.reload()
  await expect(player.getByRole('button', { name: 'Speed 1.25×' })).toBeVisible()
})

test('a word is replaced one by one, then everywhere, and one undo takes that back', async ({
  page,
}) => {
  await openSample(page)
  await page.keyboard.press('Control+h')
  const box = page.getByRole('search', { name: 'Find and replace' })
  await box.getByRole('searchbox', { name: 'Find' }).fill('paper')
  await expect(box.getByText('4 found').first()).toBeVisible()
  const by = box.getByRole('textbox', { name: 'Replace with' })
  await by.fill('vellum')
  await by.press('Control+Enter')
  await expect(box.getByText('Replaced, 3 left')).toBeAttached()
  await expect(text(page).getByText('I made some notes on vellum')).toBeVisible()
  await expect(box.getByText('1 of 3')).toBeVisible()
  await box.getByRole('checkbox', { name: 'Remember for later recordings' }).check()
  await box.getByRole('button', { name: 'Replace all 3' }).click()
  await expect(toast(page, '3 replaced')).toBeVisible()
  await expect(box.getByText('Also for later recordings.')).toBeVisible()
  await expect(text(page).getByText('a new box of vellum just in case.')).toBeVisible()
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(box.getByRole('button', { name: 'Replace all 3' })).toBeEnabled()
  await by.press('Escape')
  await expect(box).toHaveCount(0)
  await expect(turn(page, 'I made some notes on vellum')).toBeVisible()

  // What is remembered is in the vocabulary, and can be taken out there.
  await page.goto('/account/vocabulary')
  const remembered = page.getByRole('list', { name: 'Fixed replacements' })
  await expect(remembered.getByRole('listitem')).toHaveText('paperbecomesvellumwhole words')
  await expectEachAccessible(page)
  await page.getByRole('button', { name: 'Delete paper' }).click()
  await expect(page.getByText('No replacements yet.')).toBeVisible()
  // A changed term has a row of its own, and the focus is there.
  await page.getByLabel('Name or term').fill('Okafor')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Change Okafor' }).click()
  await page.getByRole('dialog').getByLabel('Name or term').fill('Okafor-Lee')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Change Okafor-Lee' })).toBeFocused()
})

test('a word is marked when it is pressed, and a link with a moment opens there', async ({
  page,
}) => {
  await haveAccount(page)
  const id = await addSample(page)
  await page.goto(`/dashboard?t=${id}`)
  // The very first word, before anything was played.
  await text(page)
    .getByText(FIRST)
    .click({ position: { x: 8, y: 10 } })
  await expect
    .poll(() => page.evaluate("[...(CSS.highlights.get('now') ?? [])].join()"))
    .toBe('Last')
  await page.goto(`/dashboard?t=${id}&at=43.6`)
  await expect.poll(() => seconds(page)).toBe(43)
  await expect(turn(page, 'if one person says no')).toBeInViewport()
})

test('a turn is corrected, split, joined, undone and restored, and stays so', async ({ page }) => {
  await openSample(page)
  await edit(page, THIRD)
  await expectEachAccessible(page)
  await editor(page).fill('Did somebody write it down? The calendar has nothing.')
  await expect(saved(page)).toBeVisible()

  await editor(page).press('Home')
  for (let step = 0; step < 'Did somebody write it down?'.length; step += 1)
    await editor(page).press('ArrowRight')
  await editor(page).press('Enter')
  await expect(editor(page)).toHaveValue('The calendar has nothing.')
  await expect(turn(page, 'Did somebody write it down?')).toBeVisible()
  await editor(page).press('Backspace')
  await expect(editor(page)).toHaveValue('Did somebody write it down? The calendar has nothing.')

  await editor(page).press('Control+Enter')
  await expect(editor(page)).toHaveCount(0)
  await page.reload()
  await expect(turn(page, 'Did somebody write it down? The calendar has nothing.')).toBeVisible()

  // Escape restores the turn as it was, even when a part of the text was stored already.
  await edit(page, 'Did somebody')
  await editor(page).fill('Nonsense.')
  await expect(saved(page)).toBeVisible()
  await editor(page).press('Escape')
  await expect(turn(page, 'Did somebody write it down? The calendar has nothing.')).toBeVisible()

  await edit(page, 'Did somebody')
  await editor(page).press('End')
  await text(page).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Restore original' }).click()
  await expect(toast(page, 'Original restored')).toBeVisible()
  await expect(editor(page)).toHaveValue(/^Did any be right at down\?/)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(toast(page, 'Undone')).toBeVisible()
  await expect(editor(page)).toHaveValue(/^Did somebody write it down\?/)
})

if (isLong)
  test('undo goes by runs of typing in a turn, and by steps of the history outside', async ({
    page,
  }) => {
    await openSample(page)
    const said = await turn(page, THIRD).getByText(THIRD).textContent()
    await edit(page, THIRD)
    await editor(page).press('End')
    await page.keyboard.type(' Nobody did.')
    await expect(saved(page)).toBeVisible()
    await editor(page).press('Control+Home')
    await page.keyboard.type('So: ')
    // The browser decides where a run of typing ends: it may end one early when the page changes.
    const pressUntil = (key: string, value: string) =>
      expect(async () => {
        if ((await editor(page).inputValue()) !== value) await editor(page).press(key)
        expect(await editor(page).inputValue()).toBe(value)
      }).toPass()
    await pressUntil('Control+z', `${said} Nobody did.`)
    await pressUntil('Control+z', said!)
    await pressUntil('Control+Shift+z', `${said} Nobody did.`)
    await editor(page).press('Alt+i')
    await expect(editor(page)).toHaveValue(/\[inaudible .+\]/)
    await editor(page).press('Control+z')
    await expect(editor(page)).toHaveValue(`${said} Nobody did.`)

    // Who leaves by Escape loses nothing. What is still being sent then would be told of afterwards, and
    // both words of it are gone soon, so they are looked for at once.
    await expect(page.getByText('Saving…')).toHaveCount(0)
    await Promise.all([
      expect(toast(page, 'Left without your changes')).toBeVisible(),
      expect(page.getByText('Left without the changes')).toBeVisible(),
      editor(page).press('Escape'),
    ])
    // The turn is as it was, although a part of the text was stored meanwhile.
    await expect(turn(page, THIRD)).not.toContainText('Nobody did.')
    await expect(text(page).getByText(/corrected by hand/)).toHaveCount(0)
    await page.keyboard.press('Control+z')
    await expect(turn(page, THIRD)).toContainText('Nobody did.')
    await expect(saved(page)).toBeVisible()

    // A field in which nothing was typed yet goes on with the history.
    await edit(page, THIRD)
    await editor(page).press('Control+z')
    await expect(editor(page)).toHaveValue(said!)
    await editor(page).press('Control+y')
    await expect(editor(page)).toHaveValue(`${said} Nobody did.`)

    await editor(page).press('Alt+t')
    const begins = page.getByRole('textbox', { name: 'Begins' })
    const was = await begins.inputValue()
    await begins.fill('0:01')
    await begins.press('Enter')
    await expect(text(page).getByText(/^It cannot begin before 0:\d\d\.\d\.$/)).toBeVisible()
    await expectEachAccessible(page)
    await begins.fill(was)
    await begins.press('Shift+ArrowUp')
    await begins.press('Enter')
    await expect(toast(page, 'Times changed')).toBeVisible()
  })

if (isLong)
  test('what is taken back out of sight is shown, and a replacement leads to the open turn', async ({
    page,
  }) => {
    await openSample(page)
    await edit(page, THIRD)
    await editor(page).press('End')
    await page.keyboard.type(' Nobody did.')
    // At the end of a turn Enter is the end of writing.
    await Promise.all([expect(saved(page)).toBeVisible(), editor(page).press('Enter')])
    await expect(editor(page)).toHaveCount(0)

    await page.setViewportSize({ width: 1280, height: 500 })
    const last = text(page).locator('[data-turn]').last()
    await last.scrollIntoViewIfNeeded()
    await last.hover()
    await last.getByRole('button', { name: /^Correct the turn/ }).click()
    await expect(turn(page, THIRD)).not.toBeInViewport()
    await editor(page).press('Control+z')
    await expect(toast(page, 'Undone')).toBeVisible()
    const notes = page.getByRole('region', { name: /notifications/i })
    await expect(notes.getByText(/^In the turn at 0:\d\d\.$/)).toBeVisible()
    await expect(turn(page, THIRD)).toBeInViewport()
    await expect(turn(page, THIRD)).not.toContainText('Nobody did.')

    await page.keyboard.press('Control+h')
    const box = page.getByRole('search', { name: 'Find and replace' })
    await box.getByRole('button', { name: 'Go to it' }).click()
    await expect(editor(page)).toBeFocused()
    await expect(editor(page)).toBeInViewport()
  })

test('a word is gone to and played by keys, in the turn that has the focus', async ({ page }) => {
  await openSample(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const word = () => page.evaluate(`[...(CSS.highlights.get('now') ?? [])].map(String).join()`)
  const said = ((await text(page).locator('[data-turn-text="1"]').textContent()) ?? '').split(' ')
  const focused = page.locator('[data-turn="1"]')
  await expect(focused).toBeFocused()
  // One stop of the Tab key: keys correct the turn and name its speaker from there.
  await expect(focused.locator('button:not([tabindex="-1"])')).toHaveCount(1)
  await focused.press('ArrowRight')
  await expect.poll(word).toBe(said[0])
  await focused.press('ArrowRight')
  await expect.poll(word).toBe(said[1])
  await focused.press('ArrowRight')
  await expect.poll(word).toBe(said[2])
  await focused.press('ArrowLeft')
  await expect.poll(word).toBe(said[1])
  const at = await seconds(page)
  await focused.press('Space')
  await expect.poll(() => seconds(page)).toBeGreaterThan(at)
})

if (isLong)
  test('a key is given to another act, a pedal plays in a turn too, and all are reset', async ({
    page,
  }) => {
    await openSample(page)
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByRole('button', { name: 'Forward 10 seconds: L. Change' }).click()
    await page.keyboard.press('k')
    await expect(sheet.getByText('K is “Play or pause”. Use it here instead?')).toBeVisible()
    await expectEachAccessible(page)
    await sheet.getByRole('button', { name: 'Use it here' }).click()
    await expect(sheet.getByRole('button', { name: 'Play or pause: Space. Change' })).toBeVisible()
    await sheet.getByRole('button', { name: 'Play or pause: no key. Change' }).click()
    await page.keyboard.press('p')
    await expect(sheet.getByText(/^This key types text\./)).toBeVisible()
    await page.keyboard.press('F7')
    await expect(sheet.getByRole('button', { name: 'Play or pause: F7. Change' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await expect.poll(() => seconds(page)).toBe(10)

    // This browser keeps them.
    await page.reload()
    await edit(page, THIRD)
    await editor(page).press('F7')
    const player = page.getByRole('region', { name: 'Player' })
    await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible()
    await editor(page).press('F7')
    await editor(page).press('Escape')
    await page.keyboard.press('?')
    await sheet.getByRole('button', { name: 'Reset all keys' }).click()
    await expect(sheet.getByRole('button', { name: 'Play or pause: no key. Change' })).toBeVisible()
    await expect(sheet.getByRole('button', { name: 'Forward 10 seconds: L. Change' })).toBeVisible()
  })

test('a speaker is renamed everywhere, made one with another, undone, and shown alone', async ({
  page,
}) => {
  await openSample(page)
  await turn(page, FIRST)
    .getByRole('button', { name: /^Speaker A ?, name/ })
    .click()
  const name = page.getByRole('combobox', { name: 'Name' })
  await expect(name).toBeFocused()
  await expectEachAccessible(page)
  // As it was: nothing is sent.
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/speakers/')) sent.push(request.url())
  })
  await name.fill('Speaker A')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(name).toHaveCount(0)
  await turn(page, FIRST)
    .getByRole('button', { name: /^Speaker A ?, name/ })
    .click()
  await name.press('Enter')
  await expect(name).toHaveCount(0)
  expect(sent).toEqual([])
  await turn(page, FIRST)
    .getByRole('button', { name: /^Speaker A ?, name/ })
    .click()
  await name.fill('Ada Lovett')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(page, 'Speaker renamed')).toBeVisible()
  await expect(turn(page, THIRD)).toContainText('Ada Lovett')

  // Gives one turn alone to a new speaker.
  await turn(page, THIRD)
    .getByRole('button', { name: /^Ada Lovett ?, name/ })
    .click()
  await page.getByRole('radio', { name: /^All \d+ turns of Ada Lovett$/ }).press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Only this turn' })).toBeFocused()
  await name.fill('Cem')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(turn(page, THIRD)).toContainText('Cem')
  await expect(turn(page, FIRST)).toContainText('Ada Lovett')

  await page.getByRole('tab', { name: 'Speakers' }).click()
  const speakers = page.getByRole('tabpanel', { name: 'Speakers' })
  await speakers.getByRole('button', { name: 'Rename Cem' }).click()
  await name.fill('ada lovett')
  await expect(page.getByText('Ada Lovett is already here. Make them one speaker?')).toBeVisible()
  await page.getByRole('button', { name: 'Make one speaker' }).click()
  await expect(speakers.getByRole('button', { name: 'Rename Cem' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(speakers.getByRole('button', { name: 'Rename Cem' })).toBeVisible()
  await speakers.getByRole('button', { name: 'Cem', exact: true }).click()
  await expect(
    speakers.getByRole('region', { name: 'Segments' }).getByRole('listitem'),
  ).toHaveCount(1)
  await expectEachAccessible(page)

  await page.getByRole('tab', { name: 'Transcription' }).click()
  await expect(text(page)).toContainText('Only the turns of Cem are shown.')
  await text(page).getByRole('button', { name: 'Show all' }).click()
  await expect(turn(page, FIRST)).toBeVisible()

  await page.getByRole('tab', { name: 'Export' }).click()
  await page.getByRole('radio', { name: 'Captions' }).check()
  await page.getByRole('switch', { name: 'Speakers’ names' }).check()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('sample.srt')
  expect(await readFile(await download.path(), 'utf8')).toContain('Ada Lovett: Last month')
})

if (isLong)
  test('what another tab corrected is there when one comes back, and of one turn both versions are shown', async ({
    page,
    context,
  }) => {
    await openSample(page)
    const other = await context.newPage()
    await other.goto(page.url())
    await edit(other, FIRST)
    await editor(other).press('End')
    await other.keyboard.insertText(' Corrected elsewhere.')
    await other.keyboard.press('Control+Enter')
    await expect(saved(other)).toBeVisible()
    await expect(turn(page, FIRST)).not.toContainText('Corrected elsewhere.')
    await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`)
    await expect(turn(page, FIRST)).toContainText('Corrected elsewhere.')

    // One is chosen, and nothing is lost.
    await edit(page, THIRD)
    await edit(other, THIRD)
    // "Saved" may still stand there from the change before.
    const stored = other.waitForResponse((answer) =>
      (answer.request().postData() ?? '').includes('Theirs.'),
    )
    await editor(other).fill('Theirs.')
    await editor(other).press('Control+Enter')
    await stored

    await editor(page).fill('Mine.')
    const conflict = page.getByRole('alert').filter({ hasText: 'changed in another tab' })
    await expect(conflict).toContainText('Mine.')
    await expect(conflict).toContainText('Theirs.')
    await expectAccessible(page)
    await conflict.getByRole('button', { name: 'Keep what I typed' }).click()
    await expect(conflict).toHaveCount(0)
    await editor(page).press('Control+Enter')
    await page.reload()
    await expect(turn(page, 'Mine.')).toBeVisible()
  })

test('what is typed without a connection is kept, survives the page, and is stored afterwards', async ({
  page,
  context,
}) => {
  await openSample(page)
  await edit(page, THIRD)
  await context.setOffline(true)
  await editor(page).fill('Typed in a tunnel.')
  await expect(page.getByText('Not saved.')).toBeVisible()
  await editor(page).press('Control+Enter')
  await expect(turn(page, 'Typed in a tunnel.')).toBeVisible()
  // The old page may not send the draft. A new page finds it in this browser and sends it.
  await page.route('**/turns/*', (route) => route.abort())
  await context.setOffline(false)
  await page.reload()
  await expect(turn(page, 'Typed in a tunnel.')).toBeVisible()
  await page.unroute('**/turns/*')
  await expect(saved(page)).toBeVisible()
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await expect(turn(page, 'Typed in a tunnel.')).toBeVisible()
})

test('a change that is refused late pushes no turn that is typed into by then', async ({
  page,
}) => {
  await openSample(page)
  const wanted = Promise.withResolvers<void>()
  await page.route('**/turns/*', async (route) => {
    await wanted.promise
    await route.fulfill({ status: 404, json: { message: 'It is gone.', code: 'not_found' } })
  })
  await edit(page, FIRST)
  await editor(page).fill('Typed first.')
  await editor(page).press('Control+Enter')
  await edit(page, THIRD)
  const { y } = (await editor(page).boundingBox())!
  wanted.resolve()
  await expect(page.getByRole('alert').filter({ hasText: 'Typed first.' })).toBeAttached()
  expect(Math.abs((await editor(page).boundingBox())!.y - y)).toBeLessThan(1)
})

test('doubtful words come one after the other, and are accepted or corrected', async ({ page }) => {
  // Of the sample's words three are in doubt, each in a turn of its own. The answer to a change brings
  // its turn as it lies on the server, where no word is below the limit that is set here.
  await page.route('**/words', async (route) => {
    const response = await route.fetch()
    const words = (await response.json()) as { turns: { words: number[] }[]; checkBelow: number }
    for (const turn of words.turns)
      turn.words = turn.words.map((number, place) => (place % 5 === 4 ? 100 : number))
    for (const [index, place] of [
      [0, 9],
      [2, 4],
      [3, 4],
    ] as const)
      words.turns[index]!.words[place] = 20
    await route.fulfill({ response, json: { ...words, checkBelow: 25 } })
  })
  await openSample(page)
  await page.getByRole('button', { name: '3 words to check' }).click()
  const queue = page.getByRole('region', { name: 'Words to check' })
  await expect(queue.locator('mark')).toHaveText('month')
  await expect(queue).toContainText('1 of 3')
  await expectEachAccessible(page)
  await queue.getByRole('button', { name: 'Looks right' }).click()
  await expect(queue.locator('mark')).toHaveText('Did')
  await page.keyboard.press(']')
  await expect(queue.locator('mark')).toHaveText('I')
  // Keys act after a press with the mouse too. What is left is counted with what is done.
  await expect(queue).toContainText('3 of 3')
  await page.keyboard.press('c')
  await expect(queue.getByLabel('Correct “I” to')).toBeFocused()
  await page.keyboard.type('We')
  await page.keyboard.press('Enter')
  await expect(turn(page, 'We made some notes')).toBeVisible()
  await expect(queue.locator('mark')).toHaveText('Did')
  await page.keyboard.press('Enter')
  await expect(queue).toContainText('2 looked right, 1 corrected')
})
