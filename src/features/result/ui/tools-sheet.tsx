import {
  ALargeSmall,
  Copy,
  Download,
  List,
  ListChecks,
  MessageCircleQuestionMark,
  Search,
} from 'lucide-react'
import type { ReactNode } from 'react'

import { useChapterNow } from '#features/chapters/ui/use-chapters.ts'
import { copyPart } from '#features/exports/ui/share.ts'
import { type Part, downloadResult } from '#features/transcriptions/ui/downloads.ts'
import { Button } from '#web/ui/button.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'

import { timeFor } from './checking/check-memory.ts'
import { SpeedMenu } from './player/player-bar.tsx'
import type { Result } from './result.ts'
import type { Beside } from './view.ts'

/** On a narrow screen: what a wide one has beside the text and at the right of the tabs. */
export function ToolsSheet({
  result: { text, sound, cuts, view },
  part,
  openBeside,
  onAsk,
  onSearch,
  onLook,
}: {
  result: Result
  /** The text in view, which can be copied; null where there is none. */
  part: Part | null
  openBeside: (beside: Beside) => void
  /** Null where there is no text. */
  onAsk: (() => void) | null
  onSearch: (() => void) | null
  onLook: () => void
}) {
  const { transcription, checks, toCheck } = text
  const { player, chapters } = sound
  const now = useChapterNow(chapters)
  const given = part ?? 'transcription'
  const close = () => {
    view.close('tools')
    view.focusBack()
  }
  return (
    <SidePanel hasHead={false} title="Tools" closeLabel="Close the tools" onClose={close}>
      <ul>
        {onSearch ? (
          <Row icon={<Search />} onPress={onSearch}>
            Search
          </Row>
        ) : null}
        {onAsk ? (
          <Row icon={<MessageCircleQuestionMark />} onPress={onAsk}>
            Ask
          </Row>
        ) : null}
        {checks.length > 0 ? (
          <Row
            icon={<ListChecks />}
            more={`${toCheck.length.toLocaleString('en-US')} · ${timeFor(checks.length)}`}
            onPress={() => openBeside({ kind: 'check', most: null })}
          >
            Check words
          </Row>
        ) : null}
        {chapters.list.length > 0 ? (
          <Row
            icon={<List />}
            more={chapters.list[now]?.title ?? String(chapters.list.length)}
            onPress={chapters.open}
          >
            Chapters
          </Row>
        ) : null}
        {onSearch ? (
          <Row icon={<ALargeSmall />} more="Aa" onPress={onLook}>
            How the text is shown
          </Row>
        ) : null}
      </ul>
      <div className="mt-2 flex gap-2 border-t border-rule pt-3">
        <Button
          className="flex-1 px-2!"
          icon={<Copy />}
          onClick={() => {
            close()
            copyPart(given, text, cuts.now)
          }}
        >
          Copy
        </Button>
        <Button
          className="flex-1 px-2!"
          icon={<Download />}
          onClick={() => {
            close()
            void downloadResult(given, transcription)
          }}
        >
          Download
        </Button>
        {player ? (
          <SpeedMenu
            player={player}
            size="medium"
            onShortcuts={() => view.open({ kind: 'keys' })}
          />
        ) : null}
      </div>
    </SidePanel>
  )
}

function Row({
  icon,
  more,
  onPress,
  children,
}: {
  icon: ReactNode
  more?: string
  onPress: () => void
  children: string
}) {
  return (
    <li>
      <button
        type="button"
        className="-mx-1 flex min-h-13 w-[calc(100%+0.5rem)] items-center gap-3 rounded-control px-1 text-left text-ui hover:bg-paper-2 [&_svg]:size-6 [&_svg]:text-ink-2"
        onClick={onPress}
      >
        {icon}
        <span className="flex-1 whitespace-nowrap">{children}</span>
        {more ? (
          <span dir="auto" className="truncate text-small text-ink-2 tabular-nums">
            {more}
          </span>
        ) : null}
      </button>
    </li>
  )
}
