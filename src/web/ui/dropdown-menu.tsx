import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  cloneElement,
  useState,
} from 'react'

import { fetchPart, lazyPart } from '../lazy-part.ts'
import type * as Parts from './menu-parts.tsx'

const load = () => import('./menu-parts.tsx')
const OpenMenu = lazyPart(load, ({ OpenMenu }) => OpenMenu)

type TriggerProps = Pick<
  ComponentProps<'button'>,
  'aria-haspopup' | 'aria-expanded' | 'onClick' | 'onKeyDown'
>

/**
 * `<DropdownMenu trigger={<Button>…</Button>} label?><MenuItem icon onSelect>…</MenuItem><MenuLink to>…
 * </MenuLink><MenuSeparator /></DropdownMenu>`. The page behind stays scrollable. The code of menus is
 * fetched when the page is quiet, or with the first press.
 */
export function DropdownMenu({
  trigger,
  ...menu
}: {
  trigger: ReactElement<TriggerProps>
  /** Name of the menu where the trigger's own name does not say it. */
  label?: string
  align?: 'start' | 'center' | 'end'
  children: ReactNode
}) {
  const [askedBy, setAskedBy] = useState<'key' | 'pointer' | null>(null)
  const open = (by: 'key' | 'pointer') => {
    const show = () => setAskedBy(by)
    // The trigger keeps the focus until there is a menu to take it. Code that fails to load is asked
    // for once more when the menu is drawn, and then it says so.
    void fetchPart(load).then(show, show)
  }
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // A click by Enter or the space bar has a detail of 0.
    onClick: (event: MouseEvent) => open(event.detail === 0 ? 'key' : 'pointer'),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      open('key')
    },
  })
  if (!askedBy) return closed
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={trigger} isByKey={askedBy === 'key'} {...menu} />
    </Suspense>
  )
}

// These are drawn only inside an open menu, when their code is there.
export const MenuItem = lazyPart(load, ({ MenuItem }) => MenuItem)
export const MenuLink = lazyPart(load, ({ MenuLink }) => MenuLink)
export const MenuSeparator = lazyPart(load, ({ MenuSeparator }) => MenuSeparator)
export const MenuLabel = lazyPart(load, ({ MenuLabel }) => MenuLabel)
export const MenuCheck = lazyPart(load, ({ MenuCheck }) => MenuCheck)
export const SubMenu = lazyPart(load, ({ SubMenu }) => SubMenu)
export const MenuRadioGroup = lazyPart(
  load,
  ({ MenuRadioGroup }) => MenuRadioGroup,
) as typeof Parts.MenuRadioGroup
