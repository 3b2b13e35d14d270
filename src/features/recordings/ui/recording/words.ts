/** The words about a recording: its name, its trouble, and the gaps in it. */
import { creditsFor } from '#features/credits/contract.ts'
import { MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { formatCredits, formatLength, formatTime, formatClock } from '#shared/format.ts'

import { BITS_PER_SECOND, type Deafness, type Gap, type Lack, type Running } from './state.ts'

export const lackWords: Record<Lack, string> = {
  insecure:
    'Browsers allow the microphone only over https. Reach this server by https, or upload a recording.',
  'not-supported': 'This browser cannot record. A recording of another app can be uploaded.',
  denied:
    'The browser does not let this page use the microphone. Allow it beside the address of the page, then try again.',
  'no-device': 'No microphone was found. Plug one in, then try again.',
  elsewhere: 'Another tab of this browser has this recording.',
  failed: 'The microphone could not be opened. Another app may be using it.',
}

export interface Trouble {
  /** For a pill, where there is room for two words. */
  short: string
  what: string
  /** What becomes of the recording meanwhile. */
  meanwhile: string
  /** The words on what asks for the microphone once more. */
  act: string
}

const halted = (what: string): Trouble => ({
  short: 'Halted',
  what,
  meanwhile: 'Nothing has been recorded since. What was recorded before is kept.',
  act: 'Go on recording',
})
const silent = (trouble: Omit<Trouble, 'act'>): Trouble => ({
  ...trouble,
  act: 'Ask for it again',
})

const troubles: Record<Deafness, (since: string) => Trouble> = {
  quiet: (since) =>
    silent({
      short: 'No sound',
      what: `Nothing has come from the microphone since ${since}.`,
      meanwhile:
        'Is it switched off or turned down? The recording goes on, and its silence is charged too.',
    }),
  muted: (since) =>
    silent({
      short: 'Silent',
      what: `The microphone has been silent since ${since}: another app has it, or it was muted.`,
      meanwhile:
        'The recording goes on, and its silence is charged too: pause it to save that. It hears again by itself when the microphone is free.',
    }),
  asleep: (since) =>
    halted(
      `The sound of this browser has stood still since ${since}. Some browsers need a loudspeaker or headphones for it.`,
    ),
  gone: (since) => halted(`The microphone was taken away at ${since}.`),
  stopped: (since) => halted(`The browser stopped recording at ${since}.`),
}

export const troubleOf = ({ why, since }: NonNullable<Running['deaf']>): Trouble =>
  troubles[why](formatClock(since))

export function unsavedWords({ since, isFull }: NonNullable<Running['unsaved']>): string {
  const why = isFull
    ? `There has been no space left on this device since ${formatClock(since)}.`
    : `This browser has kept nothing since ${formatClock(since)}.`
  return `${why} The recording goes on in memory alone: a crash would lose it. ${
    isFull ? 'Free some space, or stop and send it.' : 'Stop soon, and send it.'
  }`
}

export const unkeptWords =
  'This browser could not keep all of this recording. What is missing there is on this page alone, and is lost when the page is closed. Use it now. Going on with it and recording again would lose it too.'

export const notThrown =
  'This browser could not delete the recording. It is still kept here. Please try again.'

export const notRead =
  'This browser could not read the recording. It is still kept here. Please try again.'

export const otherWords = (since: Date): string =>
  `Another tab of this browser has been recording too since ${formatClock(since)}. Some browsers give the microphone to one of them only.`

/** Where something is missing: "Silent for 52 s at 3:10: …". */
export function gapWords({ why, placeMs, lengthMs }: Gap): string {
  const place = formatTime(placeMs / 1000)
  const long = formatLength(lengthMs / 1000)
  switch (why) {
    case 'quiet':
      return `Silent for ${long} at ${place}: nothing came from the microphone.`
    case 'muted':
      return `Silent for ${long} at ${place}: another app had the microphone, or it was muted.`
    case 'asleep':
      return `Missing at ${place}: ${long}, while the sound of the browser stood still.`
    case 'gone':
      return `Missing at ${place}: ${long}, while the microphone was gone.`
    case 'stopped':
      return `Missing at ${place}: ${long}, after the browser had stopped recording.`
    case 'left':
      return `Broken off at ${place}, and gone on with later.`
  }
}

/** "12:04 · about 3 credits": the price of what the recorder's own clock has counted. */
export const lengthAndPrice = (seconds: number): string =>
  `${formatTime(seconds)} · about ${formatCredits(creditsFor(seconds))}`

/** From then on the size so far tells the true rate. */
const TELLING_SECONDS = 60

/** "Room for 3 h 38 min more": how long it can go on before the file is as large as a file may be. */
export function roomLeft(bytes: number, seconds: number): string {
  const rate = seconds < TELLING_SECONDS || bytes === 0 ? BITS_PER_SECOND / 8 : bytes / seconds
  const minutes = Math.floor(Math.max(0, MAX_UPLOAD_BYTES - bytes) / rate / 60)
  return minutes === 0
    ? 'Room for less than a minute'
    : `Room for ${formatLength(minutes * 60)} more`
}

/** "Recording of 26 November, 1:46": by when it was begun, in the speaker's own time. */
export function recordingTitle(startedAt: Date): string {
  const month = new Intl.DateTimeFormat('en-US', { month: 'long' }).format(startedAt)
  return `Recording of ${startedAt.getDate()} ${month}, ${formatClock(startedAt)}`
}
