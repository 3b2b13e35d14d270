import type { ReactNode } from 'react'
import { z } from 'zod'

import { BRAND } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import type { Section } from '#web/prose.ts'
import { Container } from '#web/ui/container.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

import { DocumentExample, KeyPoints, SampleTurns, SpeakerLanes } from './examples.tsx'
import words from './features.md?raw'
import { LastWord } from './links.tsx'
import { PageHead } from './page-head.tsx'
import { readSiteProse } from './prose.ts'
import { ReadingMark } from './reading-mark.tsx'
import { sampleLanes, samplePeaks, talkTime } from './sample.ts'

const {
  title: pageTitle,
  description,
  notYet,
  sections: features,
} = readSiteProse(
  words,
  z.strictObject({
    title: z.string(),
    description: z.string(),
    /** Wishes that the product does not meet, and what to do instead. */
    notYet: z.record(z.string(), z.string()),
  }),
)

/** The picture of a feature, by the id of its section. */
const shown: Readonly<Record<string, ReactNode>> = {
  transcribe: (
    <div className="overflow-hidden rounded-panel border border-rule bg-card">
      <div className="border-b border-rule px-5 pt-3 pb-1">
        <WaveFigure heights={samplePeaks} speakers={sampleLanes} playedTo={0.27} height={56} />
      </div>
      <div className="p-5">
        <SampleTurns numbers={[3, 4]} mark="left the paper on the train" />
      </div>
    </div>
  ),
  summarize: <KeyPoints count={3} numbered />,
  speakers: <SpeakerLanes talkTime={talkTime} />,
  documents: <DocumentExample />,
}

export default function FeaturesPage() {
  return (
    <>
      <PageHead path={paths.features} title={`${pageTitle} · ${BRAND}`} description={description} />
      <ReadingMark sections={features.length} />
      <Container className="pt-10 pb-16 lg:pt-14 lg:pb-22">
        <h1 className="max-w-[21em] font-display text-h1 font-semibold">
          Everything between the recording and the sentence you need.
        </h1>
        <div className="mt-7 gap-x-6 lg:mt-12 lg:grid lg:grid-cols-[240px_1fr]">
          <nav
            aria-label="On this page"
            className="-mx-4 overflow-x-auto border-y border-rule px-4 py-1 sm:-mx-6 sm:px-6 lg:sticky lg:top-8 lg:mx-0 lg:self-start lg:overflow-visible lg:border-0 lg:p-0"
          >
            <ul data-index="" className="flex gap-x-6 lg:block lg:border-l lg:border-rule">
              {features.map(({ id, title }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="flex min-h-11 items-center text-ui whitespace-nowrap text-ink-2 hover:text-ink lg:reads-along lg:-ml-0.5 lg:border-l-[3px] lg:border-transparent lg:pl-4 lg:hover:border-line"
                  >
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <div data-read="" className="read-sections min-w-0">
            {features.map((feature) => (
              <FeatureSection key={feature.id} {...feature} />
            ))}
            <section aria-labelledby="not-yet" className="pt-10 lg:pt-16">
              <h2 id="not-yet" className="font-display text-h2 font-semibold">
                Not yet
              </h2>
              <dl className="mt-4 max-w-[800px] border-t border-rule">
                {Object.entries(notYet).map(([what, instead]) => (
                  <div key={what} className="grid border-b border-rule py-3 sm:grid-cols-[7fr_9fr]">
                    <dt className="font-semibold">{what}</dt>
                    <dd className="text-ink-2">{instead}</dd>
                  </div>
                ))}
              </dl>
            </section>
          </div>
        </div>
      </Container>
      <LastWord at={120} title="Bring a recording. See the price before you pay it." besideIndex />
    </>
  )
}

function FeatureSection({ id, title, html }: Section) {
  const [text = '', limits = ''] = html.split('<!-- limits -->')
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-b border-rule pt-10 pb-10 lg:pt-16 lg:pb-16 lg:first:pt-0"
    >
      <h2 id={`${id}-title`} className="font-display text-h2 font-semibold">
        {title}
      </h2>
      <div
        className="mt-4 grid max-w-[66ch] gap-y-3 text-body"
        dangerouslySetInnerHTML={{ __html: text }}
      />
      {shown[id] ? <div className="mt-6">{shown[id]}</div> : null}
      <dl className="mt-6 grid gap-x-6 text-small sm:grid-cols-[80px_1fr]">
        <dt className="font-semibold">Limits</dt>
        <dd className="max-w-[66ch] text-ink-2" dangerouslySetInnerHTML={{ __html: limits }} />
      </dl>
    </section>
  )
}
