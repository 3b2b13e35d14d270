import {
  Captions,
  CaptionsOff,
  Download,
  Pause,
  Play,
  RotateCcw,
  RotateCw,
  Search,
} from 'lucide-react'

import {
  type ExportFormatName,
  chapterFormats,
  cutFormats,
  endingOf,
  exportFormats,
  formatNames,
} from '#features/exports/formats.ts'
import { BRAND, TAGLINE } from '#shared/business.ts'
import { authPath, paths } from '#web/paths.ts'
import { rates } from '#web/player.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { InlineScript } from '#web/ui/inline-script.tsx'
import { Wordmark } from '#web/ui/mark.tsx'
import { SpeakerRibbon } from '#web/ui/speaker-ribbon.tsx'
import { WaveFace } from '#web/ui/wave-slider.tsx'

import { Part } from './parts.tsx'
// oxlint-disable-next-line import/default -- made by the plugin in vite.config.ts
import playerScript from './player-script.ts?script'

export const handle = { static: true }

/**
 * The page on which a stranger reads a transcription: written when the site is built, filled by
 * page.ts.
 */
export default function SharePage() {
  return (
    <>
      <Head />
      <Header />
      <main id="main" tabIndex={-1} data-share>
        <Container className="pt-8 pb-12 sm:pt-10 sm:pb-20">
          <h1 dir="auto" className="max-w-[40rem] text-file font-[650] wrap-anywhere text-balance">
            [[title]]
          </h1>
          <Facts />
          <Part name="file">
            <MadeFile />
          </Part>
          <Part name="whole">
            <Files />
            <div
              data-rail="[[rail]]"
              className="group/page mt-6 border-t border-rule lg:mt-8 lg:grid lg:grid-cols-[minmax(0,1fr)_320px] lg:grid-rows-[auto_1fr]"
            >
              <Part name="written">
                <Written />
              </Part>
              <Transcript />
              <Part name="voices">
                <Voices />
              </Part>
            </div>
          </Part>
        </Container>
      </main>
      <Footer />
      <Part name="spacer">
        <div className="h-18 print:hidden" />
      </Part>
      <Part name="unplayed">
        <Bar>
          <p className="text-small text-ink-2">[[instead]]</p>
        </Bar>
      </Part>
      <Part name="player">
        <Player />
      </Part>
      <InlineScript code={playerScript} />
    </>
  )
}

