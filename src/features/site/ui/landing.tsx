import type { ReactNode } from 'react'

import { creditsFor } from '#features/credits/contract.ts'
import { BRAND, plans, SIGNUP_CREDITS } from '#shared/business.ts'
import { bars, formatTime } from '#shared/format.ts'
import { authPath, paths } from '#web/paths.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Container } from '#web/ui/container.tsx'
import { SiteFooter } from '#web/ui/site-footer.tsx'
import { SiteHeader } from '#web/ui/site-header.tsx'
import { SpeakerBadge, speakerColours } from '#web/ui/speaker-badge.tsx'
import { SpeakerRibbon } from '#web/ui/speaker-ribbon.tsx'
import { TierTable } from '#web/ui/tier-table.tsx'
import { TimecodeSection } from '#web/ui/timecode-section.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

import { sample, sampleSpeakerAt, sampleTurns } from './sample-words.ts'

const HOUR = 3600

/** `/` for who is not signed in. Nothing in it needs a script. */
export function Landing() {
  return (
    <>
      <title>{`${BRAND}: AI audio and video transcription`}</title>
      <meta
        name="description"
        content={`Upload audio or video and get the full text, a summary and every speaker on a timeline. ${SIGNUP_CREDITS} free credits, no credit card.`}
      />
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Hero />
        <WhatYouGet />
        <Pricing />
        <TimecodeSection
          at={120}
          title="Bring a recording. See the price before you pay it."
          tinted
        >
          <div className="mt-6 flex flex-wrap gap-3">
            <Cta href={authPath({ mode: 'register' })} variant="primary">
              Start Free Trial
            </Cta>
            <Cta href={paths.auth}>Sign In</Cta>
          </div>
        </TimecodeSection>
      </main>
      <SiteFooter />
    </>
  )
}

function Cta({
  href,
  variant,
  children,
}: {
  href: string
  variant?: 'primary'
  children: ReactNode
}) {
  return (
    <a href={href} className={buttonClasses({ variant, size: 'large' })}>
      {children}
    </a>
  )
}

function Hero() {
  return (
    <Container className="grid items-center gap-x-12 gap-y-9 pt-6 pb-12 lg:grid-cols-[6fr_7fr] lg:pt-18 lg:pb-22">
      <div>
        <p className="flex items-baseline gap-3 text-small text-ink-2">
          <span aria-hidden="true">
            <Timecode s={0} className="text-fine! text-playhead-text" />
          </span>
          AI audio and video transcription
        </p>
        <h1 className="mt-4 font-display text-display font-semibold lg:mt-5">
          Who said what,
          <br />
          word for word.
        </h1>
        <p className="mt-6 max-w-[34em] text-lead text-ink-2">
          Upload audio or video. Get the full text, a summary with key points and topics, and every
          speaker on a timeline.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <Cta href={authPath({ mode: 'register' })} variant="primary">
            Start Free Trial
          </Cta>
          <Cta href={paths.auth}>Sign In</Cta>
        </div>
        <p className="mt-4 text-small text-ink-2">{SIGNUP_CREDITS} free credits. No credit card.</p>
      </div>
      <Example />
    </Container>
  )
}

const BARS = 92
const heights = bars('sample.m4a', BARS)
const lanes = heights.map((_, index) => sampleSpeakerAt(((index + 0.5) / BARS) * sample.seconds))

function Example() {
  return (
    <figure
      aria-labelledby="example"
      className="min-w-0 overflow-hidden rounded-panel border border-rule bg-card shadow-float"
    >
      <figcaption
        id="example"
        className="flex flex-wrap items-baseline gap-x-3 border-b border-rule px-5 py-3 text-small"
      >
        <span className="font-[650]">{sample.name}</span>
        <span className="text-ink-2">
          <Timecode s={sample.seconds} /> · {sample.speakers.length} speakers
        </span>
        <span className="ml-auto font-semibold">{creditsFor(sample.seconds)} credit</span>
      </figcaption>
      <div className="px-5 pt-3">
        <WaveFigure heights={heights} speakers={lanes} playedTo={0.42} height={72} />
      </div>
      <div className="grid gap-y-4 px-5 pt-4 pb-5 text-body">
        <Turn at={30} speaker={1}>
          No. I think we should <span className="marked">record every meeting</span> and keep the
          text, so that everybody can find it later.
        </Turn>
        <Turn at={37} speaker={0}>
          Some people do not like to be recorded. We have to ask them first, every time.
        </Turn>
        <Turn at={42} speaker={1}>
          Of course. We ask at the beginning, and if one person says no, we turn it off.
        </Turn>
      </div>
      <p className="border-t border-rule bg-paper-2 px-5 py-3.5 text-small text-ink-2">
        Our own sample recording: two voices, {formatTime(sample.seconds)} long.
      </p>
    </figure>
  )
}

function Turn({ at, speaker, children }: { at: number; speaker: number; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[56px_1fr] items-baseline sm:grid-cols-[60px_60px_1fr]">
      <Timecode s={at} className="text-ink-2" />
      <div className="sm:contents">
        <span {...speakerColours(speaker)} className="mr-2 font-[650] text-speaker">
          {sample.speakers[speaker]}
        </span>
        <span>{children}</span>
      </div>
    </div>
  )
}

