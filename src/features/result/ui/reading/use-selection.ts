import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

import type { ResultText } from '../text.ts'
import type { Letters } from './highlights.ts'
import { type SelectedWords, lettersIn, wordsOf } from './selected-words.ts'

/** A selection rests so long before its bar comes. */
const RESTS_MS = 250

export interface Selection extends SelectedWords {
  /** Where its first and its last line stand, in pixels from what holds the text. */
  place: { left: number; top: number; bottom: number; isUnderTop: boolean }
}

/** How much the bar needs above the first line, below what covers the top of the page. */
const ROOM_PX = 124 + 50

/** The letters that are selected in the text at this moment, in whole words. */
export function selectedLetters(list: HTMLElement | null): Letters[] {
  const range = selectedRange()
  return list && range?.intersectsNode(list) ? lettersIn(list, range) : []
}

function selectedRange(): Range | null {
  const selected = getSelection()
  return selected && !selected.isCollapsed ? selected.getRangeAt(0) : null
}

/** The words that are selected in the text, once the selection rests; null without one. */
export function useSelection(
  { words, places }: Pick<ResultText, 'words' | 'places'>,
  list: RefObject<HTMLElement | null>,
): Selection | null {
  const [selection, setSelection] = useState<Selection | null>(null)
  const look = useEffectEvent(() => {
    const box = list.current
    const said = wordsOf(selectedLetters(box), { turns: words.turns, places })
    const lines = selectedRange()?.getClientRects() ?? []
    const [first] = lines
    const last = [...lines].at(-1)
    if (!box || !said || !first || !last) return setSelection(null)
    const { left, top } = (box.offsetParent ?? box).getBoundingClientRect()
    setSelection({
      ...said,
      place: {
        left: first.left - left,
        top: first.top - top,
        bottom: last.bottom - top,
        isUnderTop: first.top < ROOM_PX,
      },
    })
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const change = () => {
      clearTimeout(timer)
      setSelection(null)
      if (getSelection()?.isCollapsed === false) timer = setTimeout(() => look(), RESTS_MS)
    }
    document.addEventListener('selectionchange', change)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('selectionchange', change)
    }
  }, [])
  return selection
}
