import { ChevronDown, Search } from 'lucide-react'
import { useContext, useState } from 'react'
import { Link, useLocation } from 'react-router'

import { initials } from '#shared/format.ts'
import { PaletteButton } from '#web/palette/palette-button.tsx'
import { paletteKey } from '#web/palette/palette.ts'
import { dashboardPaths, paths } from '#web/paths.ts'

import type { AccountProps } from './account-menu.tsx'
import { classes } from './classes.ts'
import { Container } from './container.tsx'
import { CreditPill, creditWords } from './credit-pill.tsx'
import { RecordingContext } from './header-parts.tsx'
import { laterMenu } from './later-menu.tsx'
import { MainNav } from './main-nav.tsx'
import { Wordmark } from './mark.tsx'

/**
 * The header of the signed-in pages. `person` is null while it loads. On a narrow screen a result has a
 * head of its own in this one's place, as high as this.
 */
export function AppHeader({
  person,
  onLogOut,
  isLoggingOut,
}: {
  person: AccountProps['person'] | null
  onLogOut: () => void
  isLoggingOut: boolean
}) {
  const { pathname, search } = useLocation()
  const { pill } = useContext(RecordingContext)
  const isResult = dashboardPaths.includes(pathname) && new URLSearchParams(search).has('t')
  return (
    <header
      data-app-header
      className="relative z-20 has-[[role=menu]]:z-30 border-b border-rule bg-paper tall:sticky tall:top-0 print:static"
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
          {pill ? <div className="without-bottom-bar">{pill}</div> : null}
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

const Menu = laterMenu(async () => (await import('./account-menu.tsx')).AccountMenu)

export function AccountMenu(account: AccountProps) {
  const { person } = account
  return (
    <Menu
      {...account}
      trigger={
        <button type="button" className="flex h-11 items-center gap-1 rounded-control">
          <span className="sr-only">Account menu, {creditWords(person.credits ?? 0)},</span>
          <Avatar person={person} />
          <ChevronDown size={18} className="text-ink-2" />
        </button>
      }
    />
  )
}

function Avatar({ person }: Pick<AccountProps, 'person'>) {
  return person.profileImageUrl ? (
    <img src={person.profileImageUrl} alt="" className="size-9 rounded-full object-cover" />
  ) : (
    <span className="grid size-9 place-items-center rounded-full bg-primary text-[0.8125rem] font-semibold text-primary-fg">
      {initials(person.firstName, person.lastName) || initials(person.email)}
    </span>
  )
}
