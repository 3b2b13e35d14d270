import { type Page, expect, test } from '@playwright/test'

import { patternOf } from '../src/shared/hits.ts'
import { isLong } from '../test/long.ts'
import {
  chooseFile,
  drawn,
  expectAccessible,
  expectEachAccessible,
  expectStill,
  media,
  openHome,
  sample,
  signIn,
  toast,
  watch,
} from './steps.ts'

const hum = ['-f', 'lavfi', '-i', 'sine=frequency=300:r=8000', '-t', '4']

test.use({ permissions: ['microphone'] })

/** Lays open what the page was given to record with, so that a journey can take it away. */
const layOpen = `(() => {
  const { mediaDevices } = navigator
  const ask = mediaDevices.getUserMedia.bind(mediaDevices)
  const laidOpen = { tracks: [], recorders: [] }
  Object.assign(globalThis, { laidOpen })
  mediaDevices.getUserMedia = async (wish) => {
    const stream = await ask(wish)
    laidOpen.tracks.push(stream.getAudioTracks()[0])
    return stream
  }
  globalThis.MediaRecorder = class extends MediaRecorder {
    constructor(...all) {
      super(...all)
      laidOpen.recorders.push(this)
    }
  }
})()`
const microphone = (page: Page, does: string) =>
  page.evaluate(`(() => {
    const track = laidOpen.tracks.at(-1)
    const recorder = laidOpen.recorders.at(-1)
    ${does}
  })()`)

async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(state(page)).toHaveText('Recording')
}
const panel = (page: Page) => page.getByRole('region', { name: 'Record with the microphone' })
const state = (page: Page) => panel(page).getByRole('status')
const said = (page: Page) => panel(page).getByRole('alert')
const press = (page: Page, name: string) => panel(page).getByRole('button', { name }).click()
const pill = (page: Page) => page.getByRole('link', { name: /Back to the recording$/ })
async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place }).click()
const question = (page: Page) => page.getByRole('alertdialog')

/** These words with the time of the day in the place of CLOCK: "9:04", "14:30". */
const sentence = (words: string) =>
  new RegExp(patternOf(words).replace('CLOCK', String.raw`(\d|1\d|2[0-3]):[0-5]\d(?!\d)`))

/** Waits until the clock of the recording shows this number of seconds. */
const recorded = (page: Page, seconds: number) =>
  expect
    .poll(async () =>
      clockIn(
        await panel(page)
          .getByText(/^\d+:\d\d$/)
          .textContent(),
      ),
    )
    .toBeGreaterThanOrEqual(seconds)
function clockIn(text: string | null): number {
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(text ?? '') ?? []
  return Number(minutes) * 60 + Number(seconds)
}

const NAME = /Recording of \d+ \w+, \d?\d:\d\d/

const bill = (page: Page) => page.getByRole('region', { name: '1 file chosen' })
const left = (page: Page) => page.getByRole('region', { name: 'Recording left behind' })

/** Stops, and expects the bill at once, and the server to find the recording as long as it says. */
async function stopWhole(page: Page): Promise<void> {
  await press(page, 'Stop')
  await arrivesWhole(page)
}

async function arrivesWhole(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: '1 file chosen' })).toBeFocused()
  await expect(bill(page)).toContainText(NAME)
  const seconds = clockIn(
    await bill(page)
      .getByText(/^\d+:\d\d$/)
      .first()
      .textContent(),
  )
  const rows = async () =>
    (await (await page.request.get('/api/transcriptions?status=open')).json()) as {
      duration: number
    }[]
  await expect.poll(async () => (await rows()).length).toBe(1)
  expect(Math.abs((await rows())[0]!.duration - seconds)).toBeLessThanOrEqual(1)
}

