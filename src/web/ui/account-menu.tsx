import {
  CircleUser,
  Coins,
  Keyboard,
  LifeBuoy,
  LogOut,
  ServerCog,
  SunMoon,
  TrendingUp,
} from 'lucide-react'
import { useContext } from 'react'

import { adminPaths } from '#web/admin-paths.ts'
import { PaletteContext } from '#web/palette/palette.ts'
import { paths } from '#web/paths.ts'
import { chooseTheme, themes, useTheme } from '#web/theme.ts'

import { creditWords } from './credit-pill.tsx'
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuLink,
  type MenuProps,
  MenuRadioGroup,
  MenuSeparator,
  SubMenu,
} from './dropdown-menu.tsx'
import { productLinks } from './main-nav.tsx'

export interface AccountProps {
  person: {
    email: string
    firstName: string
    lastName: string
    profileImageUrl: string | null
    credits?: number
    isOperator?: true | undefined
  }
  onLogOut: () => void
  isLoggingOut: boolean
}

/** The menu of the account: what is not needed on the way to the words of a recording. */
export function AccountMenu({ person, onLogOut, isLoggingOut, ...menu }: AccountProps & MenuProps) {
  const theme = useTheme()
  const palette = useContext(PaletteContext)
  return (
    <DropdownMenu {...menu}>
      <MenuLabel className="max-w-[min(18rem,calc(100vw-4rem))]">
        <span className="block truncate font-semibold">
          {person.firstName} {person.lastName}
        </span>
        <span className="block truncate text-small text-ink-2">{person.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <div className="md:hidden">
        <MenuLink to={paths.subscribe} icon={<Coins />}>
          {creditWords(person.credits ?? 0)}
        </MenuLink>
      </div>
      <MenuLink to={paths.account} icon={<CircleUser />}>
        Account
      </MenuLink>
      <MenuLink to={paths.subscribe} icon={<TrendingUp />}>
        Upgrade Plan
      </MenuLink>
      <MenuLink to={paths.contact} reloadDocument icon={<LifeBuoy />}>
        Support
      </MenuLink>
      {person.isOperator ? (
        <MenuLink to={adminPaths.admin} icon={<ServerCog />}>
          Operations
        </MenuLink>
      ) : null}
      <SubMenu
        icon={<SunMoon />}
        label={
          <>
            Theme
            <span className="float-right text-small text-ink-2">
              {themes.find(({ value }) => value === theme)?.label}
            </span>
          </>
        }
      >
        <MenuRadioGroup value={theme} onValueChange={chooseTheme} options={themes} />
      </SubMenu>
      <MenuItem icon={<Keyboard />} onSelect={() => palette?.showKeys()}>
        <span className="flex-1">Keyboard shortcuts</span>
        <kbd aria-hidden="true" className="font-mono text-small text-ink-2">
          ?
        </kbd>
      </MenuItem>
      <MenuSeparator />
      <div className="flex">
        {productLinks.map(([href, label]) => (
          <MenuLink
            key={href}
            to={href}
            reloadDocument
            className="flex-1 justify-center px-2! text-small text-ink-2"
          >
            {label}
          </MenuLink>
        ))}
      </div>
      <MenuSeparator />
      <MenuItem
        disabled={isLoggingOut}
        icon={<LogOut />}
        onSelect={(event) => {
          // Keeps the menu open until the server answers, because the item's label shows the
          // progress.
          event.preventDefault()
          onLogOut()
        }}
      >
        {isLoggingOut ? 'Logging out…' : 'Log out'}
      </MenuItem>
    </DropdownMenu>
  )
}
