import {
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'

import { WIDE } from '#features/chapters/ui/use-chapters.ts'
import { turnsForOthers } from '#features/text/ui/turns-for-others.ts'
import type { Player } from '#web/player.ts'
import { tellHeight } from '#web/tell-height.ts'
import { useMedia } from '#web/use-media.ts'
import { usePanelTop } from '#web/ui/panel-top.ts'
import { useVeil } from '#web/ui/with-bars.tsx'

import { TextRail } from '../rail.tsx'
import type { Result } from '../result.ts'
import { captions } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import { useCaptions } from './captions.ts'
import { PictureWidth } from './picture-width.tsx'
import { usePlayerState } from './use-player.ts'
import { Screen, type ScreenPlace, listenTo } from './screen.tsx'

/**
 * The picture of a video: beside the text, above it on narrow screens, and small over the tabs that
 * show neither text nor turns.
 */
export function Picture({
  result,
  player,
  screen,
  isHome,
  place,
  onTab,
}: {
  result: Result
  player: Player
  screen: HTMLVideoElement
  /** The open tab is one to which the picture belongs. */
  isHome: boolean
  /** Between the row of tabs and the text. */
  place: HTMLElement | null
  onTab: (tab: 'summary') => void
}) {
  const { transcription, words } = result.text
  const { originalName: name, language, duration } = transcription
  const { isPlaying } = usePlayerState(player)
  const isWide = useMedia(WIDE)
  const hasCaptions = useSetting(captions)
  const isAway = useIsAway(screen)
  const [small, setSmall] = useState<'none' | 'shown' | 'closed'>('none')
  if (isHome && small !== 'none') setSmall('none')
  if (!isHome && small === 'none' && isPlaying && !isAway) setSmall('shown')
  const veil = useVeil()
  // They are seen by all who are in the room.
  const turns = useMemo(() => turnsForOthers(words.turns, veil), [words.turns, veil])
  useCaptions(screen, {
    // The small picture has no room for them.
    isShown: hasCaptions && (isHome || isAway),
    turns,
    language,
    duration,
    onChange: (isShown) => {
      if (isHome && isShown !== hasCaptions) captions.set(isShown)
    },
  })

  const show = (place: ScreenPlace) => (
    <Screen {...{ player, screen, place, name }} onClose={() => setSmall('closed')} />
  )
  if (!isHome)
    return small === 'shown' && !isAway ? (
      <div className="fixed right-4 bottom-[calc(var(--player-height,0px)+1rem+env(safe-area-inset-bottom))] z-10 w-60 animate-fade-in overflow-hidden rounded-panel shadow-float print:hidden">
        {show('small')}
      </div>
    ) : null
  if (!place?.parentElement) return null
  return createPortal(
    isWide ? (
      <Beside {...{ result, onTab }} grid={place.parentElement}>
        {show('beside')}
      </Beside>
    ) : (
      <Above>{show('above')}</Above>
    ),
    place,
  )
}

/** Whether the picture has a window of its own, which the browser makes. */
const useIsAway = (screen: HTMLVideoElement): boolean =>
  useSyncExternalStore(
    (listener) => listenTo(screen, ['enterpictureinpicture', 'leavepictureinpicture'], listener),
    () => document.pictureInPictureElement === screen,
  )

/**
 * Over the whole width, under the tabs, which stay where they are when it goes. They scroll away, and it
 * sticks under the head.
 */
function Above({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  // What is read stays below it.
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const isStuck = () => getComputedStyle(element).position === 'sticky'
    return tellHeight('--picture-height', element, () => (isStuck() ? element.offsetHeight : 0))
  }, [])
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset['reads'] = 'picture'
    return () => {
      if (dataset['reads']) dataset['reads'] = ''
    }
  }, [])
  return (
    <div ref={box} className="tall:sticky top-(--below-head) z-10 -mx-4 sm:-mx-6 print:hidden">
      {children}
    </div>
  )
}

/** The column at the left of the text: the picture, and under it a panel or what is in short. */
function Beside({
  result,
  onTab,
  grid,
  children,
}: {
  result: Result
  onTab: (tab: 'summary') => void
  grid: HTMLElement
  children: ReactNode
}) {
  const {
    sound: { chapters },
    view: { setPanelPlace },
  } = result
  const column = useRef<HTMLDivElement>(null)
  usePanelTop(column)
  return (
    <div className="relative h-full print:hidden">
      <div
        ref={column}
        className="sticky top-(--below-tabs) flex max-h-[calc(100dvh-var(--panel-top,var(--below-tabs))-var(--player-height,0px))] flex-col pt-6 pr-3 has-[>.peer_textarea]:[&>figure]:max-h-[26dvh]! has-[>.peer:not(:empty)]:[&>figure]:max-h-[38dvh]"
      >
        {children}
        <div
          ref={setPanelPlace}
          className="peer flex min-h-0 flex-col empty:hidden *:static! *:h-auto! *:max-h-none! *:min-h-0 *:py-5!"
        />
        <aside
          aria-label="In short"
          // A part that scrolls is reached by keys: through its buttons, or else by itself.
          tabIndex={chapters.list.length > 0 || chapters.canEdit ? undefined : 0}
          className="@container -mx-2 min-h-0 overflow-y-auto px-2 peer-not-empty:hidden"
        >
          <div className="grid gap-x-8 gap-y-7 py-6 @lg:grid-cols-2">
            <TextRail {...{ result, onTab }} />
          </div>
        </aside>
      </div>
      <PictureWidth grid={grid} />
    </div>
  )
}
