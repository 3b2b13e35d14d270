import { ChevronLeft, Copy, Download, Ellipsis, Share2 } from 'lucide-react'
import { type RefObject, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link, useLocation } from 'react-router'

import { copyPart } from '#features/exports/ui/share.ts'
import { textOf } from '#features/exports/ui/text-of.ts'
import { libraryBehind } from '#features/library/ui/library-address.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import type { HeadingRef } from '#features/transcriptions/ui/face.ts'
import { counted, formatDate, languageName } from '#shared/format.ts'
import { recordedDay } from '#shared/recorded.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { RecordingContext } from '#web/ui/header-parts.tsx'
import { laterMenu } from '#web/ui/later-menu.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { barred, useVeil } from '#web/ui/with-bars.tsx'
import { useMedia } from '#web/use-media.ts'

import type { Result } from './result.ts'
import type { Beside } from './view.ts'
import { SaveState, useSaveNews } from './save-state.tsx'

const ResultMore = laterMenu(async () => (await import('./result-more.tsx')).ResultMore)

interface HeadProps {
  result: Result
  headingRef: HeadingRef
  /** The text in view, which can be copied; null where the tab shows none. */
  part: Part | null
  /** The tab has its own button for the next file. */
  isExport: boolean
  onShare: (from: HTMLElement) => void
  onUndo: () => void
  onNewFile: () => void
  /** Opens a panel beside the text. */
  openBeside: (beside: Beside) => void
  /** In the row of tabs: there it is said that something is saved while the head is away. */
  newsPlace: HTMLElement | null
}

/** One line above the tabs: the way back, the name, the facts, and what is done with all of it. */
export function ResultHead({ headingRef, onUndo, newsPlace, ...actions }: HeadProps) {
  const { text, view } = actions.result
  const { transcription, edits, saved } = text
  const library = libraryBehind(useLocation().search)
  const news = useSaveNews(edits, saved)
  const head = useRef<HTMLDivElement>(null)
  const isAway = useIsAway(head)
  const state = <SaveState {...{ edits, news, onUndo }} />
  const { pill } = useContext(RecordingContext)
  const name = transcription.originalName
  const veil = useVeil()
  return (
    <>
      <button
        type="button"
        className="sr-only bg-card font-semibold focus:not-sr-only focus:fixed! focus:top-2 focus:left-4 focus:z-[70] focus:p-3!"
        onClick={goToPlayer}
      >
        Skip to the player
      </button>
      <div
        ref={head}
        className="head-of-result flex h-15 items-center gap-1 bg-paper px-1.5 sm:px-3.5 lg:h-13 lg:gap-4 lg:px-0 print:mt-4 print:mb-2 print:h-auto print:px-0"
      >
        <nav aria-label="Breadcrumb" className="shrink-0 print:hidden">
          <Link
            to={library}
            aria-label="Library"
            className="-my-1 flex min-h-11 items-center gap-1.5 rounded-control text-small text-ink-2 hover:text-ink max-lg:w-11 max-lg:justify-center lg:-ml-1 lg:pr-1"
          >
            <ChevronLeft className="size-6 lg:size-4" />
            <span className="max-lg:hidden">Library</span>
          </Link>
        </nav>
        <div className="min-w-0 flex-1 lg:flex lg:items-baseline lg:gap-4 print:block!">
          <h1
            ref={headingRef}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 font-sans text-ui leading-5! font-[650] lg:-mx-1.5 lg:text-lead lg:leading-8!"
          >
            <button
              type="button"
              data-tip={`${veil.hide(name)} · Rename (F2)`}
              className="block max-w-full truncate rounded-control text-left hover:bg-paper-2 max-lg:-my-1 max-lg:py-1 lg:px-1.5 print:whitespace-normal"
              onClick={() => view.open({ kind: 'rename' })}
            >
              {barred(name, veil, true)}
            </button>
          </h1>
          <div className="flex min-h-5 shrink-0 items-center text-fine leading-5! whitespace-nowrap text-ink-2 tabular-nums">
            {news && !isAway ? null : <Facts transcription={transcription} />}
            {isAway && newsPlace ? createPortal(state, newsPlace) : state}
          </div>
        </div>
        {/* Its other places are not to be seen here on a narrow screen. */}
        {pill ? <div className="shrink-0 lg:hidden print:hidden">{pill}</div> : null}
        <Actions {...actions} />
      </div>
    </>
  )
}

