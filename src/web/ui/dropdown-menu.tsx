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
    // The trigger keeps the focus until there is a menu to take it. Code that cannot be had is asked
    // for once more when the menu is drawn, and then it says so.
    void fetchPart(load).then(show, show)
  }
  const closed = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    // A press by Enter or the space bar is a click that was made without clicks.
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

// Only ever drawn inside an open menu, when their code is there.
export const MenuItem = lazyPart(load, ({ MenuItem }) => MenuItem)
export const MenuLink = lazyPart(load, ({ MenuLink }) => MenuLink)
export const MenuSeparator = lazyPart(load, ({ MenuSeparator }) => MenuSeparator)
export const MenuLabel = lazyPart(load, ({ MenuLabel }) => MenuLabel)
export const MenuCheck = lazyPart(load, ({ MenuCheck }) => MenuCheck)
export const SubMenu = lazyPart(load, ({ SubMenu }) => SubMenu)
const RadioGroup = lazyPart(load, ({ MenuRadioGroup }) => MenuRadioGroup)

/** One of several: `<MenuRadioGroup value onValueChange options={[{ value, label }]} />`. */
export function MenuRadioGroup<Value extends string>({
  value,
  onValueChange,
  options,
}: {
  value: Value
  onValueChange: (value: Value) => void
  options: readonly { value: Value; label: string }[]
}) {
  return (
    <RadioGroup
      value={value}
      options={options}
      onValueChange={(chosen) => {
        const option = options.find((one) => one.value === chosen)
        if (option) onValueChange(option.value)
      }}
    />
  )
}
