import { lazy, Suspense, useEffect } from 'react'

import { useAuth } from '#features/account/ui/auth.tsx'
import { AppFrame, UserNotLoaded } from '#features/account/ui/protected-layout.tsx'
import { noteForNextPage } from '#web/inline/note.ts'
import { loadPart } from '#web/load-part.ts'
import { paths } from '#web/paths.ts'
import { Loading, LoadingPage } from '#web/ui/spinner.tsx'

const loadDashboard = () => import('#features/transcriptions/ui/dashboard-page.tsx')
const Dashboard = lazy(() => loadPart(loadDashboard))
// In the browser this page is almost always a dashboard: its code is fetched beside the user.
loadDashboard().catch(() => undefined)

/** `/` in the app: the dashboard. Who is not signed in after all is sent to the landing. */
export default function StartPage() {
  const auth = useAuth()
  switch (auth.state) {
    case 'loading':
      return <LoadingPage />
    case 'failed':
      return <UserNotLoaded retry={auth.retry} />
    case 'signed-out':
      return <GoToLanding byChoice={auth.byChoice} />
    case 'ended':
    case 'signed-in':
      return (
        <AppFrame>
          <Suspense fallback={<Loading />}>
            <Dashboard />
          </Suspense>
        </AppFrame>
      )
  }
}

/** The landing is a document of its own: the server, asked again, sends it. */
function GoToLanding({ byChoice }: { byChoice: boolean }) {
  useEffect(() => {
    if (byChoice) noteForNextPage("Logged Out: You've been successfully logged out.")
    location.replace(paths.start)
  }, [byChoice])
  return <LoadingPage />
}