function WhatYouGet() {
  return (
    <TimecodeSection
      at={12}
      title={`Why choose ${BRAND}`}
      lead="One recording, followed from the file to the finished page."
    >
      <Row
        title="Price"
        text="You see what a file costs, and how that was worked out, before anything is charged."
      >
        <TierTable className="max-w-[420px]" />
      </Row>
      <Row
        title="Transcript"
        text="The full text in turns, with the time each one was said, ready to copy or download."
      >
        <div className="grid gap-y-6 text-body">
          {turns.map(({ at, speaker, text }) => (
            <div key={at} className="grid gap-x-5 sm:grid-cols-[156px_1fr]">
              <div>
                <SpeakerBadge speaker={speaker} name={sample.speakers[speaker] ?? ''} />
                <Timecode s={at} className="ml-[30px] text-ink-2 max-sm:ml-2 sm:block" />
              </div>
              <p className="max-w-[66ch]">{text}</p>
            </div>
          ))}
        </div>
      </Row>
      <Row title="Summary" text="Key points and topics, each point with the moment it was said.">
        <ul className="max-w-[640px] border-t border-rule text-body">
          {points.map(({ at, text }) => (
            <li
              key={at}
              className="flex items-baseline justify-between gap-4 border-b border-rule py-3"
            >
              {text}
              <Timecode s={at} className="shrink-0 rounded-control border border-line px-2 py-1" />
            </li>
          ))}
        </ul>
      </Row>
      <Row
        title="Speakers"
        text="Who spoke when, on a timeline. Voices are told apart and labelled."
      >
        <div className="grid max-w-[640px] gap-y-4">
          <SpeakerRibbon turns={sampleTurns} className="overflow-hidden rounded-full" />
          <ul className="flex flex-wrap gap-x-8 gap-y-2">
            {talkTime.map(({ speaker, share }) => (
              <li key={speaker} className="flex items-baseline gap-3">
                <SpeakerBadge speaker={speaker} name={sample.speakers[speaker] ?? ''} />
                <span className="text-small text-ink-2 tabular-nums">{share}% of the talking</span>
              </li>
            ))}
          </ul>
        </div>
      </Row>
    </TimecodeSection>
  )
}

const turns = [
  {
    at: 0,
    speaker: 0,
    text: 'Last month we decided to raise the price, and this morning three people asked me why. I could not tell them.',
  },
  {
    at: 6,
    speaker: 1,
    text: 'I was at that meeting. We talked for almost an hour, and I remember everything except the reason.',
  },
]

const points = [
  { at: 30, text: 'Record every meeting and keep the text, so that everybody can find it later.' },
  { at: 42, text: 'Ask at the beginning, and if one person says no, turn it off.' },
  { at: 61, text: 'Try it for four weeks, beginning with the meeting on Thursday.' },
]

const talkTime = sample.speakers.map((_, speaker) => {
  const total = sampleTurns.reduce((sum, turn) => sum + turn.length, 0)
  const own = sampleTurns
    .filter((turn) => turn.speaker === speaker)
    .reduce((sum, turn) => sum + turn.length, 0)
  return { speaker, share: Math.round((own / total) * 100) }
})

/** One step of the way: its name and sentence left, what it looks like right. */
function Row({ title, text, children }: { title: string; text: string; children: ReactNode }) {
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

function Pricing() {
  return (
    <TimecodeSection
      at={100}
      title="Pricing"
      lead="From 1 credit per transcription. Credits roll over: unused credits stay in your balance."
    >
      <ul className="mt-9 border-t border-rule">
        {plans.map((plan) => (
          <li
            key={plan.id}
            className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 border-b border-rule py-5 lg:grid-cols-[357fr_224fr_157fr_274fr_124px] lg:gap-x-0"
          >
            <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-display text-section font-semibold">
              {plan.name}
              {plan.isPopular ? (
                <span className="rounded-badge bg-paper-2 px-2 py-1 font-sans text-[0.8125rem] leading-4 font-semibold text-ink-2">
                  Most popular
                </span>
              ) : null}
            </h3>
            <p className="whitespace-nowrap">
              <span className="font-display text-section font-semibold">
                ${(plan.priceCents / 100).toFixed(2)}
              </span>{' '}
              <span className="text-small text-ink-2">/ month</span>
            </p>
            <p className="max-lg:col-span-2">{plan.credits} credits</p>
            <p className="text-ink-2 max-lg:col-span-2">
              {plan.credits / creditsFor(HOUR)} hours of long recordings
            </p>
            <a
              href={authPath({ mode: 'register', next: `${paths.subscribe}?plan=${plan.id}` })}
              aria-label={`Choose ${plan.name}`}
              className={classes(
                buttonClasses({ variant: plan.isPopular ? 'primary' : 'secondary', size: 'small' }),
                'max-lg:col-span-2 max-lg:mt-2 max-lg:h-11!',
              )}
            >
              Choose
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-5 text-body text-ink-2">
        Questions about a larger volume?{' '}
        <a href={paths.contact} className="text-link">
          Contact Sales
        </a>
      </p>
    </TimecodeSection>
  )
}
