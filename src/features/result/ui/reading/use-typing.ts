import { type FormEvent, useEffect, useLayoutEffect, useRef } from 'react'

import { tidyText } from '#shared/written.ts'

/**
 * The text that is typed into the field of a turn. The browser itself undoes it, as in every field. `isTyped`
 * says whether there is something for it to undo or to redo.
 */
export function useTyping({
  first,
  stored,
  isStored,
  onType,
}: {
  /** The text that the field has at first. */
  first: string
  /** The text that is stored. */
  stored: string
  /** Everything that was typed is stored. */
  isStored: boolean
  onType: (text: string) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const isTyped = useRef(false)
  // Not as `defaultValue`: React writes that anew with each letter, and then Chromium undoes letter
  // by letter.
  useLayoutEffect(() => {
    if (field.current) field.current.value = first
  }, [first])
  useEffect(() => {
    const element = field.current
    // The stored text has changed, for example by undo, so the field shows it. The user's own text
    // comes back without its outer spaces: that is no change, and the field keeps the spaces.
    if (!element || !isStored || tidyText(element.value) === stored) return
    element.value = stored
    isTyped.current = false
  }, [stored, isStored])
  const onInput = ({ currentTarget }: FormEvent<HTMLTextAreaElement>) => {
    isTyped.current = true
    onType(currentTarget.value)
  }
  return { field, isTyped, onInput }
}
