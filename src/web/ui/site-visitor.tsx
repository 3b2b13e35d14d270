import { ChevronDown, Search } from 'lucide-react'

import { PaletteButton } from '#web/palette/palette-button.tsx'
import { paths } from '#web/paths.ts'

import { Container } from './container.tsx'
import { MainNav, productLinks } from './main-nav.tsx'
import { Wordmark } from './mark.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const item =
  'flex min-h-11 w-full items-center rounded-control px-3 text-left text-ui hover:bg-paper-2 disabled:text-ink-3 sm:min-h-9 pointer-coarse:min-h-11'

const menuLinks = [
  [paths.account, 'Account'],
  [paths.subscribe, 'Upgrade Plan'],
  [paths.contact, 'Support'],
] as const

/**
 * The signed-in header on pages without the app. The server decides whether it is shown, so that
 * nothing moves later. inline/visitor.ts fills in the user, where `data-visitor` is set.
 */
export function VisitorHeader() {
  return (
    <>
      <header className="sticky top-0 z-20 hidden border-b border-rule bg-paper signed-in:block">
        <Container className="flex h-[52px] items-center md:h-[60px]">
          <a href={paths.start} className="block w-fit">
            <Wordmark size="small" />
          </a>
          <MainNav />
          <div className="ml-auto flex items-center gap-3 lg:gap-5">
            <PaletteButton className="flex h-11 items-center gap-2 text-ui text-ink-2 hover:text-ink max-lg:hidden">
              <Search size={20} aria-hidden="true" />
            </PaletteButton>
            <a
              href={paths.subscribe}
              title="Buy credits"
              data-visitor="credits"
              className="flex h-11 min-w-23 items-center justify-end text-ui font-semibold tabular-nums hover:underline max-md:hidden"
            >
              <span className="sr-only">Credits</span>
            </a>
            <button
              type="button"
              popoverTarget="visitor-menu"
              className="flex h-11 items-center gap-1 rounded-control"
            >
              <span className="sr-only">
                Account menu, <span data-visitor="credits" />
              </span>
              <span
                aria-hidden="true"
                data-visitor="initials"
                className="grid size-9 place-items-center overflow-hidden rounded-full bg-primary text-[0.8125rem] font-semibold text-primary-fg"
              />
              <ChevronDown size={18} className="text-ink-2" />
            </button>
          </div>
        </Container>
        <nav
          id="visitor-menu"
          popover="auto"
          aria-label="Account menu"
          className="fixed top-[52px] md:top-[60px] right-[max(1rem,calc(50vw-40rem))] left-auto m-0 w-72 rounded-panel border border-rule bg-card p-1.5 text-ink shadow-float"
        >
          <p className="px-3 py-2">
            <span data-visitor="name" className="block truncate font-semibold" />
            <span data-visitor="email" className="block truncate text-small text-ink-2" />
          </p>
          <ul className="border-t border-rule py-1.5 md:hidden">
            <li>
              <a href={paths.subscribe} data-visitor="credits" className={item}>
                Credits
              </a>
            </li>
          </ul>
          <ul className="border-t border-rule py-1.5">
            <MenuLinks links={menuLinks} />
          </ul>
          <div className="border-t border-rule px-3 py-3">
            <ThemeSwitch />
          </div>
          <ul className="flex border-t border-rule py-1.5 *:flex-1 [&_a]:justify-center [&_a]:px-2 [&_a]:text-small [&_a]:text-ink-2">
            <MenuLinks links={productLinks} />
          </ul>
          <div className="border-t border-rule pt-1.5">
            <button type="button" data-visitor="log-out" className={item}>
              Log out
            </button>
          </div>
        </nav>
      </header>
      <div
        role="region"
        aria-label="Notifications"
        className="pointer-events-none fixed inset-x-4 top-4 z-30 mx-auto max-w-[420px] sm:top-auto sm:right-4 sm:bottom-4 sm:left-auto sm:w-[420px]"
      >
        <p
          role="status"
          data-visitor="toast"
          className="pointer-events-auto rounded-panel border border-rule bg-card p-4 text-ui text-ink shadow-float empty:hidden"
        />
      </div>
    </>
  )
}

function MenuLinks({ links }: { links: readonly (readonly [href: string, label: string])[] }) {
  return links.map(([href, label]) => (
    <li key={href}>
      <a href={href} className={item}>
        {label}
      </a>
    </li>
  ))
}
