import {
  ChevronDown,
  CircleUser,
  Coins,
  Keyboard,
  LifeBuoy,
  LogOut,
  Search,
  ServerCog,
  SunMoon,
  TrendingUp,
} from 'lucide-react'
import { useContext, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { initials } from '#shared/format.ts'
import { adminPaths } from '#web/admin-paths.ts'
import { PaletteButton } from '#web/palette/palette-button.tsx'
import { PaletteContext, paletteKey } from '#web/palette/palette.ts'
import { dashboardPaths, paths } from '#web/paths.ts'
import { chooseTheme, themes, useTheme } from '#web/theme.ts'

import { classes } from './classes.ts'
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
import { MainNav, productLinks } from './main-nav.tsx'
import { Wordmark } from './mark.tsx'

interface Person {
  email: string
  firstName: string
  lastName: string
  profileImageUrl: string | null
  credits?: number
  isOperator?: true | undefined
}

/**
 * The header of the signed-in pages. `person` is null while it loads. On a narrow screen a result has a
 * head of its own in this one's place, as high as this.
 */
export function AppHeader({
  person,
  onLogOut,
  isLoggingOut,
}: {
  person: Person | null
  onLogOut: () => void
  isLoggingOut: boolean
}) {
  const { pathname, search } = useLocation()
  const isResult = dashboardPaths.includes(pathname) && new URLSearchParams(search).has('t')
  return (
    <header
      data-app-header
      className="sticky top-0 z-20 border-b border-rule bg-paper print:static"
    >
      <Container
        className={classes(
          'flex flex-wrap items-center md:min-h-[60px]',
          isResult ? 'min-h-[60px]' : 'min-h-[52px]',
        )}
      >
        <Link to={paths.start} className="block w-fit">
          <Wordmark size="small" />
        </Link>
        <MainNav />
        <div className="ml-auto flex items-center gap-3 lg:gap-5 print:hidden">
          {person ? (
            <>
              <PaletteButton
                className="flex h-11 items-center justify-center gap-2 rounded-control text-ui text-ink-2 hover:text-ink max-md:hidden max-lg:w-11"
                label={
                  <span className="max-lg:sr-only">
                    Search
                    <kbd
                      aria-hidden="true"
                      className="ml-2.5 rounded-mark border border-rule px-1.5 py-1 font-mono text-code"
                    >
                      {paletteKey()}
                    </kbd>
                  </span>
                }
              >
                <Search size={20} aria-hidden="true" />
              </PaletteButton>
              <CreditNews credits={person.credits ?? 0} />
              <CreditPill credits={person.credits} className="max-md:hidden" />
              <AccountMenu person={person} onLogOut={onLogOut} isLoggingOut={isLoggingOut} />
            </>
          ) : (
            <>
              <span className="h-9 w-23 rounded-control bg-paper-2 max-md:hidden" />
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

/** The menu of the account: what is not needed on the way to the words of a recording. */
export function AccountMenu({
  person,
  onLogOut,
  isLoggingOut,
}: {
  person: Person
  onLogOut: () => void
  isLoggingOut: boolean
}) {
  const theme = useTheme()
  const palette = useContext(PaletteContext)
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

function Avatar({ person }: { person: Person }) {
  return person.profileImageUrl ? (
    <img src={person.profileImageUrl} alt="" className="size-9 rounded-full object-cover" />
  ) : (
    <span className="grid size-9 place-items-center rounded-full bg-primary text-[0.8125rem] font-semibold text-primary-fg">
      {initials(person.firstName, person.lastName) || initials(person.email)}
    </span>
  )
}
