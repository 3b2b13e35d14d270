import { useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'

import { nameOfIssuer, signInFailed, takeFailedTicket } from '#web/ticket.ts'
import { clearToastOfLastPage, toast } from '#web/ui/toast.tsx'

import { AuthProvider, useAuth } from './auth.tsx'

/** Round every page: who is signed in, and where the focus goes when the page changes. */
export default function SessionLayout() {
  useFocusOnNewPage()
  return (
    <AuthProvider>
      <FailedTicket />
      <Outlet />
    </AuthProvider>
  )
}

/**
 * The first page after a sign-in elsewhere that did not work. A user who was signed in before still is.
 */
function FailedTicket() {
  const { state } = useAuth()
  useEffect(() => {
    if (state === 'loading' || state === 'failed') return
    const issuer = takeFailedTicket()
    if (issuer === null) return
    void nameOfIssuer(issuer).then((name) =>
      toast({
        ...signInFailed(name),
        goesAlong: true,
        variant: 'destructive',
        ...(state === 'signed-in' && {
          description:
            'That sign-in was not from this browser, or too old. You are signed in as before.',
        }),
      }),
    )
  }, [state])
  return null
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
