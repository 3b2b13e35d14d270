import { LibraryBig, MessageCircleQuestionMark, Mic, Plus, Search } from 'lucide-react'
import { type ReactNode, useContext, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'

import { PaletteButton } from '#web/palette/palette-button.tsx'
import { PRESSED_RECORD, TO_DASHBOARD, dashboardPaths, paths, recordPath } from '#web/paths.ts'
import { isTypedInto } from '#web/typed-into.ts'

import { RecordingContext } from './header-parts.tsx'

/** About the product. Quiet in the header of a wide window, and in the account menu on every width. */
export const productLinks = [
  [paths.features, 'Features'],
  [paths.pricing, 'Pricing'],
  [paths.api, 'API'],
  [paths.faq, 'FAQ'],
] as const

/** Where somebody who is signed in goes, on every page: in the header, on a phone at the thumb. */
function usePlaces() {
  const { pathname, search } = useLocation()
  const { isOpen } = useContext(RecordingContext)
  const isDashboard = dashboardPaths.includes(pathname)
  return [
    {
      label: 'Library',
      to: paths.library,
      icon: LibraryBig,
      isCurrent: pathname === paths.library,
    },
    {
      label: 'New',
      // On the dashboard it is the same page, so that what is being sent goes on.
      to: isDashboard ? pathname : paths.dashboard,
      state: TO_DASHBOARD,
      icon: Plus,
      isCurrent: isDashboard && !isOpen && !new URLSearchParams(search).has('t'),
    },
    {
      label: RECORD_LABEL,
      to: recordPath({ pathname, search }),
      state: PRESSED_RECORD,
      icon: Mic,
      isCurrent: isOpen,
    },
    {
      label: 'Ask',
      to: paths.ask,
      icon: MessageCircleQuestionMark,
      isCurrent: pathname === paths.ask,
    },
  ]
}
const RECORD_LABEL = 'Record'

const bold = 'grid after:invisible after:h-0 after:font-semibold after:content-[attr(data-label)]'

/** A link to one of the places; while a recording runs, its pill stands where Record leads. */
function PlaceLink({
  place: { label, to, state, isCurrent },
  className,
  children,
}: {
  place: ReturnType<typeof usePlaces>[number]
  className: string
  children: ReactNode
}) {
  const { pill } = useContext(RecordingContext)
  if (label === RECORD_LABEL && pill) return pill
  return (
    <Link to={to} state={state} aria-current={isCurrent ? 'page' : undefined} className={className}>
      {children}
    </Link>
  )
}

/** The links of the signed-in header. A narrow window has them at its bottom. */
export function MainNav() {
  const places = usePlaces()
  return (
    <nav
      aria-label="Main"
      className="ml-8 hidden items-center gap-8 md:flex lg:ml-12 xl:gap-11 print:hidden"
    >
      <ul className="flex gap-6 lg:gap-8">
        {places.map((place) => (
          <li key={place.label} className="flex items-center">
            <PlaceLink
              place={place}
              className="relative flex h-11 items-center gap-2 text-ui text-ink-2 hover:text-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:-bottom-2 aria-[current=page]:after:h-[3px] aria-[current=page]:after:bg-playhead"
            >
              {place.label === RECORD_LABEL ? (
                <span aria-hidden="true" className="size-2.5 rounded-full border-2" />
              ) : null}
              <span data-label={place.label} className={bold}>
                {place.label}
              </span>
            </PlaceLink>
          </li>
        ))}
      </ul>
      {/* On every width they are in the page's code. */}
      <ul className="hidden gap-5 xl:flex">
        {productLinks.map(([href, label]) => (
          <li key={href}>
            <a href={href} className="flex h-11 items-center text-small text-ink-2 hover:text-ink">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const inBar =
  'relative flex h-15 w-full flex-col items-center justify-center gap-1 text-fine leading-none! text-ink-2 no-underline -outline-offset-5 [&>svg]:size-5 ' +
  'aria-[current=page]:font-semibold aria-[current=page]:text-ink aria-[current=page]:before:absolute aria-[current=page]:before:inset-x-[22%] aria-[current=page]:before:-top-px aria-[current=page]:before:h-[3px] aria-[current=page]:before:bg-playhead'

/**
 * The same links at the bottom of a narrow window, after the page's content, whose end it does not
 * cover. What takes the bottom for itself, and the recorder, are in its place (see styles.css).
 */
export function BottomBar() {
  const places = usePlaces()
  if (useIsTyping()) return null
  return (
    <nav
      aria-label="Main"
      data-bottom-bar
      data-foot
      className="sticky bottom-0 z-20 border-t border-rule bg-card pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      <ul className="mx-auto grid max-w-[30rem] grid-cols-5">
        {places.map((place) => (
          <li key={place.label} className="grid place-items-center">
            <PlaceLink place={place} className={inBar}>
              <place.icon aria-hidden="true" />
              {place.label}
            </PlaceLink>
          </li>
        ))}
        <li>
          <PaletteButton className={inBar}>
            <Search aria-hidden="true" />
          </PaletteButton>
        </li>
      </ul>
    </nav>
  )
}

/** A keyboard of the screen is open: a field has the focus where a finger points. */
const useIsTyping = (): boolean =>
  useSyncExternalStore(
    (tell) => {
      document.addEventListener('focusin', tell)
      document.addEventListener('focusout', tell)
      return () => {
        document.removeEventListener('focusin', tell)
        document.removeEventListener('focusout', tell)
      }
    },
    () => matchMedia('(pointer: coarse)').matches && isTypedInto(document.activeElement),
    () => false,
  )