test('a recording from the microphone survives the page, is gone on with, and arrives whole', async ({
  page,
}) => {
  await page.addInitScript(watch)
  await openHome(page)
  await start(page)
  await expect(page.getByText('Make sure everyone knows they are being recorded.')).toBeVisible()
  await press(page, 'Pause')
  await expect(state(page)).toHaveText('Paused')
  await expectEachAccessible(page)
  await press(page, 'Resume')
  // Waits until the first piece is stored in the browser. Then the page is closed.
  await recorded(page, 6)
  const asked = page.waitForEvent('dialog')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  expect((await asked).type()).toBe('beforeunload')

  await expect(left(page)).toContainText(NAME)
  await expect(left(page)).toContainText(/0:0\d · about 1 credit/)
  // It is there with the page, and pushes nothing.
  await drawn(page)
  await expectStill(page)
  await expectEachAccessible(page)
  await left(page).getByRole('button', { name: 'Go on recording' }).click()
  await expect(panel(page)).toContainText(/Broken off at 0:0\d, and gone on with later\./)
  await recorded(page, 9)
  await stopWhole(page)
  await expectEachAccessible(page)

  // While it waits for its price to be confirmed it lies here too, and is offered once it does not.
  await page.reload()
  await expect(page.getByRole('link', { name: /^Confirm Recording of/ })).toBeVisible()
  await expect(left(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^Cancel Recording of/ }).click()
  await left(page).getByRole('button', { name: 'Use it' }).click()
  await bill(page).getByRole('button', { name: 'Confirm 1 credit' }).click()
  await expect(toast(page, '1 credit deducted. 9 credits remaining.')).toBeVisible()

  // The server keeps the recording, so the browser does not.
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
  await expect(left(page)).toHaveCount(0)
})

test('the buttons of a recording stay where they are when it does not hear', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript(layOpen)
  await openHome(page)
  await start(page)
  const stop = panel(page).getByRole('button', { name: 'Stop' })
  const before = await stop.boundingBox()
  await microphone(page, `track.dispatchEvent(new Event('mute'))`)
  await expect(said(page)).toContainText('The microphone has been silent')
  expect(await stop.boundingBox()).toEqual(before)
})

if (isLong)
  test('a recording says at once that it does not hear, and goes on in the same file', async ({
    page,
  }) => {
    await page.addInitScript(layOpen)
    await openHome(page)
    await start(page)

    // A call takes the microphone, and gives it back.
    await microphone(page, `track.dispatchEvent(new Event('mute'))`)
    await expect(said(page)).toContainText(
      sentence('The microphone has been silent since CLOCK: another'),
    )
    await expect(state(page)).toHaveText('Silent')
    await expectEachAccessible(page)
    await recorded(page, 3)
    await microphone(page, `track.dispatchEvent(new Event('unmute'))`)
    await expect(state(page)).toHaveText('Recording')
    await expect(said(page)).toHaveCount(0)
    await expect(panel(page)).toContainText(/Silent for \d s at 0:0\d: another app/)

    // Unplugged; nothing is recorded until there is another.
    await microphone(page, `track.stop(); track.dispatchEvent(new Event('ended'))`)
    await expect(said(page)).toContainText(sentence('The microphone was taken away at CLOCK.'))
    await expect(state(page)).toHaveText('Halted')
    await press(page, 'Go on recording')
    await expect(state(page)).toHaveText('Recording')

    // The browser stops recording, which ends the file. What comes then is another, and joined to it.
    await microphone(page, `recorder.stop()`)
    await expect(said(page)).toContainText(sentence('The browser stopped recording at CLOCK.'))
    await press(page, 'Go on recording')
    await expect(state(page)).toHaveText('Recording')

    // Nothing fires, and only zeros come.
    await microphone(page, `track.enabled = false`)
    await expect(said(page)).toContainText(
      sentence('Nothing has come from the microphone since CLOCK.'),
    )
    await microphone(page, `track.enabled = true`)
    await expect(said(page)).toHaveCount(0)

    // The device is full: it is told, and what is recorded is all there.
    await page.evaluate(`IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }`)
    await expect(said(page)).toContainText(/There has been no space left on this device since/)
    await press(page, 'Stop')
    await press(page, 'Use this recording')
    await arrivesWhole(page)
  })

if (isLong)
  test('a recording whose sound never begins, and which no event tells of, is said to be halted', async ({
    page,
  }) => {
    // As Firefox has it where nothing can play a sound.
    await page.addInitScript(`globalThis.AudioContext = class extends AudioContext {
    get state() { return globalThis.hasOutput ? super.state : 'suspended' }
    get currentTime() { return globalThis.hasOutput ? super.currentTime : 0 }
    addEventListener() {}
    resume() { return new Promise(() => undefined) }
    close() { return new Promise(() => undefined) }
  }`)
    await openHome(page)
    await start(page)
    await expect(said(page)).toContainText(
      sentence('The sound of this browser has stood still since CLOCK'),
    )
    await expect(state(page)).toHaveText('Halted')
    await expect(panel(page)).toContainText('0:00')

    await page.evaluate(`globalThis.hasOutput = true`)
    await expect(state(page)).toHaveText('Recording')
    await recorded(page, 2)
    await stopWhole(page)
  })

