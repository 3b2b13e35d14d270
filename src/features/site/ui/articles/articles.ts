import type { ArticleSlug } from '#web/paths.ts'

import type { Article } from './article.ts'
import { interviewArticle } from './interview.tsx'
import { legalArticle } from './legal.tsx'
import { medicalArticle } from './medical.tsx'
import { meetingArticle } from './meeting.tsx'
import { podcastArticle } from './podcast.tsx'
import { videoArticle } from './video.tsx'

/** The newest first. */
export const articles: readonly Article[] = [
  podcastArticle,
  interviewArticle,
  meetingArticle,
  legalArticle,
  videoArticle,
  medicalArticle,
]

export function articleOf(slug: ArticleSlug): Article {
  const article = articles.find((one) => one.slug === slug)
  if (!article) throw new Error(`no article is called ${slug}`)
  return article
}
