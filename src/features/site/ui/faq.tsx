/** Questions and their answers: all of them on /faq, some on /pricing. Figures come from the constants. */
import type { ReactNode } from 'react'

import { creditsFor } from '#features/credits/contract.ts'
import {
  acceptedExtensions,
  BATCH_CREDITS,
  BATCH_SECONDS,
  DOCUMENT_CREDITS,
  MAX_UPLOAD_MB,
  MONEY_BACK_DAYS,
  RETENTION_DAYS,
  rollover,
  SIGNUP_CREDITS,
  summaryLanguages,
  tiers,
} from '#shared/business.ts'
import { paths } from '#web/paths.ts'

export interface Question {
  /** Its place in the address: /faq#roll-over. */
  id: string
  question: string
  answer: ReactNode
}

const MINUTE = 60
const minutes = (count: number) => creditsFor(count * MINUTE)
const formats = acceptedExtensions.map((extension) => extension.toUpperCase()).join(', ')

/** How long a recording of so many bits a second fits into an upload. */
export function fits(bitsPerSecond: number): { hours: number; minutes: number } {
  const whole = Math.floor((MAX_UPLOAD_MB * 1024 * 1024 * 8) / bitsPerSecond / MINUTE)
  return { hours: Math.floor(whole / MINUTE), minutes: whole % MINUTE }
}

function fitsInWords(bitsPerSecond: number): string {
  const { hours, minutes: rest } = fits(bitsPerSecond)
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`
}

const link = (href: string, text: string) => (
  <a href={href} className="text-link">
    {text}
  </a>
)

export const questions: readonly Question[] = [
  {
    id: 'one-upload',
    question: 'What do I get from one upload?',
    answer:
      'The full text with its length, word count and language, an AI summary with key points and topics, and who spoke when on a timeline you can play. On Professional and Enterprise a document too, if you ask for one when you upload.',
  },
  {
    id: 'price',
    question: 'How many credits does a file cost?',
    answer: `${tiers.map(({ upToSeconds, credits }, index) => `${index === 0 ? 'Up' : 'up'} to ${upToSeconds / MINUTE} min ${credits}`).join(', ')}. Longer files cost ${BATCH_CREDITS} per full ${BATCH_SECONDS / MINUTE} minutes plus the tier of the rest: 20 min is ${minutes(20)}, 45 min is ${minutes(45)}, an hour is ${minutes(60)}. A document adds ${DOCUMENT_CREDITS}. You see the price before anything is charged. For comparison: transcription in general costs about $0.20–0.50 per minute.`,
  },
  {
    id: 'free',
    question: 'Is it really free to start?',
    answer: `Yes: ${SIGNUP_CREDITS} credits once your email is verified, no credit card, no end date. That is enough for about half an hour in one file, or for ${SIGNUP_CREDITS} short ones.`,
  },
  {
    id: 'roll-over',
    question: 'Do credits roll over?',
    answer: `Yes. ${rollover} They do not expire.`,
  },
  {
    id: 'formats',
    question: 'Which files can I upload?',
    answer: `${acceptedExtensions.length} formats, up to ${MAX_UPLOAD_MB}MB: ${formats}. MP3, WAV and M4A work best. MP4 may have limited compatibility: we read its first audio track; a protected or silent file cannot be read.`,
  },
  {
    id: 'how-long',
    question: `How long a recording fits in ${MAX_UPLOAD_MB}MB?`,
    answer: `An MP3 at 128 kbit/s: about ${fitsInWords(128_000)}. A phone’s M4A at 64 kbit/s: about ${fitsInWords(64_000)}. An uncompressed stereo WAV in CD quality: under ${fits(1_411_200).minutes + 1} minutes, so save it as MP3 or M4A first.`,
  },
  {
    id: 'accuracy',
    question: 'How accurate is it?',
    answer:
      'Our target is 99%+ on clear audio in one language. How near you come depends on the speech engine this server runs and on the recording: noise, crosstalk and distance from the microphone lower it. Words the engine doubts are underlined, so you know where to look first; where they are many, a line above the text and in the exports says how many.',
  },
  {
    id: 'languages',
    question: 'Which languages?',
    answer: `Spoken: that depends on the speech engine this server runs. The one that comes with the product knows English; with a multilingual model, or with a transcription service behind it, many more. One language per recording works best. Summaries: ${summaryLanguages.length - 1} languages (${summaryLanguages
      .slice(1)
      .map(({ name }) => name)
      .join(
        ', ',
      )}), or the language that was spoken. Another language than the spoken one needs a language model on the server.`,
  },
  {
    id: 'speakers',
    question: 'Can it tell speakers apart?',
    answer:
      'Yes, as Speaker A, B, C and so on; you rename them once and they are named everywhere. Our target is over 95% on clear turns. Voices that overlap and rooms with one distant microphone are the weak spot.',
  },
  {
    id: 'turnaround',
    question: 'How long does it take?',
    answer:
      'Our target is under 24 hours. The processing card gives an estimate as soon as it has a real one. You can close the page; the result waits for you.',
  },
  {
    id: 'video-links',
    question: 'Can I paste a video link?',
    answer: 'Not yet. Upload the file itself, if you have the right to.',
  },
  {
    id: 'my-files',
    question: 'What happens to my files?',
    answer: (
      <>
        Recordings, and all audio made from them, are deleted {RETENTION_DAYS} days after the
        upload, sooner if you delete them; the date is on every result. The text stays until you
        delete it. With its own engine the server processes everything itself and sends nothing on.
        What its operator may have connected instead is described in our{' '}
        {link(paths.privacy, 'privacy policy')}.
      </>
    ),
  },
  {
    id: 'failure',
    question: 'What if processing fails?',
    answer:
      'You see why, and the credits come back by themselves. A recording in which nobody speaks costs nothing either. A document that fails gives back its own credit; the transcription stands.',
  },
  {
    id: 'refund',
    question: 'Can I cancel or get a refund?',
    answer: (
      <>
        Cancel any time: the plan runs to the end of the month you have paid for, and your balance
        stays. Within {MONEY_BACK_DAYS} days of a payment you can have it back:{' '}
        {link(`${paths.contact}?type=billing`, 'write to us')}. A payment that is given back takes
        its own unspent credits along.
      </>
    ),
  },
  {
    id: 'api',
    question: 'Is there an API?',
    answer: (
      <>
        Yes. Long-lived API keys are part of Enterprise; a sign-in token works on every plan, within
        its limit. See the {link(paths.api, 'documentation')}.
      </>
    ),
  },
]

/** Those that belong beside the prices. */
export const priceQuestions = questions.filter(({ id }) =>
  ['price', 'free', 'roll-over', 'refund', 'api'].includes(id),
)
