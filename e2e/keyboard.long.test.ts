/** A recording from upload to result by keys alone. At each step the focus must be visible. */
import { type Locator, type Page, expect, test } from '@playwright/test'

import { everything } from '../test/promises.ts'
import { PASSWORD, expectCredits, media, sample, haveAccount, toast, saved } from './steps.ts'

/** The focused element: its name for a screen reader, and whether its focus can be seen. */
interface Focus {
  tag: string
  name: string
  isSeen: boolean
  isRinged: boolean
}

const readFocus = `(() => {
  const element = document.activeElement
  const style = getComputedStyle(element)
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect()
  // An outline of the element's own, or a shadow or border that only the focus draws on its frame.
  const ringed = [element, element.parentElement, element.nextElementSibling, element.previousElementSibling]
  const isRinged = ringed.some((one) => {
    if (!one) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(one)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2
  })
  // The middle of what is in the window: that of a panel longer than it lies under the player.
  const across = (Math.max(left, 1) + Math.min(right, innerWidth - 2)) / 2
  const down = (Math.max(top, 1) + Math.min(bottom, innerHeight - 2)) / 2
  const onTop = document.elementFromPoint(across, down)
  return {
    tag: element.tagName,
    name: element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.textContent.trim().slice(0, 80),
    isRinged,
    isSeen: style.visibility !== 'hidden' && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth &&
      (width * height <= 4 || (onTop !== null && (element.contains(onTop) || onTop.contains(element)
        || element.labels?.[0]?.contains(onTop) || onTop.closest('label')?.contains(element)))),
  }
})()`
const focusOf = (page: Page) => page.evaluate<Focus>(readFocus)

/** Expects that an element has the focus, that a ring shows it, and that nothing covers it. */
async function expectFocusSeen(page: Page): Promise<void> {
  // The page scrolls to it, and a menu or a sheet comes up.
  await expect
    .poll(async () => {
      const { tag, name, isRinged, isSeen } = await focusOf(page)
      return tag !== 'BODY' && isRinged && isSeen ? 'seen' : { tag, name, isRinged, isSeen }
    })
    .toBe('seen')
}

/** Presses Tab until the goal has the focus. On the way, every focus must be visible. */
async function tabTo(page: Page, goal: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(goal.first()).toBeVisible()
  const passed: string[] = []
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
    if ((await goal.and(page.locator(':focus')).count()) > 0) return
    passed.push((await focusOf(page)).name)
  }
  throw new Error(`no ${key} leads to ${goal.toString()}, but to ${passed.join(', ')}`)
}

const button = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: typeof name === 'string' })

