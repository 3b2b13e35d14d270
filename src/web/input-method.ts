/**
 * Keys of input methods, by which Japanese, Chinese, Korean and many more are typed: Enter, Escape,
 * arrows and digits choose what is written there, and mean nothing to the page. Import it first in
 * every script of a page: what it keeps back is heard by no handler, neither ours nor a library's.
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
