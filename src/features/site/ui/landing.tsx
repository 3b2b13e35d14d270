import type { ReactNode } from 'react'

import { longHours, priceOf } from '#features/billing/ui/plan-words.ts'
import {
  BRAND,
  MAX_UPLOAD_MB,
  rollover,
  SIGNUP_CREDITS,
  summaryLanguages,
  uploadHint,
} from '#shared/business.ts'
import statementFont from '#fonts/statement.woff2?url'
import timesFont from '#fonts/times.woff2?url'
import { articlePath, paths } from '#web/paths.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { TimecodeSection } from '#web/ui/timecode-section.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { Demo } from './demo.tsx'
import { ChosenFile, DocumentExample, KeyPoints, PriceExample, SampleTurns } from './examples.tsx'
import { ChoosePlan, LastWord, StartFreeTrial } from './links.tsx'
import { PageHead } from './page-head.tsx'
import { softwareData } from './plan-data.ts'
import { allPlans } from './plan-figures.ts'
import { sampleUrl } from './sample.ts'
import { SiteFrame } from './site-frame.tsx'
import { targets } from './targets.ts'

/** `/` for who is not signed in: a page without the app. */
export function Landing() {
  return (
    <SiteFrame current={paths.start}>
      <PageHead
        fonts={[timesFont, statementFont]}
        path={paths.start}
        title={`${BRAND}: AI audio and video transcription`}
        description={`Upload audio or video and get the full text, an AI summary and every speaker on a timeline. ${SIGNUP_CREDITS} free credits, no credit card.`}
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
        <p className="mt-4 text-small text-ink-2">{SIGNUP_CREDITS} free credits. No credit card.</p>
      </div>
      <div className="min-w-0">
        <Demo />
        <p className="mt-3 text-small text-ink-2">
          Our own recording, its text corrected by hand. Yours will have words to check.
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
          recording, words we are less sure of are <span className="to-check">underlined</span>, and
          the price is shown before you pay it.
        </p>
        <div>
          <h3 className="pb-2 text-small font-semibold text-ink-2">Targets</h3>
          <dl className="border-t border-rule text-body">
            {targets.map(({ what, target }) => (
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
      <Step
        title="Upload"
        text={`Drop in audio or video up to ${MAX_UPLOAD_MB}MB, or record in the browser. Large files are processed in chunks.`}
      >
        <ChosenFile />
        <p className="mt-3 text-small text-ink-2">{uploadHint}</p>
      </Step>
      <Step
        title="Price"
        text="You see what it costs, and how that was worked out, before anything is charged."
      >
        <PriceExample />
      </Step>
      <Step
        title="Transcript"
        text="Names, times, and a dotted line under every word worth checking. Click a word to hear it."
      >
        <SampleTurns
          numbers={[2, 3]}
          mark="I made some notes on paper, and then I left the paper on the train."
        />
      </Step>
      <Step
        title="Summary"
        text={`Key points and topics, in one of ${summaryLanguages.length - 1} languages. Each point leads back to the moment it was said.`}
      >
        <div className="max-w-[640px]">
          <KeyPoints count={3} />
        </div>
      </Step>
      <Step
        title="Documents"
        text="Minutes, an article, a follow-up email. On Professional and Enterprise, for 1 credit more."
      >
        <DocumentExample className="max-w-[640px]" />
      </Step>
    </TimecodeSection>
  )
}

/** One step of the way: its name and sentence left, what it looks like right. */
function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="mt-9 grid gap-x-6 gap-y-6 border-t border-rule pt-9 lg:mt-11 lg:grid-cols-[312px_1fr] lg:gap-x-16 lg:pt-11">
      <div>
        <h3 className="font-display text-section font-semibold">{title}</h3>
        <p className="mt-1.5 text-body text-ink-2">{text}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  )
}

const jobs: readonly { who: string; need: string; get: ReactNode }[] = [
  {
    who: 'Podcasters',
    need: 'Show notes by six, with the guest’s exact words.',
    get: 'Text, key points, chapters by time',
  },
  {
    who: 'Teams',
    need: 'One record of the call that everyone can search.',
    get: 'Transcript, summary, speakers',
  },
  {
    who: 'Journalists and researchers',
    need: 'A quote you can play back before you print it.',
    get: 'Word times, words to check',
  },
  {
    who: 'Marketers',
    need: 'One webinar turned into the month’s posts.',
    get: 'Article, social posts, captions',
  },
  {
    who: 'Meetings',
    need: 'Decisions, owners and dates, without a note-taker.',
    get: 'Meeting minutes, key points',
  },
  {
    who: 'Interviewers',
    need: 'Two people, two labels, all the way through.',
    get: 'Speaker timeline, renaming',
  },
  {
    who: 'Legal',
    need: 'A working draft to review, not a certified record.',
    get: (
      <a
        href={articlePath('legal-transcription-requirements')}
        className="inline-block py-1 text-link"
      >
        What AI can draft
      </a>
    ),
  },
  {
    who: 'Healthcare',
    need: 'Know what accuracy means before you rely on it.',
    get: (
      <a
        href={articlePath('medical-transcription-accuracy')}
        className="inline-block py-1 text-link"
      >
        When accuracy matters
      </a>
    ),
  },
]

function UseCases() {
  return (
    <TimecodeSection at={65} title="Use cases">
      <ul className="mt-6 border-t border-rule">
        {jobs.map(({ who, need, get }, index) => (
          <li
            key={who}
            {...speakerColours(index)}
            className="grid items-baseline gap-x-6 gap-y-1 border-b border-rule py-4 lg:grid-cols-[240px_1fr_264px] lg:py-[1.125rem]"
          >
            <h3 className="text-ui font-[650] text-speaker">{who}</h3>
            <p className="font-display text-section">{need}</p>
            <p className="text-small text-ink-2">{get}</p>
          </li>
        ))}
      </ul>
    </TimecodeSection>
  )
}

function Pricing() {
  return (
    <TimecodeSection at={100} title="Pricing" lead={`From 1 credit per transcription. ${rollover}`}>
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
              <span className="text-small text-ink-2">/ month</span>
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