const HEADER_PX = 60

/** Whether it is scrolled away, under the header of the app. On a narrow screen it stays at the top. */
function useIsAway(head: RefObject<HTMLElement | null>): boolean {
  const isWide = useMedia('(width >= 64rem)')
  const [isAway, setAway] = useState(false)
  useEffect(() => {
    if (!isWide || !head.current) return undefined
    const observer = new IntersectionObserver(
      (seen) => setAway((seen.at(-1)?.intersectionRatio ?? 1) < 0.8),
      { rootMargin: `-${HEADER_PX}px 0px 0px`, threshold: 0.8 },
    )
    observer.observe(head.current)
    return () => observer.disconnect()
  }, [head, isWide])
  return isWide && isAway
}

/** Without a recording it has no button, and says why. */
function goToPlayer(): void {
  const player = document.querySelector<HTMLElement>('#player')
  const buttons = [...(player?.querySelectorAll('button') ?? [])]
  const first = buttons.find((button) => button.getClientRects().length > 0)
  ;(first ?? player)?.focus()
}

/** Facts about a recording; null where one is not known. */
export const factsOf = ({ wordCount, language, speakers, recordedAt }: Transcription) => {
  const day = recordedDay(recordedAt)
  return {
    words: wordCount === null ? null : counted(wordCount, 'word'),
    language: language === null ? null : languageName(language),
    speakers: speakers.length === 0 ? null : counted(speakers.length, 'speaker'),
    recorded: day === undefined ? null : `Recorded ${formatDate(`${day}T00:00:00Z`, 'UTC')}`,
  }
}

/** In a narrow window some are left to the menu, so that the name has room. */
function Facts({ transcription }: { transcription: Transcription }) {
  const { words, language, speakers, recorded } = factsOf(transcription)
  const sample = transcription.isSample ? 'Sample · As it was heard' : null
  const facts = [
    [words, 'min-[64rem]:max-[68.75rem]:hidden'],
    [language, 'min-[64rem]:max-[68.75rem]:hidden'],
    [speakers, 'max-sm:hidden'],
    [recorded, 'max-xl:hidden print:inline!'],
    [sample, ''],
  ]
  return (
    <p className="min-w-0 truncate">
      <Timecode s={transcription.duration} />
      {facts.map(([fact, shown]) =>
        fact ? (
          <span key={fact} className={classes("before:mx-1.5 before:content-['·'/'']", shown)}>
            {fact}
          </span>
        ) : null,
      )}
    </p>
  )
}

/**
 * Copies, downloads and shares the text in view; a menu holds the rest. What a tab has not keeps its
 * place, so that nothing moves between the tabs.
 */
function Actions({
  result,
  part,
  isExport,
  onShare,
  onNewFile,
  openBeside,
}: Omit<HeadProps, 'headingRef' | 'onUndo' | 'newsPlace'>) {
  const { text } = result
  const more = useRef<HTMLButtonElement>(null)
  const shown = part !== null && textOf(part, text.transcription) !== '' ? part : null
  const given = shown ?? 'transcription'
  const place = classes('max-lg:hidden', shown === null && 'invisible')
  return (
    <div className="flex shrink-0 items-center lg:gap-2 print:hidden">
      <Button
        size="small"
        variant="quiet"
        className={classes('max-lg:hidden', isExport && 'invisible')}
        onClick={onNewFile}
      >
        Process New File
      </Button>
      <IconButton
        label="Copy"
        className={place}
        onClick={() => copyPart(given, text, result.cuts.now)}
      >
        <Copy />
      </IconButton>
      <IconButton
        label="Download"
        className={place}
        onClick={() => void downloadResult(given, text.transcription)}
      >
        <Download />
      </IconButton>
      <Button
        size="small"
        icon={<Share2 />}
        aria-haspopup="dialog"
        aria-label="Share"
        className="max-lg:w-11 max-lg:border-transparent max-lg:px-0!"
        onClick={({ currentTarget }) => onShare(currentTarget)}
      >
        <span className="max-lg:hidden">Share</span>
      </Button>
      <ResultMore
        {...{ result, isExport, onNewFile, openBeside }}
        part={shown}
        from={more}
        trigger={
          <IconButton ref={more} label="More for this result">
            <Ellipsis />
          </IconButton>
        }
      />
    </div>
  )
}
