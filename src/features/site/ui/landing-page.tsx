import type { ReactNode } from 'react'
import { z } from 'zod'

import { longHours, priceOf, whatCreditsBuy } from '#features/billing/ui/plan-words.ts'
import { BRAND, rollover, SIGNUP_CREDITS, uploadHint } from '#shared/business.ts'
import { articlePath, articleSlugs, paths } from '#web/paths.ts'
import type { Section } from '#web/prose.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { TimecodeSection } from '#web/ui/timecode-section.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { Demo } from './demo.tsx'
import { ChosenFile, DocumentExample, KeyPoints, PriceExample, SampleTurns } from './examples.tsx'
import text from './landing.md?raw'
import { ChoosePlan, LastWord, StartFreeTrial } from './links.tsx'
import { PageHead } from './page-head.tsx'
import { softwareData } from './plan-data.ts'
import { allPlans } from './plan-figures.ts'
import { readSiteProse } from './prose.ts'
import { sample, sampleUrl } from './sample.ts'
import { SiteFrame } from './site-frame.tsx'

const words = readSiteProse(
  text,
  z.strictObject({
    title: z.string(),
    description: z.string(),
    targets: z.record(z.string(), z.string()),
    cases: z.array(
      z.strictObject({
        who: z.string(),
        need: z.string(),
        get: z.string(),
        article: z.enum(articleSlugs).optional(),
      }),
    ),
  }),
)

/** The picture of each step, by the id of its section. */
const shown: Readonly<Record<string, ReactNode>> = {
  upload: (
    <>
      <ChosenFile />
      <p className="mt-3 text-small text-ink-2">{uploadHint}</p>
    </>
  ),
  price: <PriceExample />,
  transcript: (
    <SampleTurns
      numbers={[2, 3]}
      mark="I made some notes on paper, and then I left the paper on the train."
    />
  ),
  summary: (
    <div className="max-w-[640px]">
      <KeyPoints count={3} />
    </div>
  ),
  documents: <DocumentExample className="max-w-[640px]" />,
}

/** Static HTML. Signed-in people get the app's shell from the server instead. */
export const handle = { static: true }

export default function Landing() {
  return (
    <SiteFrame current={paths.start}>
      <PageHead
        path={paths.start}
        title={words.title}
        description={words.description}
        data={[softwareData]}
      />
      <Hero />
      <WhyChoose />
      <CompleteSolution />
      <UseCases />
      <Pricing />
      <LastWord at={120} title="Bring a recording. See the price before you pay it." withSignIn />
    </SiteFrame>
  )
}

function Hero() {
  return (
    <Container className="grid items-center gap-x-12 gap-y-9 pt-6 pb-12 lg:grid-cols-[6fr_7fr] lg:pt-14 lg:pb-18">
      <div>
        <p className="flex items-baseline gap-3 text-small text-ink-2">
          <span aria-hidden="true">
            <Timecode s={0} className="text-fine! text-playhead-text" />
          </span>
          AI audio and video transcription
        </p>
        <h1 className="mt-4 font-display text-display font-semibold lg:mt-5">
          Who said what, <br />
          word for word.
        </h1>
        <p className="mt-6 max-w-[34em] text-lead text-ink-2">
          Upload audio or video. Get the full text, a summary with key points and topics, and every
          speaker on a timeline you can play back.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <StartFreeTrial />
          {/* Without a script the browser plays the file itself. */}
          <a href={sampleUrl} data-demo-start className={buttonClasses({ size: 'large' })}>
            Hear the sample
          </a>
        </div>
        <p className="mt-4 text-small text-ink-2">
          {SIGNUP_CREDITS} free credits. No credit card. {whatCreditsBuy}
        </p>
      </div>
      <div className="min-w-0">
        <Demo />
        <p className="mt-3 text-small text-ink-2">
          Our own recording in English, its text as it was heard
          <span data-where="doubt">
            : {sample.wordsInDoubt} of {sample.wordCount} words to check
          </span>
          .
        </p>
      </div>
    </Container>
  )
}

