/** What can be done with the open result, for the palette: nothing that a menu hides is lost. */
import {
  ALargeSmall,
  Copy,
  Download,
  ListChecks,
  MessageCircleQuestionMark,
  PanelTop,
  RefreshCw,
  Replace,
  Search,
  Share2,
} from 'lucide-react'
import type { ReactNode } from 'react'

import { copyPart, shareSummary } from '#features/exports/ui/share.ts'
import { textOf } from '#features/exports/ui/text-of.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import { useCanWriteAgain } from '#features/transcriptions/ui/summary-again.ts'
import { type OpenTranscript, useLendToPalette } from '#web/palette/palette.ts'

import type { Result } from './result.ts'
import { useMenuActs } from './result-menu.tsx'
import type { Beside } from './view.ts'

type Acts = OpenTranscript['acts']

export function useLent(
  result: Result,
  {
    tabs,
    onAsk,
    onSearch,
    onLook,
    openBeside,
    onNewFile,
    onWriteAgain,
    jumpTo,
  }: Pick<OpenTranscript, 'jumpTo'> & {
    tabs: readonly { label: string; open: () => void }[]
    /** Null where there is no text. */
    onAsk: (() => void) | null
    onSearch: (() => void) | null
    onLook: (from: HTMLElement | null) => void
    openBeside: (beside: Beside) => void
    onNewFile: () => void
    onWriteAgain: () => void
  },
): void {
  const { text, sound, view } = result
  const { transcription, checks, edits } = text
  const { first, own, cut, last } = useMenuActs(result, { onNewFile, openBeside })
  const canWriteAgain = useCanWriteAgain(transcription)
  const parts = (['transcription', 'summary'] as const).filter(
    (part) => textOf(part, transcription) !== '',
  )
  const ofParts = (verb: string, icon: ReactNode, act: (part: Part) => void): Acts =>
    parts.map((part) => ({ label: `${verb} ${part}`, icon, run: () => act(part) }))
  const share = (part: Part) =>
    part === 'summary'
      ? shareSummary(text, result.cuts.now)
      : view.open({ kind: 'share' }, heading())
  const only = (isOffered: boolean, act: Acts[number]): Acts => (isOffered ? [act] : [])
  useLendToPalette({
    id: transcription.id,
    durationS: transcription.duration,
    chapters: sound.chapters.list,
    jumpTo,
    acts: [
      ...only(onAsk !== null, {
        label: 'Ask this recording',
        words: 'question answer',
        icon: <MessageCircleQuestionMark />,
        run: () => onAsk?.(),
      }),
      ...ofParts('Copy', <Copy />, (part) => copyPart(part, text, result.cuts.now)),
      ...ofParts('Download', <Download />, (part) => void downloadResult(part, transcription)),
      ...ofParts('Share', <Share2 />, share),
      ...tabs.map(({ label, open }) => ({
        label: `Open ${label}`,
        words: 'tab',
        icon: <PanelTop />,
        run: open,
      })),
      ...only(onSearch !== null, {
        label: 'Search in transcript',
        words: 'find',
        icon: <Search />,
        run: () => onSearch?.(),
      }),
      ...only(edits !== null && onSearch !== null, {
        label: 'Find and replace',
        icon: <Replace />,
        run: () => openBeside({ kind: 'replace' }),
      }),
      ...only(checks.length > 0, {
        label: 'Check words',
        words: 'doubt',
        icon: <ListChecks />,
        run: () => openBeside({ kind: 'check', most: null }),
      }),
      ...only(canWriteAgain, {
        label: 'Write the summary again',
        words: 'language length short long',
        icon: <RefreshCw />,
        run: onWriteAgain,
      }),
      ...only(onSearch !== null, {
        label: 'How the text is shown',
        words: 'Aa size follow underline times language translation',
        icon: <ALargeSmall />,
        run: () => onLook(heading()),
      }),
      ...[...first, ...own, ...cut, ...last].map(({ label, icon, run }) => ({
        label,
        icon,
        run: () => run(heading()),
      })),
    ],
    showKeys: () => view.open({ kind: 'keys' }),
  })
}

/** What a dialog gives the focus back to: the palette, which has opened it, is gone. */
const heading = () => document.querySelector<HTMLElement>('h1')
