import { BRAND } from '#shared/business.ts'
import { bars } from '#shared/format.ts'
import { articlePath, paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'
import { Fingerprint } from '#web/ui/fingerprint.tsx'

import { type Article, articles } from './articles/articles.ts'
import { PageHead } from './page-head.tsx'
import { Wave } from './wave.tsx'
import { dateInWords } from './prose.ts'

const titleLink = 'after:absolute after:inset-0 hover:underline hover:underline-offset-4'

export default function BlogPage() {
  const [first, ...others] = articles
  return (
    <Container className="pt-10 pb-16 lg:pt-14 lg:pb-22">
      <PageHead
        path={paths.blog}
        title={`Blog: turning speech into text · ${BRAND}`}
        description="Guides on transcription for podcasts, interviews, meetings, video, law and healthcare."
      />
      <h1 className="font-display text-h1 font-semibold">Notes on turning speech into text.</h1>
      {first ? <First article={first} /> : null}
      <ul className="mt-10 border-t border-rule">
        {others.map((article) => (
          <Row key={article.slug} article={article} />
        ))}
      </ul>
    </Container>
  )
}

function First({ article }: { article: Article }) {
  const { slug, title, description, published, category, readMinutes } = article
  return (
    <article className="relative mt-7 lg:mt-9">
      <Cover seed={slug} />
      <div className="mt-5 grid gap-x-16 gap-y-3 lg:grid-cols-2">
        <h2 className="max-w-[15em] font-display text-h2 font-semibold">
          <a href={articlePath(slug)} className={titleLink}>
            {title}
          </a>
        </h2>
        <div>
          <p className="text-body text-ink-2">{description}</p>
          <p className="mt-2 text-small text-ink-2">
            <time dateTime={published}>{dateInWords(published)}</time> · {category} · {readMinutes}{' '}
            min read
          </p>
        </div>
      </div>
    </article>
  )
}

const BARS = 150

function Cover({ seed }: { seed: string }) {
  return (
    <div className="aspect-video rounded-panel border border-rule bg-card px-5 py-10 sm:aspect-[16/5] sm:px-10 sm:py-14">
      <Wave
        id="cover"
        heights={bars(seed, BARS)}
        playedTo={0.12}
        playedTone="stroke-ink"
        every={3}
        // Tablets have little room, so the lines are thinner there and do not touch.
        className="h-full sm:max-lg:[stroke-width:2.5px]"
      />
    </div>
  )
}

function Row({ article }: { article: Article }) {
  const { slug, title, published, category, readMinutes } = article
  return (
    <li className="relative grid items-center gap-x-6 gap-y-1 border-b border-rule py-5 text-small text-ink-2 lg:py-6 lg:grid-cols-[128px_128px_1fr_auto_112px]">
      <time dateTime={published}>{dateInWords(published)}</time>
      <p className="font-semibold text-ink">{category}</p>
      <h2 className="font-display text-[1.3125rem] leading-tight font-semibold text-ink max-lg:my-1">
        <a href={articlePath(slug)} className={titleLink}>
          {title}
        </a>
      </h2>
      <p>{readMinutes} min read</p>
      <Fingerprint seed={slug} className="max-lg:hidden" />
    </li>
  )
}
