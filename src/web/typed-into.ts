const FIELDS =
  'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range], [type=file])'

/** Whether letters are typed there: then no key is a command, and a phone shows its keyboard. */
export const isTypedInto = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null