if (isLong)
  test('a recording begins with one press, wherever somebody is and whatever waits or is sent', async ({
    page,
  }) => {
    await page.route('**/api/uploads', () => undefined)
    await openHome(page)
    const throwAway = async () => {
      await press(page, 'Throw away')
      await question(page).getByRole('button', { name: 'Throw away' }).click()
      await expect(panel(page)).toHaveCount(0)
    }
    await goTo(page, 'Library')
    await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible()
    await goTo(page, 'Record')
    await expect(state(page)).toHaveText('Recording')
    await expect(page).toHaveURL('/dashboard')
    await throwAway()

    await page.keyboard.press('Shift+r')
    await expect(state(page)).toHaveText('Recording')
    await throwAway()

    // A file that was chosen is there again afterwards, and one that is sent is sent on.
    await chooseFile(page, sample)
    await goTo(page, 'Record')
    await expect(state(page)).toHaveText('Recording')
    await throwAway()
    await page.getByRole('button', { name: 'Start Transcription' }).click()
    await goTo(page, 'Record')
    await expect(state(page)).toHaveText('Recording')
    await throwAway()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Remove' }).click()

    // Of several files the bill stays in view.
    await page.locator('input[type=file]').setInputFiles([sample, await media('hum.wav', ...hum)])
    const bill = page.getByRole('region', { name: '2 files chosen' })
    await goTo(page, 'Record')
    await expect(state(page)).toHaveText('Recording')
    await expect(bill).toBeVisible()
    await throwAway()

    // Speech that is heard begins with a press here: an address alone only opens the recorder.
    await page.goto('/dashboard?record=1')
    await expect(panel(page).getByRole('button', { name: 'Start recording' })).toBeVisible()
    await expect(page).toHaveURL('/dashboard')

    // On a phone the places are at its bottom, but not in the recorder.
    await page.setViewportSize({ width: 390, height: 844 })
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar).toHaveCount(0)
    await panel(page).getByRole('button', { name: 'Upload a file instead' }).click()
    await expect(bar.getByRole('link')).toHaveText(['Library', 'New', 'Record', 'Ask'])
    await expect(bar.getByRole('link', { name: 'New' })).toHaveAttribute('aria-current', 'page')
    // At the end of the page the bar covers nothing; elsewhere what it halves can be scrolled to.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await expectAccessible(page)
    await goTo(page, 'Record')
    await expect(state(page)).toHaveText('Recording')
    await expect(bar).toHaveCount(0)
    await choose(page, 'Account')
    await expect(bar.getByRole('link', { name: /^Recording 0:\d\d/ })).toBeInViewport()
    await goTo(page, 'Library')
    await page.getByRole('button', { name: 'Open the sample (free)' }).click()
    await expect(page.getByRole('heading', { name: 'sample.m4a', level: 1 })).toBeVisible()
    await expect(bar).toHaveCount(0)
    await expect(pill(page)).toBeInViewport()
  })

