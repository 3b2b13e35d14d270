/**
 * The constants of the business: read by the server, every page and the tests, so that a price or
 * a limit is said in one way only. Settings of one server (ports, keys) live in server/config.ts.
 */

import type { Capability } from './capabilities.ts'

export const BRAND = 'Quoth'
export const TAGLINE = 'Who said what, word for word.'

/**
 * How often one network address may do something in an hour, unless the operator says otherwise: an
 * office or a school is one address.
 */
export const PER_HOUR = { signUps: 5, mails: 20, messages: 10, badTokens: 300, trips: 300 }
export type PerHour = typeof PER_HOUR

/** Granted once per person, when the e-mail address is verified. */
export const SIGNUP_CREDITS = 10

/** Days after the upload until the recording and all audio made from it are deleted. */
export const RETENTION_DAYS = 30

/** The spec's "MB" are mebibytes: 104,857,600 bytes are accepted, one more is not. */
export const MAX_UPLOAD_MB = 100
export const MAX_UPLOAD_BYTES = MAX_UPLOAD_MB * 1024 * 1024
export const MAX_DURATION_HOURS = 12
/** More channels or tracks of sound than this are no people at a table: they are heard as one sound. */
export const MOST_SIDES = 8

/**
 * Longer recordings have places of their own, so that nobody with a short one waits for their end. With
 * the model of the set-up two cores need a minute for one, with the recogniser of the distribution ten.
 */
export const LONG_MINUTES = 20

/**
 * How many files may be chosen and confirmed in one go, and how many uploads of a user may wait to
 * be confirmed. They may cost more than the user's credits: more can be bought before confirming.
 */
export const MAX_BATCH = 20

/** An upload that is never confirmed is removed after this long. */
export const UNCONFIRMED_MINUTES = 60

/**
 * A running job can be read before it is paid for, and costs nothing when it is cancelled. This is
 * how much of such text a user can read in a week, in credits that it would have cost: twice the
 * credits of a new account, or an hour of sound.
 */
export const MOST_UNPAID_CREDITS = 20

/** How long the text that a job had read before it broke on our side can be read. */
export const FAILED_TEXT_HOURS = 24

/** How long a deleted transcription can be brought back. Then it is gone with all made of it. */
export const UNDELETE_MINUTES = 5

/** Tags of an account, characters of one, and how many transcriptions are tagged or deleted at once. */
export const MOST_TAGS = 50
export const LONGEST_TAG = 30
export const MOST_CHOSEN = 500

/** Chapters of a transcription, and characters of the name of one. */
export const MOST_CHAPTERS = 100
export const LONGEST_CHAPTER = 100
/** Seconds. Chapters that begin closer to each other cannot be told apart in a player. */
export const CHAPTERS_APART = 5
/** Seconds. Shorter recordings have chapters only if somebody makes them. */
export const CHAPTERS_FROM = 600

/** Characters of a question to a recording or to the library. */
export const LONGEST_QUESTION = 500

/** Action items of a transcription: their number, and the lengths of their texts and names. */
export const MOST_ACTIONS = 200
export const LONGEST_ACTION = 300
/** Letters of a summary that its owner writes, and of one of its key points, and how many of those. */
export const LONGEST_SUMMARY = 10_000
export const LONGEST_POINT = 500
export const MOST_POINTS = 50
export const LONGEST_WHO = 80

/**
 * Types of documents of one's own: how many an account has, how long their names and instructions are,
 * and how often one may be tried on the sample in a day. A trial costs a model's work and nothing else.
 */
export const MOST_TEMPLATES = 20
export const LONGEST_TEMPLATE_NAME = 60
export const LONGEST_INSTRUCTIONS = 2_000
export const TRIALS_A_DAY = 10

/** How long the parts of a file are kept that were not all sent. */
export const UNFINISHED_HOURS = 24

/** How long an operator can bring back a file that was deleted because its time was over. */
export const BIN_HOURS = 24

/** How many files a user may send at once. */
export const MAX_UPLOADS_AT_ONCE = 10

/** Price of a recording: the tier of the rest after full batches of 15 minutes. */
export const tiers = [
  { upToSeconds: 120, credits: 1 },
  { upToSeconds: 420, credits: 2 },
  { upToSeconds: 900, credits: 3 },
] as const
export const BATCH_SECONDS = 900
export const BATCH_CREDITS = 5
export const DOCUMENT_CREDITS = 1
/** A language of a transcription, its captions included. */
export const TRANSLATION_CREDITS = 1
/** How often in a day the changed parts of a text are translated again, for nothing. */
export const RETRANSLATIONS_A_DAY = 20
/** How often in a day the summary of a recording is written again, for nothing. */
export const REWRITES_A_DAY = 5

/** The extensions the product accepts, without the dot. Client and server share this list. */
export const acceptedExtensions = [
  'flac',
  'm4a',
  'mp3',
  'mp4',
  'mpeg',
  'mpga',
  'oga',
  'ogg',
  'opus',
  'wav',
  'webm',
  'mov',
  'avi',
] as const

export const uploadHint = 'Supports: MP3, WAV, MP4, MOV, AVI, and more • Max 100MB'
export const unsupportedFormat =
  'File format not supported. Please use: FLAC, M4A, MP3, MP4, MPEG, OGG, OPUS, WAV, or WebM.'
