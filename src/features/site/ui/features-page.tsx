import type { ReactNode } from 'react'

import {
  acceptedExtensions,
  BRAND,
  DOCUMENT_CREDITS,
  MAX_DURATION_HOURS,
  MAX_UPLOAD_MB,
  RETENTION_DAYS,
  summaryLanguages,
} from '#shared/business.ts'
import timesFont from '#fonts/times.woff2?url'
import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'
import { WaveFigure } from '#web/ui/wave-figure.tsx'

import { DocumentExample, KeyPoints, SampleTurns, SpeakerLanes } from './examples.tsx'
import { LastWord } from './links.tsx'
import { PageHead } from './page-head.tsx'
import { ReadingMark } from './reading-mark.tsx'
import { sampleLanes, samplePeaks, talkTime } from './sample.ts'

interface Feature {
  id: string
  title: string
  text: readonly string[]
  shown?: ReactNode
  limits: string
}

const features: readonly Feature[] = [
  {
    id: 'transcribe',
    title: 'Transcribe',
    text: [
      `Upload audio or video, or record in the browser. ${acceptedExtensions.length} formats, up to ${MAX_UPLOAD_MB}MB and ${MAX_DURATION_HOURS} hours; MP3, WAV and M4A work best. Large files are processed in chunks, and you can leave the page.`,
      'Every word keeps its place in the recording, so you can click it and hear it. Words the engine doubts are underlined, and you can step through them one by one.',
    ],
    shown: (
      <div className="overflow-hidden rounded-panel border border-rule bg-card">
        <div className="border-b border-rule px-5 pt-3 pb-1">
          <WaveFigure heights={samplePeaks} speakers={sampleLanes} playedTo={0.27} height={56} />
        </div>
        <div className="p-5">
          <SampleTurns numbers={[3, 4]} mark="left the paper on the train" />
        </div>
      </div>
    ),
    limits:
      'One language per recording works best. Noise, crosstalk and distance lower the accuracy; our target of 99%+ is for clear audio. MP4 may have limited compatibility: we read its first audio track; a protected or silent file cannot be read.',
  },
  {
    id: 'summarize',
    title: 'Summarize',
    text: [
      `Key points, topics and a short summary, in one of ${summaryLanguages.length - 1} languages or the language that was spoken.`,
      'Each key point carries the moment it rests on. Press it and you see the passage; press again and you hear it.',
    ],
    shown: <KeyPoints count={3} numbered />,
    limits:
      'Read a summary before you quote it. Where the server has no language model, the summary is made of sentences of the transcript itself, in its own language, and says so.',
  },
  {
    id: 'speakers',
    title: 'Speakers',
    text: [
      'Every turn has a letter, a color and a name. Name a voice once and it is named everywhere: in the text, on the timeline, in every export.',
      'Two labels turned out to be one person? Give them the same name. One turn went to the wrong voice? Move it.',
    ],
    shown: <SpeakerLanes talkTime={talkTime} />,
    limits:
      'Overlapping voices and rooms with one distant microphone are the hardest; labels are a start, rename them in one click.',
  },
  {
    id: 'documents',
    title: 'Documents',
    text: [
      'Ask for a document when you upload: meeting minutes, an article, structured notes, key insights, a marketing brief, a follow-up email or social posts. Articles, briefs and posts can come with image suggestions.',
      'Copy it, download it, or create a Google Doc from it.',
    ],
    shown: <DocumentExample />,
    limits: `On Professional and Enterprise, ${DOCUMENT_CREDITS} credit each. A document that fails costs nothing.`,
  },
  {
    id: 'export',
    title: 'Export',
    text: [
      'The text, the summary, or everything at once. Captions as SRT and VTT, notes as Markdown, Word and PDF, data as JSON and CSV. The names you gave to voices go along.',
      'Or share: your device offers its own ways, and where it has none the text is copied.',
    ],
    limits:
      'Captions are broken to two short lines and a reading speed people can follow; a sentence may therefore stand in two of them.',
  },
  {
    id: 'privacy',
    title: 'Privacy',
    text: [
      `Recordings are deleted ${RETENTION_DAYS} days after upload, sooner if you delete them. The date is on every result. Text stays until you delete it.`,
      'Your card number never reaches us: payments happen at the card provider. There are no trackers on any page, and nothing you upload is written to a log.',
    ],
    limits: 'You need the consent of the people you record. Getting it is up to you.',
  },
]

const notYet = [
  { what: 'Links to videos', instead: 'Upload the file, if you have the right to.' },
  { what: 'Live meetings', instead: 'Record first, transcribe after.' },
  { what: 'Several languages in one recording', instead: 'Cut it, and upload each part.' },
]

export default function FeaturesPage() {
  return (
    <>
      <PageHead
        fonts={[timesFont]}
        path={paths.features}
        title={`Features: transcripts, summaries, speakers · ${BRAND}`}
        description="What you get from one upload: full text with timings, key points and topics, speaker timeline, documents and exports."
      />
      <ReadingMark sections={features.length} />
      <Container className="pt-10 pb-16 lg:pt-14 lg:pb-22">
        <h1 className="max-w-[21em] font-display text-h1 font-semibold">
          Everything between the recording and the sentence you need.
        </h1>
        <div className="mt-7 gap-x-6 lg:mt-12 lg:grid lg:grid-cols-[240px_1fr]">
          <nav
            aria-label="On this page"
            className="-mx-4 overflow-x-auto border-y border-rule px-4 sm:-mx-6 sm:px-6 lg:sticky lg:top-8 lg:mx-0 lg:self-start lg:border-0 lg:px-0"
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
                {notYet.map(({ what, instead }) => (
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

function FeatureSection({ id, title, text, shown, limits }: Feature) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="border-b border-rule pt-10 pb-10 lg:pt-16 lg:pb-16 lg:first:pt-0"
    >
      <h2 id={`${id}-title`} className="font-display text-h2 font-semibold">
        {title}
      </h2>
      <div className="mt-4 grid max-w-[66ch] gap-y-3 text-body">
        {text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      {shown ? <div className="mt-6">{shown}</div> : null}
      <dl className="mt-6 grid gap-x-6 text-small sm:grid-cols-[80px_1fr]">
        <dt className="font-semibold">Limits</dt>
        <dd className="max-w-[66ch] text-ink-2">{limits}</dd>
      </dl>
    </section>
  )
}
