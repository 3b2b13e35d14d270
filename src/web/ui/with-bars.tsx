/**
 * Words that are hidden for others, on the pages of who has hidden them: a bar stands over each, and a
 * press on it shows the word for ten seconds. Nothing moves when it does.
 */
import { Fragment, type ReactNode, createContext, use, useMemo } from 'react'

import { type Barred, SAID, type Veil, noVeil } from '#shared/bars.ts'
import type { HiddenForOthers } from '#shared/veil.ts'

import { useHidesWhatLeaves } from '../for-others.ts'
import { loadAgain } from '../load-again.ts'
import type * as shownWord from './shown-word.tsx'

let loaded: typeof shownWord | undefined
let loading: Promise<typeof shownWord> | undefined

/** Loads what finds words and shows them: no text needs it before something is hidden. */
export function loadVeil(): Promise<typeof shownWord> {
  loading ??= import('./shown-word.tsx').catch(loadAgain).then((module) => (loaded = module))
  return loading
}

const VeilContext = createContext(noVeil)

/** What puts bars over a text; where nothing is hidden it finds none. */
export const useVeil = (): Veil => use(VeilContext)

/**
 * Puts bars over hidden words in all that is shown inside, and in all that is copied while it is there.
 * Nothing is shown before what finds them is loaded.
 */
export function Veiled({
  of: { hiddenForOthers = [], language },
  children,
}: {
  of: { hiddenForOthers?: HiddenForOthers[] | undefined; language: string | null }
  children: ReactNode
}) {
  const isWithin = !useVeil().isEmpty
  const parts = loaded ?? (hiddenForOthers.length > 0 ? use(loadVeil()) : undefined)
  // What is asked for again is another list with the same words.
  const key = JSON.stringify(hiddenForOthers)
  const veil = useMemo(
    () => parts?.veilOf(JSON.parse(key) as HiddenForOthers[], language) ?? noVeil,
    [parts, key, language],
  )
  useHidesWhatLeaves(veil)
  return (
    <VeilContext value={veil}>
      {children}
      {parts && !isWithin ? <parts.ShownWord /> : null}
    </VeilContext>
  )
}

/** A text with bars over what is hidden in it. */
export function WithBars({
  text,
  isPlain = false,
}: {
  text: string
  /** Within a button or a link, where nothing else can be pressed. */
  isPlain?: boolean
}): ReactNode {
  return barred(text, useVeil(), isPlain)
}

/** The same where many texts are drawn: a text without bars takes no component. */
export function barred(text: string, { barsIn }: Veil, isPlain = false): ReactNode {
  const bars = barsIn(text)
  if (bars.length === 0) return text
  return (
    <>
      {bars.map((bar, at) => (
        <Fragment key={bar.from}>
          {text.slice(bars[at - 1]?.to ?? 0, bar.from)}
          {isPlain || bar.isForGood || !loaded ? (
            <Redacted {...bar} />
          ) : (
            <loaded.PressedBar
              {...bar}
              word={text.slice(bar.from, bar.to)}
              className={lookOf(bar)}
            />
          )}
        </Fragment>
      ))}
      {text.slice(bars.at(-1)?.to ?? 0)}
    </>
  )
}

/** "[name]" is read; the blocks of a bar are one. */
const lookOf = ({ mark }: Barred): string =>
  mark.startsWith('[') ? '' : 'inline-block rounded-[3px] bg-ink leading-[1.35] text-ink'

/** `data-letters`: how many letters of the text it stands for. */
function Redacted(bar: Barred) {
  const className = lookOf(bar)
  return (
    <span
      {...(className && { className, role: 'img', 'aria-label': SAID })}
      data-letters={bar.to - bar.from}
    >
      {bar.mark}
    </span>
  )
}
