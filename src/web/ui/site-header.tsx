import { Menu, X } from 'lucide-react'

import { authPath, paths } from '#web/paths.ts'

import { buttonClasses } from './button.tsx'
import { classes } from './classes.ts'
import { Container } from './container.tsx'
import { Wordmark } from './mark.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const links = [
  [paths.features, 'Features'],
  [paths.pricing, 'Pricing'],
  [paths.blog, 'Blog'],
  [paths.contact, 'Contact'],
] as const
const articleLinks = [
  [paths.start, 'Home'],
  [paths.features, 'Features'],
  [paths.pricing, 'Pricing'],
  [paths.contact, 'Contact'],
] as const

/**
 * The header of the public pages. It is plain HTML, the phone's menu (a popover) included, so that
 * it works without scripts.
 */
export function SiteHeader({ current = '' }: { current?: string }) {
  const shown = current.startsWith(`${paths.blog}/`) ? articleLinks : links
  return (
    <header className="border-b border-rule signed-in:hidden">
      <Container className="flex h-16 items-center">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <nav aria-label="Main" className="ml-12 hidden md:block">
          <ul className="flex gap-7">
            {shown.map(([href, label]) => (
              <li key={href}>
                <a
                  href={href}
                  aria-current={href === current ? 'page' : undefined}
                  className="relative flex h-11 items-center text-ui text-ink-2 hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:-bottom-2.5 aria-[current=page]:after:h-[3px] aria-[current=page]:after:bg-playhead"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2 sm:gap-3">
          <a
            href={paths.auth}
            className={classes(buttonClasses({ size: 'small' }), 'max-md:hidden')}
          >
            Sign In
          </a>
          <a
            href={authPath({ mode: 'register' })}
            className={classes(
              buttonClasses({ variant: 'primary', size: 'small' }),
              'max-[360px]:px-2.5!',
            )}
          >
            Start Free Trial
          </a>
          <button
            type="button"
            popoverTarget="site-menu"
            aria-label="Menu"
            className="-mr-3 grid size-11 place-items-center rounded-control md:hidden"
          >
            <Menu size={20} />
          </button>
        </div>
      </Container>
      <nav
        id="site-menu"
        popover="auto"
        aria-label="Menu"
        className="fixed inset-x-0 top-0 m-0 w-full border-b border-rule bg-card px-4 pb-6 text-ink shadow-float backdrop:bg-scrim"
      >
        <div className="flex h-16 items-center justify-between">
          <Wordmark />
          <button
            type="button"
            popoverTarget="site-menu"
            popoverTargetAction="hide"
            aria-label="Close"
            className="-mr-3 grid size-11 place-items-center rounded-control"
          >
            <X size={20} />
          </button>
        </div>
        <ul className="border-t border-rule">
          {[...shown, [paths.auth, 'Sign In'] as const].map(([href, label]) => (
            <li key={href} className="border-b border-rule">
              <a
                href={href}
                aria-current={href === current ? 'page' : undefined}
                className="flex h-13 items-center text-body aria-[current=page]:font-semibold"
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <ThemeSwitch className="mt-6" />
      </nav>
    </header>
  )
}
