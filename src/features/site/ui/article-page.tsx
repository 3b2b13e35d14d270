import { ChevronDown, CircleAlert } from 'lucide-react'
import { useLocation } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { bars } from '#shared/format.ts'
import { articlePath, articleSlugs, paths } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { type Article, articleOf, readingTimes } from './articles/articles.ts'
import { StartFreeTrial } from './links.tsx'
import { absolute, organisation, PageHead } from './page-head.tsx'
import { dateInWords } from './prose.ts'
import { ReadingMark } from './reading-mark.tsx'
import { Wave } from './wave.tsx'

const AUTHOR = `${BRAND} Team`

export default function ArticlePage() {
  const { pathname } = useLocation()
  const slug = articleSlugs.find((one) => pathname.startsWith(articlePath(one)))
  if (!slug) throw new Error(`no article stands at ${pathname}`)
  const article = articleOf(slug)
  return (
    <article>
      <PageHead
        path={articlePath(slug)}
        title={`${article.title} · ${BRAND}`}
        description={article.description}
        keywords={article.keywords}
        article={{ published: article.published, section: article.category }}
        data={dataOf(article)}
      />
      <ReadingMark sections={article.sections.length} />
      <Band seed={slug} />
      <Container className="pt-10 pb-16 lg:pb-20">
        <Badge>{article.category}</Badge>
        <h1 className="mt-3 max-w-[19em] font-display text-h1 font-semibold">{article.title}</h1>
        <p className="mt-4 text-ui text-ink-2">
          {AUTHOR} · <time dateTime={article.published}>{dateInWords(article.published)}</time> ·{' '}
          {article.readMinutes} min read
        </p>
        <div className="mt-8 gap-x-6 lg:mt-10 lg:grid lg:grid-cols-[120px_minmax(0,1fr)] xl:grid-cols-[120px_minmax(0,1fr)_280px]">
          <div className="lg:col-start-2">
            <Contents article={article} folded />
            {article.note ? <Note text={article.note} /> : null}
          </div>
          <Sections article={article} />
          <div className="max-xl:hidden xl:col-start-3 xl:row-start-1 xl:row-end-3">
            <Contents article={article} />
          </div>
        </div>
      </Container>
      <div className="border-y border-rule bg-paper-2">
        <Container className="flex flex-wrap items-center justify-between gap-6 py-12">
          <p className="max-w-[18em] font-display text-statement font-semibold text-balance">
            {article.closing}
          </p>
          <StartFreeTrial />
        </Container>
      </div>
      <Related article={article} />
    </article>
  )
}

function dataOf({ slug, title, description, published }: Article): object[] {
  const url = absolute(articlePath(slug))
  return [
    {
      '@type': 'Article',
      headline: title,
      description,
      author: { '@type': 'Organization', name: AUTHOR, url: absolute(paths.blog) },
      publisher: organisation,
      datePublished: published,
      dateModified: published,
      mainEntityOfPage: url,
      image: absolute(`/og/blog-${slug}.png`),
    },
    {
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Blog', item: absolute(paths.blog) },
        { '@type': 'ListItem', position: 2, name: title, item: url },
      ],
    },
  ]
}

const BARS = 125

/** The article's own wave; its playhead goes along while the page is read. */
function Band({ seed }: { seed: string }) {
  return (
    <div className="border-b border-rule bg-card">
      <Container className="py-8">
        <Wave
          id="band"
          heights={bars(seed, BARS)}
          playedTo={0}
          every={3}
          movesAlong
          className="h-[70px]"
        />
      </Container>
    </div>
  )
}

function Note({ text }: { text: string }) {
  return (
    <div className="mb-10 max-w-[66ch]">
      <p className="flex items-start gap-3 rounded-control border border-line px-4 py-3.5 text-ui">
        <CircleAlert size={20} className="mt-px shrink-0" />
        {text}
      </p>
    </div>
  )
}

function Sections({ article }: { article: Article }) {
  const times = readingTimes(article)
  return (
    <div
      data-read=""
      className="read-sections grid gap-y-12 [--read-gap:3rem] lg:col-span-2 lg:col-start-1 lg:row-start-2"
    >
      {article.sections.map(({ id, title, html }, index) => (
        <section key={id} className="gap-x-6 lg:grid lg:grid-cols-[120px_minmax(0,1fr)]">
          <div aria-hidden="true" className="max-lg:mb-1 lg:pt-[0.6rem]">
            <Timecode s={times[index] ?? 0} className="text-fine! text-playhead-text" />
          </div>
          <div>
            <h2
              id={id}
              className="max-w-[24em] scroll-mt-6 font-display text-[1.75rem] leading-[1.15] font-semibold tracking-[-0.01em] max-sm:text-[1.5rem]"
            >
              {title}
            </h2>
            <div className="running-text mt-3" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
        </section>
      ))}
    </div>
  )
}

/** Folded where there is no room beside the text. */
function Contents({ article, folded = false }: { article: Article; folded?: boolean }) {
  const links = (
    <ul data-index={folded ? undefined : ''} className="grid gap-y-2.5 text-small">
      {article.sections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className={classes(
              'text-ink-2 hover:text-ink hover:underline',
              !folded && 'reads-along',
            )}
          >
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
  if (folded)
    return (
      <details className="group mb-10 border-y border-rule py-3 xl:hidden">
        <summary className="flex list-none items-center justify-between font-display text-h3 font-semibold">
          In this article
          <ChevronDown size={20} className="transition-transform group-open:rotate-180" />
        </summary>
        <nav aria-label="In this article, folded" className="pt-3 pb-1">
          {links}
        </nav>
      </details>
    )
  return (
    <nav aria-label="In this article" className="sticky top-8">
      <p className="mb-3 font-display text-h3 font-semibold">In this article</p>
      {links}
    </nav>
  )
}

function Related({ article }: { article: Article }) {
  return (
    <Container className="py-12 lg:py-14">
      <h2 className="font-display text-h3 font-semibold">Related</h2>
      <ul className="mt-3 border-t border-rule">
        {article.related.map(articleOf).map(({ slug, category, title, readMinutes }) => (
          <li
            key={slug}
            className="relative grid items-baseline gap-x-6 gap-y-1 border-b border-rule py-4 lg:grid-cols-[120px_1fr_auto]"
          >
            <p className="text-small font-semibold">{category}</p>
            <h3 className="font-display text-[1.3125rem] leading-tight font-semibold">
              <a
                href={articlePath(slug)}
                className="after:absolute after:inset-0 hover:underline hover:decoration-1 hover:underline-offset-4"
              >
                {title}
              </a>
            </h3>
            <p className="text-small text-ink-2 max-lg:hidden">{readMinutes} min read</p>
          </li>
        ))}
      </ul>
    </Container>
  )
}
