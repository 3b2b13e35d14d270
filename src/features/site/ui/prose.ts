/** The figures of the site's long texts. */
import type { z } from 'zod'

import { costOn } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { oldestBrowsers } from '#shared/browsers.ts'
import * as business from '#shared/business.ts'
import { type Figures, readProse } from '#web/prose.ts'

import { allPlans } from './plan-figures.ts'

const hour = creditsFor(3600)
const [starter, professional, enterprise] = allPlans.map((plan) => costOn(plan, hour))
const videoMinutes = 12
const withDocument = creditsFor(videoMinutes * 60, { withDocument: true })
const popular = allPlans.find(({ isPopular }) => isPopular)

/** How long a recording of so many bits a second fits into an upload. */
export function fits(bitsPerSecond: number): { hours: number; minutes: number } {
  const whole = Math.floor((business.MAX_UPLOAD_MB * 1024 * 1024 * 8) / bitsPerSecond / 60)
  return { hours: Math.floor(whole / 60), minutes: whole % 60 }
}

function fitsInWords(bitsPerSecond: number): string {
  const { hours, minutes } = fits(bitsPerSecond)
  return `${hours} h ${minutes} min`
}

const priceTiers = business.tiers.map(
  ({ upToSeconds, credits }) => `up to ${upToSeconds / 60} min ${credits}`,
)
const [, ...languages] = business.summaryLanguages.map(({ name }) => name)

const figures: Figures = {
  brand: business.BRAND,
  browsers: oldestBrowsers,
  retentionDays: business.RETENTION_DAYS,
  unconfirmedMinutes: business.UNCONFIRMED_MINUTES,
  replyHours: business.REPLY_HOURS,
  maxUploadMb: business.MAX_UPLOAD_MB,
  maxDurationHours: business.MAX_DURATION_HOURS,
  maxBatch: business.MAX_BATCH,
  mostTags: business.MOST_TAGS,
  undeleteMinutes: business.UNDELETE_MINUTES,
  signUpCredits: business.SIGNUP_CREDITS,
  rollover: business.rollover,
  moneyBackDays: business.MONEY_BACK_DAYS,
  /** In a text this is one item of a list. It becomes as many items as there are rules. */
  refundRules: business.refundRules.join('</li><li>'),
  hour,
  halfHour: creditsFor(1800),
  fourHours: hour * 4,
  fiveHours: hour * 5,
  starter,
  professional,
  enterprise,
  videoMinutes,
  video: creditsFor(videoMinutes * 60),
  withDocument,
  document: business.DOCUMENT_CREDITS,
  translation: business.TRANSLATION_CREDITS,
  withDocumentOnProfessional: popular && costOn(popular, withDocument),
  videoElsewhere: [0.2, 0.5].map((price) => `$${(price * videoMinutes).toFixed(2)}`).join(' to '),
  quarterHour: creditsFor(15 * 60),
  quarterHourAndASecond: creditsFor(15 * 60 + 1),
  twentyMinutes: creditsFor(20 * 60),
  threeQuarters: creditsFor(45 * 60),
  priceTiers: priceTiers.join(', ').replace('up', 'Up'),
  batchCredits: business.BATCH_CREDITS,
  batchMinutes: business.BATCH_SECONDS / 60,
  formatCount: business.acceptedExtensions.length,
  formats: business.acceptedExtensions.join(', ').toUpperCase(),
  mp3Fits: fitsInWords(128_000),
  m4aFits: fitsInWords(64_000),
  wavMinutes: fits(1_411_200).minutes + 1,
  summaryLanguageCount: languages.length,
  summaryLanguages: languages.join(', '),
}

export const readSiteProse = <Front>(text: string, type: z.ZodType<Front>) =>
  readProse(text, type, figures)

/** July 5, 2025: the same for every reader, because the page is written once. */
export const dateInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
