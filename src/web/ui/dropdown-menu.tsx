import { Check, ChevronRight } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import {
  type ComponentProps,
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  createContext,
  useContext,
  useRef,
  useState,
} from 'react'
import { Link } from 'react-router'

import { classes } from './classes.ts'

export interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>
  /** Open from the start: its button was pressed before it came (see later-menu.tsx). */
  openedBy?: 'pointer' | 'key' | null
}

/**
 * `<DropdownMenu trigger={<Button>…</Button>} label?><MenuItem icon onSelect>…</MenuItem><MenuLink to>…
 * </MenuLink><MenuSeparator /></DropdownMenu>`. The page behind stays scrollable.
 */
export function DropdownMenu({
  trigger,
  label,
  align = 'end',
  openedBy = null,
  children,
}: MenuProps & {
  /** Name of the menu where the trigger's own name does not say it. */
  label?: string
  align?: 'start' | 'center' | 'end'
  children: ReactNode
}) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const isAtNone = useRef(openedBy === 'key')
  // Radix leads a key to the first entry. One that was pressed before the menu came, it does not know of.
  const goToFirst = ({ target, currentTarget }: FocusEvent) => {
    if (!isAtNone.current || target !== currentTarget) return
    isAtNone.current = false
    currentTarget.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
  }
  return (
    <Radix.Root modal={false} defaultOpen={openedBy !== null}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <div ref={setPlace} className="contents" />
      <Radix.Portal container={place}>
        <Radix.Content
          align={align}
          sideOffset={10}
          collisionPadding={16}
          className={contentClasses}
          onFocus={goToFirst}
          // What an item has opened may have the focus, and keeps it.
          onCloseAutoFocus={(event) => {
            if (document.activeElement !== document.body) event.preventDefault()
          }}
          {...(label ? { 'aria-label': label } : {})}
        >
          <MenuPlace value={place}>{children}</MenuPlace>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/**
 * Where menus are put in the document: beside their trigger, so that they belong to the same
 * landmark of the page. At the end of the body they would belong to none.
 */
const MenuPlace = createContext<HTMLElement | null>(null)

const contentClasses =
  'z-30 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-2rem)] min-w-[min(14rem,calc(100vw-2rem))] overflow-y-auto rounded-panel border border-rule bg-card p-1.5 text-ui text-ink shadow-float ' +
  'data-[state=open]:animate-fade-in data-[state=closed]:animate-fade-out'

const itemClasses =
  'flex min-h-11 cursor-pointer items-center gap-3 rounded-[4px] px-3 py-2 outline-none select-none sm:min-h-9 pointer-coarse:min-h-11 ' +
  'data-highlighted:bg-paper-2 data-disabled:cursor-not-allowed data-disabled:text-ink-3 ' +
  '[&_svg]:size-5 [&_svg]:shrink-0 [&_svg]:text-ink-2'

export function MenuItem({
  icon,
  danger = false,
  className,
  children,
  ...item
}: ComponentProps<typeof Radix.Item> & { icon?: ReactNode; danger?: boolean }) {
  return (
    <Radix.Item {...item} className={classes(itemClasses, danger && 'text-danger', className)}>
      {icon}
      {children}
    </Radix.Item>
  )
}

/** An item that leads to a path of the app. */
export function MenuLink({
  to,
  reloadDocument = false,
  icon,
  className,
  children,
}: {
  to: string
  /** Loads the page, for links to documents without the app. */
  reloadDocument?: boolean
  icon?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <Radix.Item asChild>
      <Link
        to={to}
        reloadDocument={reloadDocument}
        className={classes(itemClasses, 'no-underline', className)}
      >
        {icon}
        {children}
      </Link>
    </Radix.Item>
  )
}

export function MenuSeparator({ className }: { className?: string }) {
  return <Radix.Separator className={classes('mx-3 my-1.5 h-px bg-rule', className)} />
}

/** Text that is not an item, for example whose account this is. */
export function MenuLabel({ className, children }: { className?: string; children: ReactNode }) {
  return <Radix.Label className={classes('px-3 py-2', className)}>{children}</Radix.Label>
}

/** A menu in the menu: `<SubMenu icon label="Theme">…</SubMenu>`. */
export function SubMenu({
  icon,
  label,
  children,
}: {
  icon?: ReactNode
  label: ReactNode
  children: ReactNode
}) {
  const place = useContext(MenuPlace)
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={classes(itemClasses, 'data-[state=open]:bg-paper-2')}>
        {icon}
        <span className="flex-1">{label}</span>
        <ChevronRight />
      </Radix.SubTrigger>
      <Radix.Portal container={place}>
        <Radix.SubContent
          sideOffset={4}
          collisionPadding={16}
          className={classes(contentClasses, 'min-w-[min(10rem,calc(100vw-4rem))]!')}
        >
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  )
}

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
  const choose = (chosen: string) => {
    const option = options.find((one) => one.value === chosen)
    if (option) onValueChange(option.value)
  }
  return (
    <Radix.RadioGroup value={value} onValueChange={choose}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={itemClasses}>
          <span className="flex-1">{option.label}</span>
          <Radix.ItemIndicator>
            <Check />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

/** Something that is on or off. */
export function MenuCheck({
  checked,
  onCheckedChange,
  children,
}: {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
}) {
  return (
    <Radix.CheckboxItem
      checked={checked}
      onCheckedChange={(next) => onCheckedChange(next)}
      className={itemClasses}
    >
      <span className="flex-1">{children}</span>
      <Radix.ItemIndicator>
        <Check />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  )
}
