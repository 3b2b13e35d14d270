import {
  type ComponentType,
  type KeyboardEvent,
  type ReactElement,
  cloneElement,
  useEffect,
  useRef,
  useState,
} from 'react'

import { later, whenThereAreKeys } from '#web/later.tsx'

import type { MenuProps } from './dropdown-menu.tsx'

/**
 * A menu that comes when its button is pressed for the first time, and then opens: most people never
 * open it. Where there are keys it comes before, because keys open it at its first entry.
 *
 * The button is replaced when the menu comes, also between the two halves of a press. So the press is
 * heard when it begins, and also while the menu is on its way. It moves no focus: it would go to the
 * page, because the pressed button is gone, and the menu that has just opened would close.
 */
export function laterMenu<Given extends object>(
  load: () => Promise<ComponentType<Given & MenuProps>>,
): (given: Given & MenuProps) => ReactElement {
  const closed = ({ trigger }: MenuProps) =>
    cloneElement(trigger, { 'aria-haspopup': 'menu', 'aria-expanded': false })
  const Menu = later(load, closed)
  return function LaterMenu(given) {
    const [isHere, setHere] = useState(false)
    const [openedBy, setOpenedBy] = useState<MenuProps['openedBy']>(null)
    const place = useRef<HTMLSpanElement>(null)
    useEffect(
      () =>
        whenThereAreKeys(async () => {
          await load().catch(() => undefined)
          // Its button is another one then, and a focus would be lost.
          if (!place.current?.contains(document.activeElement)) setHere(true)
        }),
      [],
    )
    const trigger = cloneElement(given.trigger, {
      onPointerDown: () => setOpenedBy('pointer'),
      // A click without a place is that of a key.
      onClick: ({ detail }) =>
        setOpenedBy((before) => before ?? (detail === 0 ? 'key' : 'pointer')),
    })
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpenedBy('key')
    }
    return (
      <span
        ref={place}
        role="presentation"
        className="contents"
        onMouseDown={(event) => event.preventDefault()}
      >
        {isHere || openedBy ? (
          <Menu {...given} trigger={trigger} openedBy={openedBy} />
        ) : (
          closed({ trigger: cloneElement(trigger, { onKeyDown }) })
        )}
      </span>
    )
  }
}
