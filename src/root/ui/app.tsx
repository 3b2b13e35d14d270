import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, useEffect, useLayoutEffect, useRef } from 'react'
import {
  createBrowserRouter,
  type RouteObject,
  RouterProvider,
  ScrollRestoration,
  useLocation,
} from 'react-router'

import SessionLayout from '#features/account/ui/session-layout.tsx'
import { fetchDashboard } from '#features/dashboard/ui/fetch-dashboard.ts'
import {
  AskBeforeLogOut,
  useRecordingNow,
} from '#features/recordings/ui/recording/recording-pill.tsx'
import { BRAND } from '#shared/business.ts'
import type { AdminPath } from '#web/admin-paths.ts'
import { capabilitiesQuery } from '#web/capabilities.ts'
import { loadAgain } from '#web/load-again.ts'
import { type AppPath, paths } from '#web/paths.ts'
import { newQueryClient } from '#web/query-client.ts'
import { keyOwnEntries, scrollWhenGrown } from '#web/scroll.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { RecordingContext } from '#web/ui/header-parts.tsx'
import { Wordmark } from '#web/ui/mark.tsx'
import { LoadingPage } from '#web/ui/spinner.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { Tooltips } from '#web/ui/tooltip.tsx'

const queryClient = newQueryClient()
void queryClient.prefetchQuery(capabilitiesQuery)

type Load = () => Promise<{ default: ComponentType }>

const lazyScreen = (load: Load) => async () => ({
  Component: (await load().catch(loadAgain)).default,
})
const page = (path: AppPath | AdminPath, load: Load): RouteObject => ({
  path,
  lazy: lazyScreen(load),
})
const layout = (load: Load, inside: RouteObject[]): RouteObject => ({
  lazy: lazyScreen(load),
  children: inside,
})
/** What its address asks for comes beside the page, and not after it. */
const dashboard = (path: AppPath): RouteObject => ({
  ...page(path, () => import('#features/dashboard/ui/dashboard-page.tsx')),
  loader: async ({ request }) => {
    await fetchDashboard(queryClient, new URL(request.url).search)
    return null
  },
})

const loadPalette: Load = () => import('./palette/palette-layout.tsx')
const loadLaterRooms: Load = () => import('./later-rooms-layout.tsx')
const loadProtected: Load = () => import('#features/account/ui/protected-layout.tsx')
const loadAccount: Load = () => import('#features/account/ui/account-layout.tsx')
const loadProfile: Load = () => import('#features/account/ui/profile-page.tsx')
const loadData: Load = () => import('#features/account/ui/data-page.tsx')
const loadSubscribe: Load = () => import('#features/billing/ui/subscribe-page.tsx')

/** Every screen of the app. The router fetches the code of a page and of its layouts in parallel. */
const screens: RouteObject[] = [
  page('/auth', () => import('#features/account/ui/auth-page.tsx')),
  page('/mails-off', () => import('#features/account/ui/mails-off-page.tsx')),
  layout(loadPalette, [
    // These pages have their own header, and send users who are not signed in to the sign-in page.
    page('/subscribe', loadSubscribe),
    page('/upgrade', loadSubscribe),

    layout(loadProtected, [
      layout(loadLaterRooms, [
        dashboard('/'),
        dashboard('/home'),
        dashboard('/dashboard'),
        page('/library', () => import('#features/library/ui/library-page.tsx')),
      ]),
      page('/ask', () => import('#features/asking/ui/ask-page.tsx')),
      page('/subscription-success', () => import('#features/billing/ui/success-page.tsx')),
      page('/admin', () => import('#features/operators/ui/admin-page.tsx')),
      page('/admin/user', () => import('#features/operators/ui/user-page.tsx')),
      page('/admin/server', () => import('#features/operators/ui/server-page.tsx')),
      page('/admin/log', () => import('#features/operators/ui/log-page.tsx')),
      layout(loadAccount, [
        layout(loadProfile, [
          page('/account', () => import('#features/result/ui/checking/accuracy-section.tsx')),
        ]),
        page('/account/credits', () => import('#features/billing/ui/credits-page.tsx')),
        page('/account/plan', () => import('#features/billing/ui/plan-page.tsx')),
        page('/account/vocabulary', () => import('#features/vocabulary/ui/vocabulary-page.tsx')),
        page('/account/templates', () => import('#features/documents/ui/templates-page.tsx')),
        page('/account/security', () => import('#features/account/ui/security-page.tsx')),
        layout(loadData, [
          page('/account/data', () => import('#features/sharing/ui/shares-section.tsx')),
        ]),
        page('/account/api-keys', () => import('#features/developers/ui/keys-page.tsx')),
        page('/account/webhooks', () => import('#features/developers/ui/webhooks-page.tsx')),
      ]),
    ]),
  ]),
  { path: '*', Component: OwnDocument },
]

keyOwnEntries()
const router = createBrowserRouter([
  {
    Component: Root,
    ErrorBoundary: SomethingBroke,
    // The fallback stands inside the session, so that the app asks who is signed in while it
    // fetches the code of the page.
    children: [{ HydrateFallback: LoadingPage, children: screens }],
  },
])
// While developing, React Router's refresh of changed components asks for the router by this name.
if (import.meta.env.DEV) Object.assign(window, { __reactRouterDataRouter: router })

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

function Root() {
  const { key } = useLocation()
  useLayoutEffect(() => {
    // The router may already be loading the next page while this one is still shown.
    const { location, restoreScrollPosition: top } = router.state
    const isHere = location.key === key && typeof top === 'number'
    return isHere ? scrollWhenGrown(top) : undefined
  }, [key])
  return (
    <RecordingContext value={useRecordingNow()}>
      <SessionLayout />
      <AskBeforeLogOut />
      <ScrollRestoration />
      <Toaster />
      <Tooltips />
    </RecordingContext>
  )
}

/** For an address that is not the app's: the server has a document for it, or answers 404. */
function OwnDocument() {
  useEffect(() => {
    location.reload()
  }, [])
  return <LoadingPage />
}

/**
 * Shown in place of a page that has a bug, or whose code could not be loaded. A reload is always
 * safe, because nothing on the server is lost.
 */
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
          {/* A plain link, because the router itself may be what broke. */}
          <a href={paths.start} className={buttonClasses()}>
            Go to the start
          </a>
        </div>
      </Container>
    </main>
  )
}
