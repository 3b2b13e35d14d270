import { BRAND } from '#shared/business.ts'
import type { ToastWords } from '#web/ui/toast.tsx'

import type { Auth } from './auth.tsx'

/**
 * The words for who comes by `welcome=1`; null while nobody knows who that is. Anybody may follow such a
 * link: a stranger is not told of an account.
 */
export function welcomeOf(state: Auth['state']): ToastWords | null {
  if (state === 'loading' || state === 'failed') return null
  const title = `Welcome to ${BRAND}!`
  return {
    title,
    ...(state === 'signed-in' ? { description: 'Your account is ready.' } : {}),
    goesAlong: true,
  }
}
