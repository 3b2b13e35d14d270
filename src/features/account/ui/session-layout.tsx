import { useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'

import { token } from '#web/api.ts'
import { LoadingPage } from '#web/ui/spinner.tsx'
import { clearToastOfLastPage } from '#web/ui/toast.tsx'

import { AuthProvider } from './auth.tsx'

/** Round every page: who is signed in, and where the focus goes when the page changes. */
export default function SessionLayout() {
  const isReturning = useSignInReturn()
  useFocusOnNewPage()
  if (isReturning) return <LoadingPage />
  return (
    <AuthProvider>
      <Outlet />
    </AuthProvider>
  )
}

/**
 * The end of a sign-in elsewhere: `?token=…&auth=success`. The token is kept, the query leaves the
 * address, and the page loads again as the user's.
 */
function useSignInReturn(): boolean {
  const { pathname, search, hash } = useLocation()
  const query = new URLSearchParams(search)
  const ticket = query.get('auth') === 'success' ? query.get('token') : null
  useEffect(() => {
    if (!ticket) return
    token.store(ticket)
    // A change of the hash alone would not load the page.
    history.replaceState(null, '', pathname + hash)
    location.reload()
  }, [ticket, pathname, hash])
  return ticket !== null
}

/** A new page is announced by its heading; the first one by the browser itself. */
function useFocusOnNewPage(): void {
  const { pathname, search } = useLocation()
  // The modes of the sign-in page have headings of their own.
  const page = `${pathname} ${new URLSearchParams(search).get('mode') ?? ''}`
  const last = useRef(page)
  useEffect(() => {
    if (last.current === page) return
    last.current = page
    clearToastOfLastPage()
    const target = document.querySelector('h1') ?? document.querySelector('main')
    if (!target) return
    if (!target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1')
    target.focus({ preventScroll: true })
  }, [page])
}
