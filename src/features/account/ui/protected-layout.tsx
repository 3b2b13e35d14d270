import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { noteForNextPage } from '#web/inline/note.ts'
import { authPath, paths } from '#web/paths.ts'
import { AppHeader } from '#web/ui/app-header.tsx'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { BottomBar } from '#web/ui/main-nav.tsx'
import { Wordmark } from '#web/ui/mark.tsx'
import { AppFooter } from '#web/ui/site-footer.tsx'
import { LoadingPage } from '#web/ui/spinner.tsx'

import { useAuth } from './auth.tsx'
import { SessionEnded } from './session-ended.tsx'

export default function ProtectedLayout() {
  return (
    <SignedInOnly>
      <AppFrame />
    </SignedInOnly>
  )
}

/**
 * For who is signed in; everybody else goes to /auth and comes back afterwards. From `/`, which is
 * the dashboard or the landing, and after logging out, they go to the landing.
 */
export function SignedInOnly({ children }: { children: React.ReactNode }) {
  const auth = useAuth()
  const { pathname, search, hash } = useLocation()
  switch (auth.state) {
    case 'loading':
      return <LoadingPage />
    case 'signed-out':
      return auth.byChoice || pathname === paths.start ? (
        <GoToLanding byChoice={auth.byChoice} />
      ) : (
        <Navigate to={authPath({ next: pathname + search + hash })} replace />
      )
    case 'failed':
      return <UserNotLoaded error={auth.error} retry={auth.retry} />
    case 'ended':
    case 'signed-in':
      return children
  }
}

/** The landing is a document of its own: the server, asked again, sends it. */
function GoToLanding({ byChoice }: { byChoice: boolean }) {
  useEffect(() => {
    if (byChoice) noteForNextPage("Logged Out: You've been successfully logged out.")
    location.assign(paths.start)
  }, [byChoice])
  return <LoadingPage />
}

/** Header, main and footer of the signed-in pages. */
function AppFrame() {
  const { user, logOut, isLoggingOut } = useAuth()
  return (
    <>
      <SessionEnded />
      <AppHeader person={user} onLogOut={logOut} isLoggingOut={isLoggingOut} />
      {/* The footer is out of sight from the start, so that later content does not push it away. */}
      <main id="main" tabIndex={-1} className="min-h-[calc(100dvh-60px)]">
        <meta name="robots" content="noindex" />
        <Outlet />
      </main>
      <AppFooter />
      <BottomBar />
    </>
  )
}

function UserNotLoaded({ error, retry }: { error: Error; retry: () => void }) {
  const hasAnswered = error instanceof ApiError
  return (
    <main id="main" tabIndex={-1}>
      <title>{`${hasAnswered ? 'Something broke' : 'No connection'} · ${BRAND}`}</title>
      <Container className="py-8">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <h1 className="mt-16 font-display text-app font-semibold">
          {hasAnswered ? 'The server answered with an error.' : 'The server did not answer.'}
        </h1>
        <p className="mt-3 max-w-[66ch] text-ink-2">
          We could not find out who is signed in. Nothing was changed.{' '}
          {hasAnswered ? sentenceOf(error) : 'Check your connection, then try again.'}
        </p>
        <Button variant="primary" className="mt-6" onClick={retry}>
          Try again
        </Button>
      </Container>
    </main>
  )
}