export const tooLarge =
  'File size must be less than 100MB. Large files are automatically processed in chunks for optimal performance.'

export type PlanId = 'starter' | 'professional' | 'enterprise'

/** Every plan is paid for by the month. Dearer plans have all that a cheaper one has. */
export const plans = [
  {
    id: 'starter',
    name: 'Starter',
    priceCents: 999,
    credits: 50,
    isPopular: false,
    description: 'For a few recordings a month.',
    features: [
      { text: 'Transcript, summary, speakers and exports' },
      { text: 'Summaries in 12 languages', where: 'summaryLanguages' },
      { text: 'Unused credits stay in your balance' },
    ],
  },
  {
    id: 'professional',
    name: 'Professional',
    priceCents: 1999,
    credits: 150,
    isPopular: true,
    description: 'For recordings every week, and documents made from them.',
    features: [
      { text: 'Everything in Starter' },
      { text: 'Generated documents, 1 credit each', where: 'documentsByModel' },
      {
        text: 'Documents put together from sentences of the transcript, 1 credit each',
        whereNot: 'documentsByModel',
      },
      { text: 'Documents to Google Docs', where: 'googleDocs' },
    ],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    priceCents: 4999,
    credits: 500,
    isPopular: false,
    description: 'For teams, and for programs that use the API.',
    features: [
      { text: 'Everything in Professional' },
      { text: 'API access and long-lived keys' },
      { text: 'Custom integrations, dedicated support' },
    ],
  },
] as const satisfies readonly Plan[]

export interface Plan {
  id: PlanId
  name: string
  /** A month's price in the smallest unit of CURRENCY. */
  priceCents: number
  credits: number
  isPopular: boolean
  description: string
  features: readonly PlanFeature[]
}

/** Shown only on servers with the capability `where`, and not on those with `whereNot`. */
export interface PlanFeature {
  text: string
  where?: Capability
  whereNot?: Capability
}

/** Calls an hour of all keys and sign-in tokens of an account together; the web app's do not count. */
export const callsPerHour = {
  starter: 100,
  professional: 500,
  enterprise: 2000,
} as const satisfies Record<PlanId, number>

/** The most credits that an operator can give or take at once. */
export const ADJUST_MOST = 1_000
/** The most that an operator can set for one account. */
export const MOST_TO_SET = { callsPerHour: 10_000, unconfirmedUploads: 200 } as const

export const CURRENCY = 'usd'
export const planOf = (id: PlanId): Plan => plans.find((plan) => plan.id === id) ?? plans[0]

export const rollover = 'Credits roll over: unused credits stay in your balance.'

/** Days after a payment in which it is given back on request. */
export const MONEY_BACK_DAYS = 30

/** The discount for a year at once. It is arranged in writing, because the checkout is monthly. */
export const YEARLY_DISCOUNT_PERCENT = 20

/** Promised on every page that invites to write. */
export const REPLY_HOURS = 24

/** The rules for money and credits when somebody changes their mind; shown where it matters. */
export const refundRules = [
  `Within ${MONEY_BACK_DAYS} days of a payment you can have it back: write to us under Contact, Billing.`,
  'A payment that is given back takes its own credits along, at most what you can still spend. What is held for running jobs, and what you had before, stays.',
  'Cancelling ends the plan at the end of the month you have paid for. Until then it stays as it is, and your credits stay after it.',
  'A file that fails costs nothing: its credits come back by themselves.',
] as const

/** An account with fewer credits is told so, unless it chose another number. */
export const LOW_CREDITS = 5

/** Languages a summary can be asked for in; `auto` is the language that was spoken. */
export const summaryLanguages = [
  { code: 'auto', name: 'Default', nativeName: 'auto-detect' },
  { code: 'en', name: 'English', nativeName: 'English' },
  { code: 'es', name: 'Spanish', nativeName: 'Español' },
  { code: 'fr', name: 'French', nativeName: 'Français' },
  { code: 'de', name: 'German', nativeName: 'Deutsch' },
  { code: 'it', name: 'Italian', nativeName: 'Italiano' },
  { code: 'pt', name: 'Portuguese', nativeName: 'Português' },
  { code: 'zh', name: 'Chinese', nativeName: '中文' },
  { code: 'ja', name: 'Japanese', nativeName: '日本語' },
  { code: 'ko', name: 'Korean', nativeName: '한국어' },
  { code: 'ar', name: 'Arabic', nativeName: 'العربية' },
  { code: 'ru', name: 'Russian', nativeName: 'Русский' },
  { code: 'nl', name: 'Dutch', nativeName: 'Nederlands' },
] as const

export const summaryLanguageCodes = summaryLanguages.map((language) => language.code)
export type SummaryLanguage = (typeof summaryLanguages)[number]['code']
export const DEFAULT_SUMMARY_LANGUAGE: SummaryLanguage = 'en'

/** Names and terms that one recording may come with, and how many letters each may have. */
export const MOST_TERMS = 100
export const LONGEST_TERM = 60

/** The size of a vocabulary: terms, other spellings of each, and fixed replacements. */
export const MOST_VOCABULARY_TERMS = 500
export const MOST_HEARD_AS = 10
export const MOST_REPLACEMENTS = 500
/** The most letters of a text to find, and of the text that replaces it. */
export const MOST_FIND_CHARACTERS = 200