if (isLong)
  test('a recording goes on while the app is used, and nothing throws it away unasked', async ({
    page,
    context,
  }) => {
    await page.addInitScript(layOpen)
    // This browser has nothing to keep the screen on with.
    await page.addInitScript(`delete Navigator.prototype.wakeLock`)
    const { email } = await openHome(page)
    await start(page)
    await expect(panel(page)).toContainText('Keep the screen on')
    await expect(pill(page)).toHaveCount(0)
    await goTo(page, 'Library')
    await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible()
    await expect(pill(page)).toHaveAccessibleName(/^Recording \d:\d\d Back to the recording$/)
    await expectAccessible(page)
    await microphone(page, `track.dispatchEvent(new Event('mute'))`)
    await expect(pill(page)).toHaveAccessibleName(/^Silent /)
    await expectEachAccessible(page)
    await microphone(page, `track.dispatchEvent(new Event('unmute'))`)

    await choose(page, 'Log out')
    await expect(question(page)).toContainText('You are still recording.')
    await expectEachAccessible(page)
    await question(page).getByRole('button', { name: 'Go on recording' }).click()
    await page.keyboard.press('Escape')

    // Another tab does not take it for one that was left behind, and is named as soon as it records too.
    const other = await context.newPage()
    await other.goto('/home')
    await start(other)
    await expect(other.getByRole('region', { name: 'Recording left behind' })).toHaveCount(0)
    await expect(said(other)).toContainText('Another tab of this browser has been recording too')
    await pill(page).click()
    await expect(said(page)).toContainText('Another tab of this browser has been recording too')
    // A page that ends leaves its recording behind as soon as it is some seconds long.
    await press(other, 'Throw away')
    await question(other).getByRole('button', { name: 'Throw away' }).click()
    await expect(panel(other)).toHaveCount(0)
    await other.close({ runBeforeUnload: false })
    await expect(said(page)).toHaveCount(0)

    await press(page, 'Throw away')
    await expect(question(page)).toContainText('Throw this recording away?')
    await question(page).getByRole('button', { name: 'Keep it' }).click()
    await recorded(page, 2)
    await stopWhole(page)
    // Taken out of the bill, it is still here.
    await bill(page)
      .getByRole('button', { name: /^Remove Recording/ })
      .click()
    await expect(left(page).getByRole('listitem')).toContainText([NAME])
    await left(page).getByRole('button', { name: 'Throw away' }).click()
    await question(page).getByRole('button', { name: 'Throw away' }).click()
    await expect(left(page)).toHaveCount(0)

    // Who logs out all the same finds it when they are back.
    await start(page)
    await recorded(page, 1)
    await choose(page, 'Log out')
    await question(page).getByRole('button', { name: 'Stop and log out' }).click()
    await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
    await page.goto('/auth')
    await signIn(page, email)
    await expect(left(page).getByRole('listitem')).toContainText([NAME])

    // Of two tabs that show it, one takes it.
    const second = await context.newPage()
    await second.goto('/home')
    const shown = second.getByRole('region', { name: 'Recording left behind' })
    await expect(shown.getByRole('listitem')).toContainText([NAME])
    await left(page).getByRole('button', { name: 'Use it' }).click()
    await expect(bill(page)).toContainText(NAME)
    await shown.getByRole('button', { name: 'Use it' }).click()
    await expect(shown.getByRole('alert')).toHaveText(
      'Another tab of this browser has this recording.',
    )
  })

if (isLong)
  test('a recording that the browser cannot keep is used or thrown away, and not lost unasked', async ({
    page,
  }) => {
    await page.addInitScript(`IDBFactory.prototype.open = () => {
    throw new DOMException('no', 'InvalidStateError')
  }`)
    await openHome(page)
    await start(page)
    await expect(said(page)).toContainText('This browser has kept nothing since')
    await press(page, 'Throw away')
    await question(page).getByRole('button', { name: 'Throw away' }).click()
    await expect(panel(page)).toHaveCount(0)

    await start(page)
    await recorded(page, 1)
    await choose(page, 'Log out')
    await question(page).getByRole('button', { name: 'Stop and log out' }).click()
    await expect(question(page)).toContainText('This recording is not kept.')
    await expectEachAccessible(page)
    await question(page).getByRole('button', { name: 'Stay signed in' }).click()
    await page.keyboard.press('Escape')
    await expect(said(page)).toContainText('This browser could not keep all of this recording.')
    await expect(panel(page).getByRole('button', { name: 'Go on recording' })).toHaveCount(0)
    await expect(panel(page).getByRole('button', { name: 'Record again' })).toHaveCount(0)
    await press(page, 'Use this recording')
    await expect(bill(page)).toContainText(NAME)
    // It is on this page alone until the server has it.
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const leaving = await asked
    expect(leaving.type()).toBe('beforeunload')
    await leaving.dismiss()
  })

test('what lacks for recording is named: a permission, or https, and not the browser', async ({
  page,
}) => {
  await openHome(page)
  await page.evaluate(`navigator.mediaDevices.getUserMedia = () =>
    Promise.reject(new DOMException('no', 'NotAllowedError'))`)
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(said(page)).toContainText('The browser does not let this page use the microphone.')
  await press(page, 'Upload a file instead')
  await expect(panel(page)).toHaveCount(0)

  await page.addInitScript(`Object.defineProperty(window, 'isSecureContext', { value: false })`)
  await page.reload()
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(said(page)).toHaveText(/^Browsers allow the microphone only over https\. Reach this/)
  await expect(panel(page).getByRole('button', { name: 'Start recording' })).toHaveCount(0)
})
