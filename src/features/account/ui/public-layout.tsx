import { Outlet, useLocation } from 'react-router'

import { SiteFooter } from '#web/ui/site-footer.tsx'
import { SiteHeader } from '#web/ui/site-header.tsx'

import { useAuth } from './auth.tsx'
import { AppFrame } from './protected-layout.tsx'

/** For everybody; who is signed in keeps their own header. */
export default function PublicLayout() {
  const auth = useAuth()
  const { pathname } = useLocation()
  if (auth.state === 'signed-in')
    return (
      <AppFrame>
        <Outlet />
      </AppFrame>
    )
  return (
    <>
      <SiteHeader current={pathname} />
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <SiteFooter />
    </>
  )
}
