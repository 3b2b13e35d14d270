/**
 * The view of a result: the panel beside its text, the dialog over it, and whose turns are shown. All of
 * them are opened and closed here, so that two are never open in the same place.
 */
import { useState } from 'react'

import type { MadeFile } from '#features/library/ui/later-rooms.ts'
import type { WordTurn } from '#features/text/contract.ts'

/** A panel beside the text, or over its edge. One is open at a time. */
export type Beside =
  /** `isLed`: the address has asked for it, so it takes no focus. */
  | { kind: 'find'; isLed?: true }
  | { kind: 'replace' }
  /** `most`: after how many words the sitting ends; null for all of them. */
  | { kind: 'check'; most: number | null }
  | { kind: 'ask' }
  | { kind: 'chapters' }
  /** Ums, repeats and pauses that may be taken out. */
  | { kind: 'tidy' }
  /** A name that is to be hidden; `words` were selected, or are empty. */
  | { kind: 'hide'; words: string }
  /** A stretch that may become a file of its own, in milliseconds. */
  | { kind: 'clip'; passage: { startMs: number; endMs: number } }
  /** On a narrow screen: the list of what else there is. */
  | { kind: 'tools' }

/** A dialog over the text and its panel, which stay as they are. */
export type Over =
  | { kind: 'look' }
  | { kind: 'keys' | 'again' }
  /** `file`: it is given away alone. */
  | { kind: 'share'; file?: MadeFile }
  | { kind: 'rename' | 'about' | 'recorded' | 'tag' | 'versions' | 'delete-recording' }
  | { kind: 'write-again' | 'cut-export' }
  | { kind: 'name'; naming: Naming }

/** The speaker to be named. A form opened from a turn can also change the speaker of that turn. */
export interface Naming {
  speaker: number | null
  turn: WordTurn | null
}

type Kind = (Beside | Over)['kind']

const besides: readonly Kind[] = [
  'find',
  'replace',
  'check',
  'ask',
  'chapters',
  'tidy',
  'hide',
  'clip',
  'tools',
]
const isBeside = (one: Beside | Over): one is Beside => besides.includes(one.kind)

export type View = ReturnType<typeof useView>

interface Opened {
  beside: Beside | null
  over: Over | null
  /** The elements that opened them, and get the focus back. */
  besideFrom: HTMLElement | null
  overFrom: HTMLElement | null
}

const nothing: Opened = { beside: null, over: null, besideFrom: null, overFrom: null }

export function useView() {
  const [opened, setOpened] = useState(nothing)
  const [only, setOnly] = useState<number | null>(null)
  const [panelPlace, setPanelPlace] = useState<HTMLElement | null>(null)
  return {
    /** Null for nothing. */
    ...opened,
    /** Opens it in the place of what was there. `from` gets the focus back. */
    open: (next: Beside | Over, from = document.activeElement as HTMLElement | null) =>
      setOpened((now) =>
        isBeside(next)
          ? {
              ...now,
              beside: next,
              over: null,
              // From a panel that the list opened, the focus goes back to the button of the list.
              besideFrom: now.beside?.kind === 'tools' ? now.besideFrom : from,
            }
          : { ...now, over: next, overFrom: from },
      ),
    /** Changes what is open beside the text, where it is of this kind. */
    change: (next: Beside) =>
      setOpened((now) => (now.beside?.kind === next.kind ? { ...now, beside: next } : now)),
    /** Closes it, if it is what is open. */
    close: (kind: Kind) =>
      setOpened((now) => ({
        ...now,
        beside: now.beside?.kind === kind ? null : now.beside,
        over: now.over?.kind === kind ? null : now.over,
      })),
    /** Closes what belongs to the text. */
    closeBeside: () => setOpened((now) => ({ ...now, beside: null })),
    /** Gives the focus back to what has opened the thing beside the text, if it is still in sight. */
    focusBack: (): boolean => {
      const { besideFrom: element } = opened
      if (!element || element === document.body || element.getClientRects().length === 0)
        return false
      // A tab is opened by the focus: that of another would take the page away.
      if (element.matches('[role=tab]:not([aria-selected=true])')) return false
      element.focus({ preventScroll: true })
      return true
    },
    /** Whose turns are shown; null for everybody's. */
    only,
    setOnly,
    /** Where panels belong while a picture stands beside the text; null elsewhere. */
    panelPlace,
    setPanelPlace,
  }
}
