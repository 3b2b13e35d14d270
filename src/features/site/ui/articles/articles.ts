/** The articles of the blog: Markdown files, each named after its address. */
import { z } from 'zod'

import { type ArticleSlug, articleSlugs } from '#web/paths.ts'
import type { Section } from '#web/prose.ts'

import { readSiteProse } from '../prose.ts'

const Front = z.strictObject({
  title: z.string(),
  category: z.string(),
  published: z.iso.date(),
  readMinutes: z.int(),
  /** Also the excerpt on /blog. */
  description: z.string(),
  keywords: z.string(),
  /** Stands boxed before everything else. */
  note: z.string().optional(),
  /** The words of the last panel beside "Start Free Trial". */
  closing: z.string(),
  related: z.tuple([z.enum(articleSlugs), z.enum(articleSlugs)]),
})

export type Article = z.output<typeof Front> & { slug: ArticleSlug; sections: Section[] }

const files = import.meta.glob<string>('./*.md', { query: '?raw', import: 'default', eager: true })

/** The newest first. */
export const articles: readonly Article[] = articleSlugs
  .map((slug) => ({ slug, ...readSiteProse(files[`./${slug}.md`] ?? '', Front) }))
  .toSorted((one, other) => other.published.localeCompare(one.published))

export function articleOf(slug: ArticleSlug): Article {
  const article = articles.find((one) => one.slug === slug)
  if (!article) throw new Error(`no article is called ${slug}`)
  return article
}

const wordsOfSection = ({ title, html }: Section): number =>
  (`${title} ${html.replaceAll(/<[^>]+>/g, ' ')}`.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length

export const wordsOf = ({ sections }: Article): number =>
  sections.reduce((sum, section) => sum + wordsOfSection(section), 0)

const STEP_SECONDS = 10

/** When a reader who takes the stated time reaches each section, in seconds, to the nearest ten. */
export function readingTimes(article: Article): number[] {
  const total = wordsOf(article)
  let before = 0
  return article.sections.map((section) => {
    const seconds = (before / total) * article.readMinutes * 60
    before += wordsOfSection(section)
    return Math.round(seconds / STEP_SECONDS) * STEP_SECONDS
  })
}
