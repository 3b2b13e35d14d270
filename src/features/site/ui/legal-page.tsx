import { z } from 'zod'

import { BRAND } from '#shared/business.ts'
import { Container } from '#web/ui/container.tsx'

import { PageHead } from './page-head.tsx'
import { dateInWords, readSiteProse } from './prose.ts'
import { ReadingMark } from './reading-mark.tsx'

const Front = z.strictObject({
  title: z.string(),
  updated: z.iso.date(),
  description: z.string(),
  /** The rows of a table, its head first. */
  inShort: z.tuple([z.array(z.string())], z.array(z.string())),
})

/** Privacy and terms: a summary first, then numbered sections. */
export function LegalPage({ path, text }: { path: string; text: string }) {
  const { title, updated, description, inShort, sections: clauses } = readSiteProse(text, Front)
  const [head, ...rows] = inShort
  return (
    <Container className="pt-10 pb-16 lg:pt-14 lg:pb-22">
      <PageHead path={path} title={`${title} · ${BRAND}`} description={description} />
      <ReadingMark sections={clauses.length} />
      <h1 className="font-display text-h1 font-semibold">{title}</h1>
      <p className="mt-3 text-ui text-ink-2">
        Last updated <time dateTime={updated}>{dateInWords(updated)}</time>
      </p>
      <div className="mt-9 gap-x-16 lg:grid lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="min-w-0">
          <section>
            <h2 id="in-short" className="font-display text-section font-semibold">
              In short
            </h2>
            <table
              aria-labelledby="in-short"
              className="mt-3 w-full border-collapse text-left text-ui max-sm:text-small"
            >
              <thead>
                <tr className="border-b border-line text-small text-ink-2">
                  {head.map((cell) => (
                    <th key={cell} className="py-2.5 pr-4 font-semibold last:pr-0 sm:pr-6">
                      {cell}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.map(([first, ...others]) => (
                  <tr key={first} className="border-b border-rule align-top">
                    <th scope="row" className="py-3 pr-4 font-semibold sm:pr-6">
                      {first}
                    </th>
                    {others.map((cell, index) => (
                      <td key={head[index + 1]} className="py-3 pr-4 text-ink-2 last:pr-0 sm:pr-6">
                        {cell}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <ol data-read="" className="read-sections mt-12 grid gap-y-10 [--read-gap:2.5rem]">
            {clauses.map(({ id, title: heading, html }, index) => (
              <li key={id}>
                <h2
                  id={id}
                  className="flex scroll-mt-6 gap-3 font-display text-section font-semibold"
                >
                  <span className="text-ink-2 tabular-nums">{index + 1}.</span>
                  {heading}
                </h2>
                <div className="running-text mt-2" dangerouslySetInnerHTML={{ __html: html }} />
              </li>
            ))}
          </ol>
        </div>
        <nav
          aria-label="On this page"
          className="sticky top-8 self-start max-lg:hidden print:hidden"
        >
          <ol data-index="" className="grid gap-y-2.5 border-l border-rule pl-4 text-small">
            {clauses.map(({ id, title: heading }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="text-ink-2 hover:text-ink hover:underline reads-along"
                >
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      </div>
    </Container>
  )
}
