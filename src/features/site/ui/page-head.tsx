import { BRAND, TAGLINE } from '#shared/business.ts'

/** The server replaces this with its PUBLIC_URL (see server/pages.ts). */
const ORIGIN = '__PUBLIC_URL__'

interface PageHeadProps {
  path: string
  title: string
  description: string
  keywords?: string
  /** Structured data about this page, beside those about the site that each page has. */
  data?: readonly object[]
  article?: { published: string; section: string }
}

/** The tags that search engines and link previews read. React moves them into the head. */
export function PageHead({
  path,
  title,
  description,
  keywords,
  data = [],
  article,
}: PageHeadProps) {
  const url = absolute(path)
  const image = absolute(imagePath(path))
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {keywords ? <meta name="keywords" content={keywords} /> : null}
      <link rel="canonical" href={url} />
      <meta property="og:site_name" content={BRAND} />
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:url" content={url} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={`${title}. ${BRAND}: ${TAGLINE}`} />
      {article ? (
        <>
          <meta property="article:published_time" content={article.published} />
          <meta property="article:section" content={article.section} />
        </>
      ) : null}
      <meta name="twitter:card" content="summary_large_image" />
      <StructuredData data={[...aboutTheSite, ...data]} />
    </>
  )
}

function StructuredData({ data }: { data: readonly object[] }) {
  if (!import.meta.env.SSR) return null
  const graph = { '@context': 'https://schema.org', '@graph': data }
  // A `<` could end the script before its time.
  const json = JSON.stringify(graph).replaceAll('<', '\\u003c')
  // oxlint-disable-next-line react/no-danger -- JSON of our own, put in when the site is built
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
}

export const absolute = (path: string) => `${ORIGIN}${path}`

/** Made by scripts/finish-site.ts, one for each page. */
const imagePath = (path: string) => `/og/${path.slice(1).replaceAll('/', '-') || 'start'}.png`

export const organisation = { '@id': absolute('/#organization') }

const aboutTheSite = [
  {
    '@type': 'Organization',
    ...organisation,
    name: BRAND,
    url: absolute('/'),
    logo: absolute('/icon-512.png'),
    slogan: TAGLINE,
  },
  {
    '@type': 'WebSite',
    '@id': absolute('/#website'),
    name: BRAND,
    url: absolute('/'),
    publisher: organisation,
  },
]
