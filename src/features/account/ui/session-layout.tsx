import { useEffect, useRef } from 'react'
import { Outlet, useLocation } from 'react-router'

import { token } from '#web/api.ts'
import { clearToastOfLastPage, toast } from '#web/ui/toast.tsx'

import { AuthProvider, useAuth } from './auth.tsx'

/** Round every page: who is signed in, and where the focus goes when the page changes. */
export default function SessionLayout() {
  useFocusOnNewPage()
  return (
    <AuthProvider>
      <RefusedTicket />
      <Outlet />
    </AuthProvider>
  )
}

/**
 * The first page after a sign-in elsewhere, which inline/ticket.js has noted. Its ticket is in the
 * place of the token until the server takes it; where the server did not, nobody else was signed in.
 */
function RefusedTicket() {
  const { state } = useAuth()
  useEffect(() => {
    if (state === 'loading' || state === 'failed') return
    if (sessionStorage.getItem(TICKET_NOTE) === null) return
    sessionStorage.removeItem(TICKET_NOTE)
    if (token.read() !== null) return
    toast({
      variant: 'destructive',
      title: 'Google Sign-In Error',
      description:
        state === 'signed-in'
          ? 'That sign-in was not from this browser, or too old. You are signed in as before.'
          : 'There was an error signing in with Google. Please try again.',
    })
  }, [state])
  return null
}

/** The name is inline/ticket.js's too. */
const TICKET_NOTE = 'sign-in-ticket'

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
