import { token as bearer } from '#web/api.ts'
import { paths, safeNext } from '#web/paths.ts'
import { toastAfterLoad } from '#web/ui/toast.tsx'

/**
 * Goes on as whom the server has just signed in. A page load, so that nothing of who was here before
 * is left in memory. The token that an earlier sign-in left behind goes: it would stand before
 * the new cookie.
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
