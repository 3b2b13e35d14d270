import { TAGLINE } from '#shared/business.ts'
import { paths } from '#web/paths.ts'

import { Container } from './container.tsx'
import { Wordmark } from './mark.tsx'
import { SpeakerRibbon } from './speaker-ribbon.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const columns: { heading: string; links: (readonly [href: string, label: string])[] }[] = [
  {
    heading: 'Product',
    links: [
      [paths.features, 'Features'],
      [paths.pricing, 'Pricing'],
      [paths.api, 'API'],
      [paths.faq, 'FAQ'],
    ],
  },
  { heading: 'Read', links: [[paths.blog, 'Blog']] },
  { heading: 'Help', links: [[paths.contact, 'Contact']] },
  {
    heading: 'Legal',
    links: [
      [paths.privacy, 'Privacy'],
      [paths.terms, 'Terms'],
    ],
  },
]
const appLinks = columns.flatMap(({ links }) => links).filter(([href]) => href !== paths.blog)

/**
 * The footer of the public pages. Its links load the page, because each is a document of its own.
 */
export function SiteFooter() {
  return (
    <footer>
      <SpeakerRibbon />
      <Container className="grid grid-cols-2 gap-x-6 gap-y-9 pt-12 pb-16 sm:grid-cols-4 lg:grid-cols-[5fr_2fr_2fr_2fr_2fr]">
        <div className="col-span-2 sm:col-span-4 lg:col-span-1">
          <a href={paths.start} className="block w-fit">
            <Wordmark />
          </a>
          <p className="mt-4 mb-5 text-body text-ink-2">{TAGLINE}</p>
          <ThemeSwitch />
        </div>
        {columns.map(({ heading, links }) => (
          <nav key={heading} aria-label={heading}>
            <p className="mb-2 text-small font-semibold text-ink-2">{heading}</p>
            <ul>
              {links.map(([href, label]) => (
                <li key={href}>
                  <a
                    href={href}
                    className="inline-flex min-h-[34.5px] items-center text-ui hover:underline pointer-coarse:min-h-11"
                  >
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </Container>
    </footer>
  )
}

/** The footer of the signed-in pages, in one line. */
export function AppFooter() {
  return (
    <footer className="print:hidden">
      <SpeakerRibbon />
      <Container className="flex flex-wrap items-center justify-between gap-x-7 gap-y-4 pt-7 pb-8">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <nav aria-label="Footer">
          <ul className="flex flex-wrap gap-x-7">
            {appLinks.map(([href, label]) => (
              <li key={href}>
                <a
                  href={href}
                  className="inline-flex min-h-[50px] items-center text-ui text-ink-2 hover:text-ink hover:underline sm:min-h-9 pointer-coarse:min-h-11"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </Container>
    </footer>
  )
}