function WhyChoose() {
  return (
    <TimecodeSection at={12} title={`Why choose ${BRAND}`}>
      <div className="mt-6 grid gap-x-16 gap-y-9 lg:grid-cols-[7fr_5fr]">
        <p className="font-display text-statement">
          A transcript is only useful if you can check it. So every word keeps its place in the
          recording,{' '}
          <span data-where="doubt">
            words we are less sure of are <i className="to-check not-italic">underlined</i>,{' '}
          </span>
          and the price is shown before you pay it.
        </p>
        <div>
          <h3 className="pb-2 text-small font-semibold text-ink-2">Targets</h3>
          <dl className="border-t border-rule text-body">
            {Object.entries(words.targets).map(([what, target]) => (
              <div
                key={what}
                className="flex justify-between gap-4 border-b border-rule py-3 text-right"
              >
                <dt className="text-left text-ink-2">{what}</dt>
                <dd className="font-semibold">{target}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </TimecodeSection>
  )
}

function CompleteSolution() {
  return (
    <TimecodeSection
      at={38}
      title="The complete solution"
      lead="One recording, followed from the file to the finished page."
    >
      {words.sections.map((section) => (
        <Step key={section.id} {...section} />
      ))}
    </TimecodeSection>
  )
}

/** One step: its name and sentence on the left, its picture on the right. */
function Step({ id, title, html }: Section) {
  return (
    <div className="mt-9 grid gap-x-6 gap-y-6 border-t border-rule pt-9 lg:mt-11 lg:grid-cols-[312px_1fr] lg:gap-x-16 lg:pt-11">
      <div>
        <h3 className="font-display text-section font-semibold">{title}</h3>
        <p
          className="mt-1.5 text-body text-ink-2"
          // A step is one paragraph, and this is it.
          dangerouslySetInnerHTML={{ __html: html.replaceAll(/<\/?p>|\n$/g, '') }}
        />
      </div>
      <div className="min-w-0">{shown[id]}</div>
    </div>
  )
}

function UseCases() {
  return (
    <TimecodeSection at={65} title="Use cases">
      <ul className="mt-6 border-t border-rule">
        {words.cases.map(({ who, need, get, article }, index) => (
          <li
            key={who}
            {...speakerColours(index)}
            className="grid items-baseline gap-x-6 gap-y-1 border-b border-rule py-4 lg:grid-cols-[240px_1fr_264px] lg:py-[1.125rem]"
          >
            <h3 className="text-ui font-[650] text-speaker">{who}</h3>
            <p className="font-display text-section">{need}</p>
            <p className="text-small text-ink-2">
              {article ? (
                <a href={articlePath(article)} className="inline-block py-1 text-link">
                  {get}
                </a>
              ) : (
                get
              )}
            </p>
          </li>
        ))}
      </ul>
    </TimecodeSection>
  )
}

function Pricing() {
  return (
    <TimecodeSection
      at={100}
      title="Pricing"
      lead={`From 1 credit per transcription. ${whatCreditsBuy} ${rollover}`}
    >
      <ul className="mt-9 border-t border-rule">
        {allPlans.map((plan) => (
          <li
            key={plan.id}
            className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 md:items-center gap-y-2 border-b border-rule py-5 md:grid-cols-[200fr_160fr_100fr_160fr_100px] lg:grid-cols-[357fr_224fr_157fr_274fr_124px] lg:gap-x-0"
          >
            <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-section font-semibold">
              {plan.name}
              {plan.isPopular ? (
                <span className="rounded-badge bg-paper-2 px-2 py-1 font-sans text-fine! leading-4! font-semibold text-ink-2">
                  Most popular
                </span>
              ) : null}
            </h3>
            <p className="whitespace-nowrap">
              <span className="font-display text-section font-semibold">{priceOf(plan)}</span>{' '}
              <span className="text-small text-ink-2">a month</span>
            </p>
            <p className="max-md:col-span-2">{plan.credits} credits</p>
            <p className="text-ink-2 max-md:col-span-2">
              {longHours(plan)} hours of long recordings
            </p>
            <ChoosePlan
              plan={plan}
              className={classes(
                buttonClasses({ variant: plan.isPopular ? 'primary' : 'secondary', size: 'small' }),
                'max-lg:h-11! max-md:col-span-2 max-md:mt-2',
              )}
            />
          </li>
        ))}
      </ul>
      <p className="mt-5 text-body text-ink-2">
        API access, custom integrations and dedicated support come with Enterprise.{' '}
        <a href={paths.contact} className="text-link">
          Contact Sales
        </a>
      </p>
    </TimecodeSection>
  )
}
