/** A word that is pressed is the word that sounds, however the file counts its time. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { type Page, expect, test } from '@playwright/test'

import { media, sample, openHome, upload } from './steps.ts'

const said = ['-t', '6.4', '-i', sample]
/** From which loudness on a sample counts as sound. */
const LOUD = 0.02

/** When the first word of the sample begins, in its samples. */
async function firstWord(): Promise<number> {
  const pcm = ['-v', 'error', ...said, '-ac', '1', '-ar', '16000', '-f', 's16le', 'pipe:1']
  const { stdout } = await promisify(execFile)('ffmpeg', pcm, { encoding: 'buffer' })
  const samples = new Int16Array(stdout.buffer, stdout.byteOffset, stdout.length >> 1)
  return samples.findIndex((sample) => Math.abs(sample) > LOUD * 32_768) / 16_000
}

/** Keeps the element that plays, and listens to what it puts out. */
const listening = `
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function () {
    if (!window.heard) {
      const context = new AudioContext()
      const meter = context.createAnalyser()
      meter.fftSize = 512
      const source = context.createMediaElementSource(this)
      source.connect(meter).connect(context.destination)
      const sought = new Promise((done) =>
        this.addEventListener('seeking', () => done(this.currentTime), { once: true }))
      window.heard = { media: this, meter, context, sought }
    }
    void window.heard.context.resume()
    return play.call(this)
  }`

/**
 * Plays from a place on, and answers the element's time at the first sound. At a quarter of the speed,
 * so that what a busy machine looks late at has not gone far.
 */
const firstSound = (page: Page, from: number) =>
  page.evaluate<number>(`(async () => {
    const { media, meter } = window.heard
    media.pause()
    media.playbackRate = 0.25
    media.preservesPitch = false
    media.currentTime = ${from}
    await new Promise((done) => media.addEventListener('seeked', done, { once: true }))
    const samples = new Float32Array(meter.fftSize)
    const isLoud = () => {
      meter.getFloatTimeDomainData(samples)
      return samples.some((sample) => Math.abs(sample) > ${LOUD})
    }
    const until = (is) => new Promise((done) => {
      const timer = setInterval(() => is() && done(clearInterval(timer)), 5)
    })
    // What was played before has not been put out to its end.
    await until(() => !isLoud())
    await media.play()
    await until(() => isLoud() || media.ended)
    return media.ended ? Infinity : media.currentTime
  })()`)

const picture = ['-f', 'lavfi', '-i', 'color=s=160x90:r=5:d=12']
/** Many bits a second, and then few. */
const before = ['-f', 'lavfi', '-i', "aevalsrc='lt(t,5)*(random(0)-.5)':s=44100:d=40"]
const files = [
  {
    name: 'late.mp4',
    begins: 4,
    options: [
      [...picture, '-itsoffset', '4', ...said, '-map', '0:v', '-map', '1:a'],
      ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
    ].flat(),
  },
  {
    name: 'varying.mp3',
    begins: 40,
    options: [
      [...before, ...said, '-filter_complex', '[0][1]concat=n=2:v=0:a=1'],
      ['-q:a', '2', '-write_xing', '0'],
    ].flat(),
  },
]

for (const { name, begins, options } of files)
  test(`a word of ${name} is heard when it is pressed`, async ({ page }) => {
    await page.addInitScript(listening)
    const onset = begins + (await firstWord())
    await openHome(page)
    await upload(page, await media(name, ...options))
    await page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }).click()
    const text = page.getByRole('tabpanel', { name: 'Transcription' })
    await expect(text).toBeVisible({ timeout: 60_000 })

    // The word is pressed, and the player goes to its place.
    await text
      .locator('[data-turn-text]')
      .first()
      .click({ position: { x: 8, y: 10 } })
    await page.waitForFunction('window.heard')
    const place = await page.evaluate<number>('window.heard.sought')
    // That is where the recogniser hears it begin, which may be a little off.
    expect(Math.abs(place - onset)).toBeLessThan(0.3)

    // Before that there is silence, and the sound comes where the word is.
    expect(Math.abs((await firstSound(page, onset - 0.5)) - onset)).toBeLessThan(0.1)
  })
