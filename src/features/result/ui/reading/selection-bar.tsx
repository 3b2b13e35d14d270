import { Ellipsis, Link, Play, Quote, Scissors, Undo2 } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react'

import type { CutAct } from '#features/cuts/ui/use-cuts.ts'
import { useAddTerm } from '#features/vocabulary/ui/queries.ts'
import { copyToClipboard } from '#web/clipboard.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { type ToastWords, toast } from '#web/ui/toast.tsx'
import { useMedia } from '#web/use-media.ts'

import { isCovered } from '../keys/single-keys.ts'
import { useReadingKeys } from '../keys/use-reading-keys.ts'
import type { Selection } from './use-selection.ts'

/** The acts that selected words offer. One that cannot be done here is null. */
export interface SelectionActs {
  quote: () => Parameters<typeof copyToClipboard>[0]
  link: () => string
  /** The same for people without this account; null where no link shows them the text. */
  linkForOthers: () => Promise<string | null>
  play: (() => void) | null
  cut: CutAct | null
  correct: (() => void) | null
  clip: (() => void) | null
  /** As they stand in the text. */
  words: () => string
  ask: () => void
  hide: (() => void) | null
}

/** Copies, and says so. Afterwards it may offer one thing more. */
async function copy(
  text: ReturnType<SelectionActs['quote']>,
  title: string,
  more?: () => Promise<ToastWords['action'] | null>,
): Promise<void> {
  try {
    await copyToClipboard(text)
  } catch {
    return toast({ title: 'Could not copy to clipboard', variant: 'destructive' })
  }
  const action = await more?.().catch(() => null)
  toast({ title, ...(action ? { action } : {}) })
}

/**
 * Floats over selected words; on a narrow screen it is a strip above the player, because the system's
 * own bar lies over the text. It never takes the focus, and so the selection stays.
 */
export function SelectionBar({
  selection: { place },
  acts,
}: {
  selection: Selection
  acts: SelectionActs
}) {
  const bar = useRef<HTMLDivElement>(null)
  const addTerm = useAddTerm()
  const isWide = useMedia('(width >= 64rem)')
  const copyQuote = () => void copy(acts.quote(), 'Quote copied')
  const copyLink = () =>
    void copy(acts.link(), 'Link copied. It opens for you alone.', async () => {
      const link = await acts.linkForOthers()
      if (link === null) return null
      const onPress = () => void copy(link, 'Link copied. It opens for others too.')
      return { label: 'Copy for others', onPress }
    })
  useEscape()
  useReadingKeys({
    quote: copyQuote,
    'quote-link': copyLink,
    'selected-words': () => bar.current?.querySelector('button')?.focus(),
  })
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons have the focus, one by one
    <div
      ref={bar}
      role="toolbar"
      aria-label="Selected words"
      data-foot={isWide ? undefined : ''}
      data-strip={isWide ? undefined : ''}
      className={
        isWide
          ? 'absolute z-5 has-[[role=menu]]:z-30 flex h-11 animate-fade-in items-center rounded-panel border border-rule bg-card px-1 shadow-float print:hidden'
          : 'fixed inset-x-0 bottom-[calc(var(--player-height,0px)+env(safe-area-inset-bottom))] z-20 has-[[role=menu]]:z-30 flex h-14 items-center justify-between overflow-x-auto border-t border-rule bg-paper-2 px-2 print:hidden'
      }
      style={
        isWide
          ? {
              left: Math.max(0, place.left - 16),
              top: place.isUnderTop ? place.bottom + 6 : place.top - 50,
            }
          : undefined
      }
      // A press leaves the focus and the selection where they are.
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => moveIn(bar, event)}
    >
      <output className="sr-only">Words selected, Alt Down for what to do</output>
      <Act icon={<Quote />} onPress={copyQuote}>
        Copy quote
      </Act>
      <Act icon={<Link />} onPress={copyLink} tip="A link to these words. It opens for you alone.">
        Copy link
      </Act>
      {acts.play ? (
        <Act icon={<Play />} onPress={acts.play}>
          Play
        </Act>
      ) : null}
      {acts.cut ? (
        <>
          <span aria-hidden="true" className="mx-1 h-6 w-px bg-rule max-lg:hidden" />
          <Act icon={acts.cut.label === 'Cut' ? <Scissors /> : <Undo2 />} onPress={acts.cut.run}>
            {acts.cut.label}
          </Act>
        </>
      ) : null}
      <DropdownMenu
        trigger={
          <IconButton label="More for the selected words">
            <Ellipsis />
          </IconButton>
        }
      >
        {acts.correct ? <MenuItem onSelect={acts.correct}>Correct</MenuItem> : null}
        {acts.clip ? <MenuItem onSelect={acts.clip}>Make a clip…</MenuItem> : null}
        <MenuItem onSelect={() => void addTerm(acts.words())}>Add to vocabulary</MenuItem>
        <MenuItem onSelect={acts.ask}>Ask about this</MenuItem>
        {acts.hide ? <MenuItem onSelect={acts.hide}>Hide a name…</MenuItem> : null}
      </DropdownMenu>
    </div>
  )
}

/** Escape lets the words go. It is heard before a panel, which would close over it. */
function useEscape(): void {
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || isCovered()) return
      event.preventDefault()
      getSelection()?.removeAllRanges()
    }
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

/** Arrow keys go from button to button. */
function moveIn(bar: RefObject<HTMLElement | null>, event: KeyboardEvent): void {
  const buttons = [...(bar.current?.querySelectorAll<HTMLElement>(':scope > button') ?? [])]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  if (at < 0) return
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!step) return
  buttons[(at + step + buttons.length) % buttons.length]?.focus()
  event.preventDefault()
  event.stopPropagation()
}

function Act({
  icon,
  tip,
  onPress,
  children,
}: {
  icon: ReactNode
  tip?: string
  onPress: () => void
  children: string
}) {
  return (
    <Button
      size="small"
      variant="quiet"
      icon={icon}
      data-tip={tip}
      className={classes(
        'px-2.5! text-ink! hover:bg-paper-2 max-sm:px-1.5! max-sm:[&>svg]:hidden max-[22rem]:px-1! max-[22rem]:text-fine!',
      )}
      onClick={onPress}
    >
      {children}
    </Button>
  )
}
