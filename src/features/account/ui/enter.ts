import { token as bearer } from '#web/api.ts'
import { paths, safeNext } from '#web/paths.ts'
import { toastAfterLoad } from '#web/ui/toast.tsx'

/**
 * Opens the app for the person the server has just signed in. The page is loaded, so that nothing
 * of an earlier user is left in memory. The token of an earlier sign-in is removed: the server
 * would believe it before the new cookie.
 */
export function enter({
  token,
  title,
  next,
}: {
  token?: string | undefined
  title: string
  next: string | null
}): void {
  if (token) bearer.store(token)
  else bearer.remove()
  toastAfterLoad({ title })
  location.assign(safeNext(next) ?? paths.home)
}
