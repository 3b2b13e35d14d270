import {
  ChevronDown,
  CircleUser,
  Coins,
  Library,
  LifeBuoy,
  LogOut,
  ServerCog,
  SunMoon,
  TrendingUp,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { initials } from '#shared/format.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { PaletteButton } from '#web/palette/palette-button.tsx'
import { paths } from '#web/paths.ts'
import { chooseTheme, themes, useTheme } from '#web/theme.ts'

import { Container } from './container.tsx'
import { CreditPill, creditWords } from './credit-pill.tsx'
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuLink,
  MenuRadioGroup,
  MenuSeparator,
  SubMenu,
} from './dropdown-menu.tsx'
import { HeaderParts } from './header-parts.tsx'
import { MainNav, mainLinks } from './main-nav.tsx'
import { Wordmark } from './mark.tsx'

interface Person {
  email: string
  firstName: string
  lastName: string
  profileImageUrl: string | null
  credits?: number
  isOperator?: true | undefined
}

/** The header of the signed-in pages. `person` is null while it loads. */
export function AppHeader({
  person,
  onLogOut,
  isLoggingOut,
}: {
  person: Person | null
  onLogOut: () => void
  isLoggingOut: boolean
}) {
  return (
    <header
      data-app-header
      className="sticky top-0 z-20 border-b border-rule bg-paper print:static"
    >
      <Container className="flex min-h-[60px] flex-wrap items-center">
        <Link to={paths.start} className="block w-fit">
          <Wordmark size="small" />
        </Link>
        <MainNav />
        <div className="ml-auto flex items-center gap-3 print:hidden">
          {person ? (
            <>
              <HeaderParts />
              <PaletteButton />
              <CreditNews credits={person.credits ?? 0} />
              <CreditPill credits={person.credits} className="max-md:hidden" />
              <AccountMenu person={person} onLogOut={onLogOut} isLoggingOut={isLoggingOut} />
            </>
          ) : (
            <>
              <span className="h-9 w-[100px] rounded-control bg-paper-2 max-md:hidden" />
              <span className="mr-6 size-9 rounded-full bg-paper-2" />
            </>
          )}
        </div>
      </Container>
    </header>
  )
}

/** Tells screen readers about a changed balance, but not about the first one. */
function CreditNews({ credits }: { credits: number }) {
  const [known, setKnown] = useState(credits)
  const [news, setNews] = useState('')
  if (credits !== known) {
    setKnown(credits)
    setNews(`You now have ${creditWords(credits)}.`)
  }
  return (
    <span aria-live="polite" className="sr-only">
      {news}
    </span>
  )
}

function AccountMenu({
  person,
  onLogOut,
  isLoggingOut,
}: {
  person: Person
  onLogOut: () => void
  isLoggingOut: boolean
}) {
  const theme = useTheme()
  const credits = creditWords(person.credits ?? 0)
  return (
    <DropdownMenu
      trigger={
        <button type="button" className="flex h-11 items-center gap-1 rounded-control">
          <span className="sr-only">Account menu, {credits},</span>
          <Avatar person={person} />
          <ChevronDown size={18} className="text-ink-2" />
        </button>
      }
    >
      <MenuLabel className="max-w-[min(18rem,calc(100vw-4rem))]">
        <span className="block truncate font-semibold">
          {person.firstName} {person.lastName}
        </span>
        <span className="block truncate text-small text-ink-2">{person.email}</span>
      </MenuLabel>
      <MenuSeparator />
      <div className="md:hidden">
        <MenuLink to={paths.subscribe} icon={<Coins />}>
          {credits}
        </MenuLink>
        {mainLinks.map(([href, label]) => (
          <MenuLink key={href} to={href} reloadDocument className="pl-11">
            {label}
          </MenuLink>
        ))}
        <MenuSeparator />
      </div>
      <MenuLink to={paths.account} icon={<CircleUser />}>
        Account
      </MenuLink>
      <MenuLink to={paths.library} icon={<Library />}>
        Library
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
      <SubMenu label="Theme" icon={<SunMoon />}>
        <MenuRadioGroup value={theme} onValueChange={chooseTheme} options={themes} />
      </SubMenu>
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

function Avatar({ person }: { person: Person }) {
  return person.profileImageUrl ? (
    <img src={person.profileImageUrl} alt="" className="size-9 rounded-full object-cover" />
  ) : (
    <span className="grid size-9 place-items-center rounded-full bg-primary text-[0.8125rem] font-semibold text-primary-fg">
      {initials(person.firstName, person.lastName) || initials(person.email)}
    </span>
  )
}
