import { type Query, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, createContext, useContext, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

import { logOut } from '#shared/visitor.ts'
import { request, sentenceOf, token } from '#web/api.ts'
import { forgetVisit } from '#web/forget-account.ts'
import { mayLogOut } from '#web/log-out-guard.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'
import { useOnFocus } from '#web/use-on-focus.ts'
import { useWindowEvent } from '#web/use-window-event.ts'

import type { User } from '../contract.ts'
import { userQuery } from './queries.ts'

/**
 * Whether somebody is signed in, and who. 401 is nobody; an error is neither somebody nor nobody.
 */
type Who =
  | { state: 'loading'; user: null }
  | { state: 'signed-in'; user: User }
  /** The session has ended; the page still shows its user's things. */
  | { state: 'ended'; user: User }
  /** byChoice: they have just logged out on this page. */
  | { state: 'signed-out'; user: null; byChoice: boolean }
  | { state: 'failed'; user: null; error: Error; retry: () => void }

export type Auth = Who & { logOut: () => void; isLoggingOut: boolean }

const WAS_HERE = 'was-here'

/**
 * Whether somebody has been signed in in this browser before: nobody else is welcomed back. Each page
 * that sees somebody notes it anew, and the other pages hear of that.
 */
export const wasHere = {
  read(): boolean {
    try {
      return localStorage.getItem(WAS_HERE) !== null
    } catch {
      return false // Storage is forbidden.
    }
  },
  note(): void {
    try {
      // What stays the same is not told to the other pages.
      localStorage.removeItem(WAS_HERE)
      localStorage.setItem(WAS_HERE, 'yes')
    } catch {
      // Storage is forbidden: then everybody is a stranger.
    }
  },
}

const AuthContext = createContext<Auth | null>(null)

export function AuthProvider({ children }: { children: ReactNode }) {
  const query = useQuery(userQuery)
  const leaving = useLogOut()
  const last = useLastUser(query.data ?? null)
  const who = whoIs(query, { last, hasLoggedOut: leaving.isSuccess })
  useComeBack(who.state, () => void query.refetch())
  const isHere = who.state === 'signed-in'
  useEffect(() => {
    if (isHere) wasHere.note()
  }, [isHere])
  const logOutIfMay = () =>
    void mayLogOut().then((may) => {
      if (may) leaving.mutate()
      return undefined
    })
  return (
    <AuthContext value={{ ...who, logOut: logOutIfMay, isLoggingOut: leaving.isPending }}>
      {children}
    </AuthContext>
  )
}

/**
 * The last user of this page. Its content is theirs: the page is loaded anew for somebody else. When a
 * session has ended, its user stays on the page; after leaving the page they count as signed out.
 */
function useLastUser(user: User | null): User | null {
  const { pathname } = useLocation()
  const [last, setLast] = useState({ user, pathname })
  const isAnother = user !== null && last.user !== null && user.id !== last.user.id
  if (!isAnother && (pathname !== last.pathname || (user !== null && user !== last.user)))
    setLast({ user, pathname })
  useEffect(() => {
    if (isAnother) location.reload()
  }, [isAnother])
  return last.user
}

const isNotUser = ({ queryKey }: Query) => queryKey[0] !== userQuery.queryKey[0]

/**
 * Signed in elsewhere in this browser, by a mailed link or again: the page goes on. It asks when another
 * page has seen somebody, and when it is come back to, for browsers that keep nothing.
 */
function useComeBack(state: Who['state'], ask: () => void): void {
  const queryClient = useQueryClient()
  const hasEnded = state === 'ended'
  const isAway = hasEnded || state === 'signed-out'
  const had = useRef(hasEnded)
  useOnFocus(() => {
    if (isAway) ask()
  })
  useWindowEvent('storage', ({ key, newValue }) => {
    if (isAway && key === WAS_HERE && newValue !== null) ask()
  })
  useEffect(() => {
    if (had.current && !hasEnded) void queryClient.invalidateQueries({ predicate: isNotUser })
    had.current = hasEnded
  }, [hasEnded, queryClient])
}

export function useAuth(): Auth {
  const auth = useContext(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

/** For parts that only a signed-in user sees. */
export function useUser(): User {
  const { user } = useAuth()
  if (!user) throw new Error('useUser must be used where somebody is signed in')
  return user
}

function whoIs(
  query: { data: User | null | undefined; error: Error | null; refetch: () => unknown },
  { last, hasLoggedOut }: { last: User | null; hasLoggedOut: boolean },
): Who {
  // A reload that failed does not sign anybody out.
  if (query.data) return { state: 'signed-in', user: query.data }
  if (query.data === null && last && !hasLoggedOut) return { state: 'ended', user: last }
  if (query.data === null) return { state: 'signed-out', user: null, byChoice: hasLoggedOut }
  if (query.error)
    return { state: 'failed', user: null, error: query.error, retry: () => void query.refetch() }
  return { state: 'loading', user: null }
}

function useLogOut() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => request(logOut),
    onSuccess: () => {
      token.remove()
      forgetVisit()
      queryClient.removeQueries({ predicate: isNotUser })
      queryClient.setQueryData(userQuery.queryKey, null)
      toast({
        title: 'Logged Out',
        description: "You've been successfully logged out.",
        goesAlong: true,
      })
    },
    onError: (error) => {
      toastFailure('Logout failed', sentenceOf(error, error.message))
    },
  })
}
