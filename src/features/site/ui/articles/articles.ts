/**
 * The articles of the blog. Each is a Markdown file named after its address, with what is said about
 * it in front. `{hour}` in a text stands for a figure below, so that prices are never written twice.
 */
import { marked } from 'marked'
import { parse } from 'yaml'
import { z } from 'zod'

import { costOn } from '#features/billing/ui/plan-words.ts'
import { creditsFor } from '#features/credits/contract.ts'
import { DOCUMENT_CREDITS, RETENTION_DAYS } from '#shared/business.ts'
import { type ArticleSlug, articleSlugs } from '#web/paths.ts'

import { allPlans } from '../plan-figures.ts'
import type { Article } from './article.ts'

const Front = z.strictObject({
  title: z.string(),
  category: z.string(),
  published: z.iso.date(),
  readMinutes: z.int(),
  description: z.string(),
  keywords: z.string(),
  note: z.string().optional(),
  closing: z.string(),
  related: z.tuple([z.enum(articleSlugs), z.enum(articleSlugs)]),
})

const hour = creditsFor(3600)
const [starter, professional, enterprise] = allPlans.map((plan) => costOn(plan, hour))
const videoMinutes = 12
const withDocument = creditsFor(videoMinutes * 60, { withDocument: true })
const popular = allPlans.find(({ isPopular }) => isPopular)

const figures: Readonly<Record<string, string | number | undefined>> = {
  retentionDays: RETENTION_DAYS,
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
  document: DOCUMENT_CREDITS,
  withDocumentOnProfessional: popular && costOn(popular, withDocument),
  videoElsewhere: [0.2, 0.5].map((price) => `$${(price * videoMinutes).toFixed(2)}`).join(' to '),
  quarterHour: creditsFor(15 * 60),
  quarterHourAndASecond: creditsFor(15 * 60 + 1),
}

function figure(name: string): string {
  const value = figures[name]
  if (value === undefined) throw new Error(`no figure is called ${name}`)
  return String(value)
}

function readArticle(slug: ArticleSlug, text: string): Article {
  const [, front = '', ...rest] = text.split(/^---$/m)
  const [, ...parts] = rest.join('---').split(/^## (.+)$/m)
  const sections = parts.flatMap((title, index) =>
    index % 2 === 0 ? { title, html: htmlOf(parts[index + 1] ?? '') } : [],
  )
  return { slug, ...Front.parse(parse(front)), sections }
}

/** Figures come last: a line that begins with one must not become a list. */
function htmlOf(markdown: string): string {
  const html = marked.parse(markdown, { async: false })
  return html.replaceAll(/\{(\w+)\}/g, (_, name: string) => figure(name))
}

const files = import.meta.glob<string>('./*.md', { query: '?raw', import: 'default', eager: true })

/** The newest first. */
export const articles: readonly Article[] = articleSlugs
  .map((slug) => readArticle(slug, files[`./${slug}.md`] ?? ''))
  .toSorted((one, other) => other.published.localeCompare(one.published))

export function articleOf(slug: ArticleSlug): Article {
  const article = articles.find((one) => one.slug === slug)
  if (!article) throw new Error(`no article is called ${slug}`)
  return article
}