function Head() {
  return (
    <>
      <title>{`[[title]] · ${BRAND}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <meta name="referrer" content="no-referrer" />
      <meta name="description" content="[[description]]" />
      <meta property="og:site_name" content={BRAND} />
      <meta property="og:type" content="article" />
      <meta property="og:title" content="[[title]]" />
      <meta property="og:description" content="[[description]]" />
      <meta property="og:url" content="[[origin]][[path]]" />
      <meta property="og:image" content="[[origin]][[path]]/picture.png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="[[title]]" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

function Header() {
  return (
    <header className="border-b border-rule print:hidden">
      <Container className="flex h-15 items-center justify-between gap-6">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <p className="line-clamp-2 min-w-0 text-right text-small wrap-anywhere text-ink-2">
          [[sharedBy]]
        </p>
      </Container>
    </header>
  )
}

const dotted = "before:mx-1.5 before:content-['·'/'']"

function Facts() {
  return (
    <p className="mt-1.5 text-small text-ink-2">
      <time dateTime="[[iso]]">[[date]]</time>
      <span className={dotted}>
        <time dateTime="PT[[seconds]]S" className="font-mono text-fine tabular-nums">
          [[length]]
        </time>
      </span>
      <Part name="facts">
        <span className={dotted}>[[fact]]</span>
      </Part>
    </p>
  )
}

const usual: Partial<Record<ExportFormatName, string>> = {
  txt: 'Text',
  docx: 'Word',
  vtt: 'Captions',
  json: 'Data',
}
const others = formatNames.filter(
  (format) => !(format in usual) && ![...chapterFormats, ...cutFormats].includes(format),
)

/** The same in other forms: no more than the page shows. */
function Files() {
  return (
    <div className="mt-2 flex flex-wrap gap-x-5 text-small print:hidden">
      <ul aria-label="Download" className="contents">
        {formatNames.map((format) =>
          format in usual ? <File key={format} format={format} label={usual[format]} /> : null,
        )}
      </ul>
      <details className="open:w-full">
        <summary className="inline-flex min-h-6 cursor-pointer items-center text-link pointer-coarse:min-h-11">
          More formats
        </summary>
        <ul className="flex flex-wrap gap-x-5">
          {others.map((format) => (
            <File key={format} format={format} />
          ))}
          <Part name="chapterFiles">
            <File format="chapters" label="Chapters" />
            <File format="podcast" label="Chapters" />
          </Part>
        </ul>
      </details>
    </div>
  )
}

function File({
  format,
  label = exportFormats[format].name,
}: {
  format: ExportFormatName
  label?: string | undefined
}) {
  const ending = `.${endingOf(format)}`
  return (
    <li>
      <a
        href={`[[path]]${ending}`}
        download={`[[title]]${ending}`}
        className="inline-flex min-h-6 items-center text-link pointer-coarse:min-h-11"
      >
        {label} ({ending})
      </a>
    </li>
  )
}

/** A made file alone: its picture, where it has one, and itself to be saved. */
function MadeFile() {
  return (
    <div className="mt-6 border-t border-rule pt-6 lg:mt-8 lg:pt-8">
      <Part name="picture">
        <Film />
      </Part>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <a
          href="[[path]]/recording?save=1"
          download="[[title]]"
          className={buttonClasses({ variant: 'primary' })}
        >
          <Download />
          Download
        </a>
        <Part name="fileCaptions">
          <ul aria-label="Captions" className="contents text-small">
            <File format="vtt" label="Captions" />
            <File format="srt" label="Captions" />
          </ul>
        </Part>
      </div>
      <p className="mt-4 text-small text-ink-2">[[until]]</p>
    </div>
  )
}

const heading = 'font-display text-h3 font-semibold'

/** The summary and the chapters, or one of them. */
function Written() {
  return (
    <details
      open
      className="group/summary border-b border-rule py-6 lg:col-start-2 lg:row-start-1 lg:border-b-0 lg:pt-8 lg:pb-0 lg:pl-8"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between lg:pointer-events-none lg:min-h-0 [&::-webkit-details-marker]:hidden">
        <h2 className={heading}>[[writtenHeading]]</h2>
        <svg
          viewBox="0 0 24 24"
          aria-hidden="true"
          className="size-5 fill-none stroke-current [stroke-width:1.75] group-open/summary:rotate-180 lg:hidden print:hidden"
        >
          <path d="M6 9l6 6 6-6" />
        </svg>
      </summary>
      <Part name="summary">
        <p dir="auto" className="mt-1.5 text-ui max-lg:text-body">
          [[summaryText]]
        </p>
      </Part>
      <Part name="contents">
        <nav aria-label="Chapters">
          <Part name="chaptersHeading">
            <h2 className={`${heading} mt-6 lg:mt-9`}>Chapters</h2>
          </Part>
          <ol className="mt-1">
            <Part name="chapters">
              <li className="border-t border-rule first:border-t-0">
                <a
                  href="#turn-[[place]]"
                  data-at="[[at]]"
                  className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 text-ui hover:text-link"
                >
                  <span dir="auto" className="wrap-anywhere">
                    [[chapter]]
                  </span>
                  <span className="font-mono text-fine text-ink-2 tabular-nums">[[time]]</span>
                </a>
              </li>
            </Part>
          </ol>
        </nav>
      </Part>
      <Part name="keyPoints">
        <Part name="pointsHeading">
          <h2 className={`${heading} mt-6 lg:mt-9`}>Key points</h2>
        </Part>
        <ul className="mt-1">
          <Part name="points">
            <li dir="auto" className="border-t border-rule py-2.5 text-ui first:border-t-0">
              {'[[point]] '}
              <Part name="moment">
                <Moment />
              </Part>
            </li>
          </Part>
        </ul>
      </Part>
      <Part name="actionItems">
        <h2 className={`${heading} mt-6 lg:mt-9`}>Action items</h2>
        <Part name="sentences">
          <p className="mt-1 text-small text-ink-2">[[sentencesNote]]</p>
        </Part>
        <ul className="mt-1">
          <Part name="items">
            <li className="flex gap-3 border-t border-rule py-2.5 text-ui first:border-t-0">
              <Part name="open">
                <Box label="Open" />
              </Part>
              <Part name="done">
                <Box label="Done" tick />
              </Part>
              <span dir="auto" className="min-w-0 wrap-anywhere">
                [[item]]
                <span className="block text-small text-ink-2">
                  <Part name="person">
                    <span className="mr-3 font-[650]">{'[[who]] '}</span>
                  </Part>
                  <Part name="deadline">
                    <span className="mr-3">{'[[due]] '}</span>
                  </Part>
                  <Part name="moment">
                    <Moment />
                  </Part>
                </span>
              </span>
            </li>
          </Part>
        </ul>
      </Part>
      <Part name="summaryNote">
        <p className="mt-4 text-small text-ink-2">[[note]]</p>
      </Part>
    </details>
  )
}

function Moment() {
  return (
    <a
      href="#turn-[[place]]"
      data-at="[[at]]"
      className="-my-3 -mr-1 inline-block px-1 py-3 font-mono text-fine text-ink-2 tabular-nums underline underline-offset-4 hover:text-ink"
    >
      [[time]]
    </a>
  )
}

/** Without boxes to tick: a visitor changes nothing. */
function Box({ label, tick = false }: { label: string; tick?: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      role="img"
      aria-label={label}
      className="mt-1 size-4 shrink-0 fill-none stroke-ink-2 [stroke-width:1.5]"
    >
      <rect x="1" y="1" width="14" height="14" rx="3" />
      {tick ? <path d="M4.5 8.5 7 11l4.5-5.5" /> : null}
    </svg>
  )
}

function Transcript() {
  return (
    <section
      aria-labelledby="transcript"
      className="pt-6 group-data-[rail=yes]/page:lg:border-r lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:border-rule lg:pt-8 lg:pr-14 lg:pb-10"
    >
      <Part name="picture">
        <Film />
      </Part>
      <h2 id="transcript" className={heading}>
        Transcript
      </h2>
      {/* It stays in sight while something is looked for: one goes from one hit to the next. */}
      <div className="-mx-4 flex flex-wrap items-center gap-2.5 bg-paper px-4 py-2 top-(--picture-height,0px) z-10 focus-within:tall:sticky has-[input:not(:placeholder-shown)]:tall:sticky noscript:hidden print:hidden">
        <label className="flex h-11 min-w-56 grow items-center gap-2.5 rounded-control border border-line bg-card px-3 outline-offset-2 outline-focus has-focus-visible:outline-2 sm:max-w-[338px] sm:pointer-fine:h-9">
          <Search size={20} aria-hidden="true" className="shrink-0 text-ink-2" />
          <input
            type="search"
            data-search
            aria-label="Search in transcript"
            placeholder="Search in transcript"
            autoComplete="off"
            className="h-full min-w-0 grow bg-transparent text-ui outline-none! placeholder:text-ink-3"
          />
          <span role="status" data-found className="shrink-0 text-small text-ink-2" />
        </label>
        <Part name="follow">
          <label className="flex h-11 items-center gap-2.5 rounded-control border border-line px-3 text-small font-semibold select-none sm:pointer-fine:h-9">
            <input
              type="checkbox"
              defaultChecked
              data-follow
              className="size-[18px] accent-primary"
            />
            Follow
          </label>
        </Part>
      </div>
      <ol data-turns lang="[[lang]]" className="mt-1">
        <Part name="turns">
          <Turn />
        </Part>
      </ol>
    </section>
  )
}

/**
 * It stays in sight while the text is read, over the whole width of the text, which scrolls away under
 * it. A low window has no room for both, and a picture that fails scrolls away with the rest. Without a
 * script, what a link leads to would lie under it.
 */
function Film() {
  return (
    <div
      data-film
      className="group/film -mx-4 mb-6 tall:sticky tall:top-0 tall:z-10 tall:mb-3 tall:bg-paper tall:pb-3 sm:px-4 sm:tall:-mt-3 sm:tall:pt-3 data-failed:static! noscript:static! print:hidden"
    >
      <figure className="relative overflow-hidden bg-code-bg max-sm:mx-auto sm:rounded-panel tall:max-w-[calc(40dvh*16/9)]">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- it has one: the transcript */}
        <video
          controls
          playsInline
          preload="metadata"
          src="[[path]]/recording"
          data-media
          className="aspect-video w-full group-data-failed/film:invisible"
        >
          <Part name="track">
            <track kind="captions" label="Captions" src="[[path]].vtt" />
          </Part>
        </video>
        <p
          data-no-picture
          className="absolute inset-0 hidden place-content-center p-4 text-center text-small text-code-ink group-data-failed/film:grid"
        >
          The picture cannot be shown at the moment.
        </p>
      </figure>
    </div>
  )
}

/** There may be thousands, so each is as little as it can be. */
function Turn() {
  return (
    <li
      id="turn-[[place]]"
      data-turn="[[place]]"
      data-at="[[at]]"
      className="shows-where-it-is -mx-4 gap-x-5 px-4 py-3.5 [contain-intrinsic-size:auto_90px] [content-visibility:auto] target:bg-paper-2 sm:rounded-[8px] lg:grid lg:grid-cols-[156px_minmax(0,66ch)] print:break-inside-avoid"
    >
      <div className="mb-1 flex items-start gap-x-4 lg:mb-0 lg:block lg:pt-0.5">
        <Part name="known">
          <span data-speaker="[[lane]]" className="flex min-w-0 items-start gap-2 text-ui">
            <Speaker />
          </span>
        </Part>
        <Part name="unknown">
          <span className="text-ui text-ink-2">[[name]]</span>
        </Part>
        <Part name="playable">
          <button
            type="button"
            data-at="[[at]]"
            aria-label="Play from [[time]]"
            className={`${timeClasses} -my-3 -mr-2 cursor-pointer py-3 pr-2 hover:text-ink noscript:hidden print:hidden`}
          >
            [[time]]
          </button>
          <time
            dateTime="[[iso8601]]"
            className={`${timeClasses} hidden noscript:block print:block`}
          >
            [[time]]
          </time>
        </Part>
        <Part name="still">
          <time dateTime="[[iso8601]]" className={timeClasses}>
            [[time]]
          </time>
        </Part>
      </div>
      <Part name="playable">
        <p
          dir="[[dir]]"
          data-turn-text="[[place]]"
          data-words="[[words]]"
          className="cursor-text text-turn"
        >
          [[text]]
        </p>
      </Part>
      <Part name="still">
        <p dir="[[dir]]" data-turn-text="[[place]]" className="text-turn">
          [[text]]
        </p>
      </Part>
    </li>
  )
}

const timeClasses = 'block font-mono text-fine leading-[22px] text-ink-2 tabular-nums lg:ml-[30px]'

function Speaker() {
  return (
    <>
      <span
        aria-hidden="true"
        className="keeps-colour grid size-[22px] shrink-0 place-items-center rounded-badge bg-speaker-tint text-[0.75rem] leading-none font-bold text-speaker"
      >
        [[letter]]
      </span>
      <span className="min-w-0 font-[650] wrap-anywhere text-speaker">[[name]]</span>
    </>
  )
}

function Voices() {
  return (
    <section
      aria-labelledby="voices"
      className="border-t border-rule pt-6 lg:col-start-2 lg:row-start-2 lg:border-t-0 lg:pt-10 lg:pl-8 print:hidden"
    >
      <h2 id="voices" className={heading}>
        Speakers
      </h2>
      <ul className="mt-3 grid gap-3">
        <Part name="voiceRows">
          <li data-speaker="[[lane]]" className="flex items-start justify-between gap-4 text-ui">
            <span className="flex min-w-0 items-start gap-2">
              <Speaker />
            </span>
            <span className="text-ink-2 tabular-nums">[[share]]</span>
          </li>
        </Part>
      </ul>
    </section>
  )
}

function Bar({ children }: { children: React.ReactNode }) {
  return (
    <section
      aria-label="Player"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-rule bg-card pb-[env(safe-area-inset-bottom)] print:hidden"
    >
      <Container className="flex h-16 items-center gap-3 sm:h-18 sm:gap-4">{children}</Container>
    </section>
  )
}

function Player() {
  const round =
    'hidden size-11 place-items-center rounded-control text-ink-2 hover:bg-paper-2 hover:text-ink lg:grid noscript:hidden'
  return (
    <Bar>
      <Part name="sound">
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its transcript stands above it */}
        <audio
          controls
          preload="none"
          src="[[path]]/recording"
          data-media
          className="hidden w-full noscript:block"
        />
      </Part>
      <p data-broken role="alert" hidden className="min-w-0 flex-1 text-small">
        The recording cannot be played at the moment.
        <Part name="whole"> The text is all here.</Part>
      </p>
      <button type="button" data-again hidden className={buttonClasses({ size: 'small' })}>
        Try again
      </button>
      <div data-controls className="contents noscript:hidden">
        <button
          type="button"
          data-play
          aria-label="Play"
          className="group grid size-11 shrink-0 place-items-center rounded-full bg-primary text-primary-fg hover:bg-primary-hover"
        >
          <Play
            size={20}
            fill="currentColor"
            strokeWidth={0}
            className="ml-0.5 group-data-playing:hidden"
          />
          <Pause
            size={20}
            fill="currentColor"
            strokeWidth={0}
            className="hidden group-data-playing:block"
          />
        </button>
        <div className="hidden shrink-0 lg:flex">
          <button type="button" data-skip="-10" aria-label="Back 10 seconds" className={round}>
            <RotateCcw size={20} />
          </button>
          <button type="button" data-skip="10" aria-label="Forward 10 seconds" className={round}>
            <RotateCw size={20} />
          </button>
        </div>
        <p className="hidden shrink-0 font-mono text-fine whitespace-nowrap tabular-nums sm:block">
          <span data-clock>0:00</span> / [[length]]
        </p>
        <div className="relative h-16 min-w-0 flex-1">
          <WaveFace
            svg={{ 'data-wave': '', 'data-peaks': '[[peaks]]', 'data-lanes': '[[lanes]]' }}
            slider={{ 'data-seek': '', max: '[[seconds]]' }}
          />
        </div>
        <Part name="captions">
          <button
            type="button"
            data-captions
            aria-label="Captions"
            aria-pressed="false"
            className="group grid size-11 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-paper-2 hover:text-ink aria-pressed:text-ink"
          >
            <Captions size={20} className="hidden group-aria-pressed:block" />
            <CaptionsOff size={20} className="group-aria-pressed:hidden" />
          </button>
        </Part>
        <select
          data-speed
          aria-label="Speed"
          defaultValue="1"
          className="h-11 appearance-none rounded-control border border-line bg-transparent px-3 text-center text-small font-semibold text-ink tabular-nums sm:pointer-fine:h-9"
        >
          {rates.map((rate) => (
            <option key={rate} value={rate}>
              {rate}×
            </option>
          ))}
        </select>
      </div>
    </Bar>
  )
}

function Footer() {
  return (
    <footer className="print:hidden">
      <SpeakerRibbon />
      <Container className="flex flex-wrap items-center justify-between gap-x-7 gap-y-5 py-8">
        <div className="flex items-center gap-4">
          <Wordmark className="[&>span]:hidden" />
          <div>
            <p className="text-ui font-semibold">Made with {BRAND}</p>
            <p className="text-small text-ink-2">{TAGLINE}</p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-7 gap-y-3">
          <a href={authPath({ mode: 'register' })} className={buttonClasses()}>
            Transcribe your own recording
          </a>
          <a
            href={`${paths.contact}?subject=Report+of+a+shared+page&reference=[[code]]`}
            className="inline-flex min-h-11 items-center text-ui text-primary underline underline-offset-4"
          >
            Report this page
          </a>
          <a
            href={paths.privacy}
            className="inline-flex min-h-11 items-center text-ui text-ink-2 hover:text-ink hover:underline"
          >
            Privacy
          </a>
        </div>
      </Container>
    </footer>
  )
}
