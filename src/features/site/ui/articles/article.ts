import type { ArticleSlug } from '#web/paths.ts'

export interface Section {
  title: string
  html: string
}

export interface Article {
  slug: ArticleSlug
  title: string
  category: string
  /** Year, month, day. */
  published: string
  readMinutes: number
  /** Also the excerpt on /blog. */
  description: string
  keywords: string
  /** Stands boxed before everything else. */
  note?: string
  sections: readonly Section[]
  /** What the last panel says beside "Start Free Trial". */
  closing: string
  related: readonly [ArticleSlug, ArticleSlug]
}

export const wordsIn = (text: string): number => (text.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length

const wordsOfSection = ({ title, html }: Section): number =>
  wordsIn(`${title} ${html.replaceAll(/<[^>]+>/g, ' ')}`)

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

/** "Who may certify a transcript" is found under #who-may-certify-a-transcript. */
export const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** July 5, 2025: the same for every reader, because the page is written once. */
export const dateInWords = (date: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date))
