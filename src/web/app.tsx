import { QueryClientProvider } from '@tanstack/react-query'
import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Outlet, type RouteObject, useLocation, useRoutes } from 'react-router'

import SessionLayout from '#features/account/ui/session-layout.tsx'
import { BRAND } from '#shared/business.ts'

import { BrowserRouter } from './browser-router.tsx'
import { loadPart } from './load-part.ts'
import { type AppPath, paths } from './paths.ts'
import { newQueryClient } from './query-client.ts'
import { Button, buttonClasses } from './ui/button.tsx'
import { Container } from './ui/container.tsx'
import { Wordmark } from './ui/mark.tsx'
import { LoadingPage } from './ui/spinner.tsx'
import { Toaster } from './ui/toast.tsx'

type Load = () => Promise<{ default: ComponentType }>

const parts = new Map<Load, ComponentType>()

const loadPalette: Load = () => import('#features/transcriptions/ui/palette/palette-layout.tsx')
const loadProtected: Load = () => import('#features/account/ui/protected-layout.tsx')
const loadAccount: Load = () => import('#features/account/ui/account-layout.tsx')
const loadDashboard: Load = () => import('#features/transcriptions/ui/dashboard-page.tsx')
const loadSubscribe: Load = () => import('#features/billing/ui/subscribe-page.tsx')

/** Every screen of the app, and the layouts round it, the outermost first. */
const screens: Record<AppPath, Load[]> = {
  '/': [loadPalette, () => import('#features/site/ui/start-page.tsx')],
  '/auth': [() => import('#features/account/ui/auth-page.tsx')],

  // They have a header of their own, and ask for a sign-in themselves.
  '/subscribe': [loadPalette, loadSubscribe],
  '/upgrade': [loadPalette, loadSubscribe],

  '/home': inFrame(loadDashboard),
  '/dashboard': inFrame(loadDashboard),
  '/subscription-success': inFrame(() => import('#features/billing/ui/success-page.tsx')),
  '/account': inAccount(() => import('#features/account/ui/profile-page.tsx')),
  '/account/credits': inAccount(() => import('#features/billing/ui/credits-page.tsx')),
  '/account/security': inAccount(() => import('#features/account/ui/security-page.tsx')),
  '/account/data': inAccount(() => import('#features/account/ui/data-page.tsx')),
  '/account/api-keys': inAccount(() => import('#features/developers/ui/keys-page.tsx')),
  '/account/webhooks': inAccount(() => import('#features/developers/ui/webhooks-page.tsx')),
}

function inFrame(...loads: Load[]): Load[] {
  return [loadPalette, loadProtected, ...loads]
}

function inAccount(load: Load): Load[] {
  return inFrame(loadAccount, load)
}

export function App() {
  const [queryClient] = useState(newQueryClient)
  return (
    <Broken>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <Screens />
        </BrowserRouter>
        <Toaster />
      </QueryClientProvider>
    </Broken>
  )
}

const routes: RouteObject[] = [
  {
    element: <SessionLayout />,
    children: [
      {
        // Inside the session, so that who is there is asked for while the page's code is fetched.
        element: (
          <Suspense fallback={<LoadingPage />}>
            <Outlet />
          </Suspense>
        ),
        children: [
          ...Object.entries(screens).map(([path, loads]) => routeOf(path, loads)),
          { path: '*', element: <OwnDocument /> },
        ],
      },
    ],
  },
]

function routeOf(path: string, [load, ...inner]: Load[]): RouteObject {
  if (!load) throw new Error(`${path} has no screen`)
  const Part = partOf(load)
  return inner.length === 0
    ? { path, element: <Part /> }
    : { element: <Part />, children: [routeOf(path, inner)] }
}

/** One component for each layout, so that it stays when a page in it takes the place of another. */
function partOf(load: Load): ComponentType {
  const part = parts.get(load) ?? lazy(() => loadPart(load))
  parts.set(load, part)
  return part
}

function Screens() {
  const { pathname } = useLocation()
  const loads = screens[pathname as AppPath] as Load[] | undefined
  // Side by side; a layout that is still coming would keep its page from being asked for.
  useEffect(() => loads?.forEach((load) => void load().catch(() => undefined)), [loads])
  return useRoutes(routes)
}

/** An address that is not the app's: the server, asked for it, has a document for it or says no. */
function OwnDocument() {
  useEffect(() => {
    location.reload()
  }, [])
  return <LoadingPage />
}

/** A bug of ours in the browser. What the server did stays done, so a reload is always safe. */
class Broken extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }
  static getDerivedStateFromError() {
    return { isBroken: true }
  }
  override componentDidCatch() {
    // Back leads away from what broke.
    addEventListener('popstate', () => location.reload(), { once: true })
  }
  override render() {
    return this.state.isBroken ? <SomethingBroke /> : this.props.children
  }
}

function SomethingBroke() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <main id="main" tabIndex={-1}>
      <title>{`Something broke · ${BRAND}`}</title>
      <Container className="py-8">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <h1 ref={heading} tabIndex={-1} className="mt-16 font-display text-h1 font-semibold">
          Something broke on this page.
        </h1>
        <p className="mt-4 max-w-[66ch] text-lead text-ink-2">
          Nothing you have uploaded is lost. Load the page again; if that does not help, go to the
          start.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button
            variant="primary"
            onClick={() => {
              location.reload()
            }}
          >
            Reload
          </Button>
          {/* No link of the router's: what broke may be the router. */}
          <a href={paths.start} className={buttonClasses()}>
            Go to the start
          </a>
        </div>
      </Container>
    </main>
  )
}
