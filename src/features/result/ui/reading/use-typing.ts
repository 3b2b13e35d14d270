import { useEffect, useEffectEvent, useRef } from 'react'

import {
  type Moment,
  beginRuns,
  isUntouched,
  redoRun,
  undoRun,
  withInput,
} from '#features/text/ui/typing-runs.ts'
import { tidyText } from '#shared/written.ts'

/** What is typed into the field of a turn: noted in runs, and shown as it was before and after each. */
export function useTyping({
  stored,
  first,
  cursor,
  isStored,
  onType,
  onAsked,
}: {
  /** The text that is stored, and what the field had at first. */
  stored: string
  first: string
  cursor: { from: number; to: number }
  /** Nothing of what was typed waits to be stored. */
  isStored: boolean
  onType: (text: string) => void
  /** An entry of the browser's menus was chosen. */
  onAsked: (kind: 'undo' | 'redo') => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const runs = useRef(beginRuns({ text: first, ...cursor }))
  useEffect(() => {
    const element = field.current
    // The stored text has changed, for example by undo, so the field shows it. The user's own text
    // comes back without its outer spaces: that is no change, and the field keeps the spaces.
    if (!element || !isStored || tidyText(element.value) === stored) return
    element.value = stored
    runs.current = beginRuns(momentOf(element))
  }, [stored, isStored])

  /** Shows a run before or after. True also where there is none, but something was typed here. */
  const step = (by: typeof undoRun): boolean => {
    const next = by(runs.current)
    const element = field.current
    if (!next || !element) return !isUntouched(runs.current)
    runs.current = next
    element.value = next.now.text
    element.setSelectionRange(next.now.from, next.now.to)
    onType(element.value)
    return true
  }
  const insert = (words: string) => {
    const element = field.current
    if (!element) return
    const { selectionStart: from, selectionEnd: to } = element
    element.setRangeText(words, from, to, 'end')
    note(element, { from, to, inputType: '' })
  }
  const note = (
    element: HTMLTextAreaElement,
    input: Omit<Parameters<typeof withInput>[1], 'now' | 'atMs'>,
  ) => {
    const moment = { now: momentOf(element), atMs: performance.now() }
    runs.current = withInput(runs.current, { ...input, ...moment })
    onType(element.value)
  }
  const selected = useRef(cursor)
  const onBeforeInput = useEffectEvent((event: InputEvent, element: HTMLTextAreaElement) => {
    selected.current = { from: element.selectionStart, to: element.selectionEnd }
    // The entries of the browser's menus.
    const asked = /^history(Undo|Redo)$/.exec(event.inputType)?.[1]
    if (!asked) return
    event.preventDefault()
    onAsked(asked === 'Undo' ? 'undo' : 'redo')
  })
  const onInput = useEffectEvent((event: Event, element: HTMLTextAreaElement) => {
    const inputType = event instanceof InputEvent ? event.inputType : ''
    note(element, { ...selected.current, inputType })
  })
  useEffect(() => {
    const element = field.current
    if (!element) return
    const before = (event: InputEvent) => onBeforeInput(event, element)
    const input = (event: Event) => onInput(event, element)
    element.addEventListener('beforeinput', before)
    element.addEventListener('input', input)
    return () => {
      element.removeEventListener('beforeinput', before)
      element.removeEventListener('input', input)
    }
  }, [])
  return { field, undo: () => step(undoRun), redo: () => step(redoRun), insert }
}

const momentOf = ({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Moment => ({
  text: value,
  from: selectionStart,
  to: selectionEnd,
})
