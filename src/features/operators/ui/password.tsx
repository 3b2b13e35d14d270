import { PasswordField } from '#web/ui/field.tsx'

import type { useAct } from './use-act.ts'

/** There only when the server asks for it. */
export function Password({
  act: { password },
}: {
  act: Pick<ReturnType<typeof useAct>, 'password'>
}) {
  if (!password) return null
  return (
    <PasswordField
      label="Your password"
      autoComplete="current-password"
      hint="Asked for again after 15 minutes."
      value={password.value}
      onChange={(event) => password.set(event.target.value)}
      className="mt-3 text-ink"
    />
  )
}
