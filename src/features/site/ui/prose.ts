/**
 * The long texts of the public pages: Markdown files with what is said about them in front. `{hour}`
 * in a text stands for a figure below, so that prices and terms are never written twice.
 */
import { marked } from 'marked'
import { parse } from 'yaml'
import type { z } from 'zod'

import { costOn } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import * as business from '#shared/business.ts'

import { allPlans } from './plan-figures.ts'

export interface Section {
  title: string
  html: string
}

const hour = creditsFor(3600)
const [starter, professional, enterprise] = allPlans.map((plan) => costOn(plan, hour))
const videoMinutes = 12
const withDocument = creditsFor(videoMinutes * 60, { withDocument: true })
const popular = allPlans.find(({ isPopular }) => isPopular)

const figures: Readonly<Record<string, string | number | undefined>> = {
  brand: business.BRAND,
  retentionDays: business.RETENTION_DAYS,
  unconfirmedMinutes: business.UNCONFIRMED_MINUTES,
  replyHours: business.REPLY_HOURS,
  maxUploadMb: business.MAX_UPLOAD_MB,
  maxDurationHours: business.MAX_DURATION_HOURS,
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
  withDocumentOnProfessional: popular && costOn(popular, withDocument),
  videoElsewhere: [0.2, 0.5].map((price) => `$${(price * videoMinutes).toFixed(2)}`).join(' to '),
  quarterHour: creditsFor(15 * 60),
  quarterHourAndASecond: creditsFor(15 * 60 + 1),
}

const filled = (text: string): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = figures[name]
    if (value === undefined) throw new Error(`no figure is called ${name}`)
    return String(value)
  })

/** Figures come last: a line that begins with one must not become a list. */
const htmlOf = (markdown: string): string =>
  filled(marked.parse(markdown, { async: false })).replaceAll('<a ', '<a class="text-link" ')

/** @throws when what stands in front is not what the page needs, or a figure is unknown */
export function readProse<Front>(
  text: string,
  type: z.ZodType<Front>,
): Front & { sections: Section[] } {
  const [, front = '', ...rest] = text.split(/^---$/m)
  const [, ...parts] = rest.join('---').split(/^## (.+)$/m)
  const sections = parts.flatMap((title, index) =>
    index % 2 === 0 ? { title: filled(title), html: htmlOf(parts[index + 1] ?? '') } : [],
  )
  return { ...type.parse(parse(filled(front))), sections }
}

/** "Who may certify a transcript" is found under #who-may-certify-a-transcript. */
export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** July 5, 2025: the same for every reader, because the page is written once. */
export const dateInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