test('a recording goes all its way by keys alone, and the focus is never lost', async ({
  page,
}) => {
  test.slow()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // The dialog of the system answers by itself. The browser is told of that well before the key
  // that opens it. Told at the same moment, it might open the dialog first, with nobody to answer.
  // Long enough to move about in; only its beginning is speech, which is all that takes a while.
  const silence = "volume=enable='gt(t,7)':volume=0"
  const short = await media('sample.m4a', '-t', '20', '-i', sample, '-af', silence)
  page.on('filechooser', (chooser) => void chooser.setFiles(short))
  const { email } = await haveAccount(page)
  await page.goto('/dashboard')
  // A focus on what stands there while the page comes is lost with it.
  await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
  // Logs out, and signs in again with the form.
  await tabTo(page, button(page, /^Account menu/))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  // The address changes before the landing's document is loaded.
  await expect(page.getByRole('link', { name: 'Start Free Trial' }).first()).toBeVisible()

  await page.route('**/api/capabilities', (route) => route.fulfill({ json: everything }))
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await expectFocusSeen(page)
  await tabTo(page, page.getByLabel('Email'))
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: 'Transcribe a recording' })
  await expect(heading).toBeVisible()

  // The file: the dialog of the system is opened by a key too.
  await tabTo(page, button(page, 'Choose file'))
  await page.keyboard.press('Enter')
  const start = button(page, 'Start Transcription')
  await expect(start).toBeVisible()
  await expect.poll(async () => (await focusOf(page)).tag).not.toBe('BODY')
  await tabTo(page, page.getByRole('combobox', { name: 'Summary Language' }))
  await tabTo(page, start)
  await page.keyboard.press('Enter')

  const bill = page.getByRole('alertdialog')
  await expect(bill).toBeVisible()
  await expect(button(bill, 'Confirm')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(button(bill, 'Cancel')).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Processing Your File' })).toBeFocused()

  await expect(page.getByRole('tab', { name: 'Transcription' })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeFocused()
  await expectCredits(page, 9)

  await tabTo(page, page.getByRole('tab', { name: 'Transcription' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tabpanel', { name: 'Summary' })).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('tabpanel', { name: 'Export' })).toBeVisible()
  await expectFocusSeen(page)
  await page.keyboard.press('Home')
  const text = page.getByRole('tabpanel', { name: 'Transcription' })
  await expect(text.getByRole('listitem').first()).toBeVisible()

  // Moves to a moment.
  const player = page.getByRole('region', { name: 'Player' })
  const position = page.getByRole('slider', { name: 'Playback position' })
  await page.keyboard.press('Tab')
  await tabTo(page, button(player, 'Play'))
  await tabTo(page, position)
  await page.keyboard.press('ArrowRight')
  await expect(position).toHaveValue('5')

  // A turn is corrected; the editor gives the focus back to its turn.
  await page.keyboard.press('ArrowLeft')
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('ArrowDown')
  await expect(text.getByRole('listitem').first()).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('e')
  const editor = text.getByRole('textbox', { name: /^Text of/ })
  await expect(editor).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' Corrected by keys.')
  await Promise.all([expect(saved(page)).toBeVisible(), page.keyboard.press('Control+Enter')])
  await expect(editor).toHaveCount(0)
  await expect(text.getByRole('listitem').first()).toBeFocused()
  await expect(text.getByRole('listitem').first()).toContainText('Corrected by keys.')

  await page.keyboard.press('r')
  const name = page.getByRole('combobox', { name: 'Name' })
  await expect(name).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ada Lovett')
  await page.keyboard.press('Enter')
  await expect(text.getByRole('listitem').first()).toContainText('Ada Lovett')
  await expect(name).toHaveCount(0)
  await expect.poll(async () => (await focusOf(page)).tag).not.toBe('BODY')
  await expectFocusSeen(page)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await expectFocusSeen(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(async () => (await focusOf(page)).tag).not.toBe('BODY')

  await page.keyboard.press('4')
  // The arrows go through the formats, the file is shown as it begins, and Enter downloads it.
  await tabTo(page, page.getByRole('radio', { name: 'Word' }))
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Captions' })).toBeFocused()
  await expectFocusSeen(page)
  await expect(page.getByRole('region', { name: 'The first lines' })).toContainText('-->')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await downloading).suggestedFilename()).toBe('sample.srt')

  // From the choice back to the library; what is deleted there comes back by a key. A field keeps its
  // keys to itself.
  await expect(page.getByRole('radio', { name: 'Captions' })).toBeFocused()
  await page.keyboard.press('u')
  await expect(heading).toBeFocused()
  const more = button(page, 'More for sample.m4a')
  await tabTo(page, more)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await page.keyboard.type('Ren')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(more).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('menuitem', { name: 'Delete', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Deleted')).toBeVisible()
  await expect(more).toHaveCount(0)
  await expect.poll(async () => (await focusOf(page)).tag).not.toBe('BODY')
  await page.keyboard.press('F8')
  await tabTo(page, button(page, 'Undo'))
  await page.keyboard.press('Enter')
  await expect(more).toBeVisible()
  await expect.poll(async () => (await focusOf(page)).tag).not.toBe('BODY')
})
