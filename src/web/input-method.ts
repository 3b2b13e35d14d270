/**
 * Keeps keys of input methods from the page. Japanese, Chinese, Korean and many more are typed with
 * them: there Enter, Escape, arrows and digits choose the characters. Import this file first in every
 * script of a page: then no handler hears those keys, neither ours nor a library's.
 */

/** Safari ends the composing before it sends the key that ended it; such a key has no code but 229. */
export const isOfInputMethod = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => isComposing || keyCode === 229

addEventListener(
  'keydown',
  (event) => {
    if (isOfInputMethod(event)) event.stopImmediatePropagation()
  },
  { capture: true },
)
