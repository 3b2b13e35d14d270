import type { ComponentProps } from 'react'

import { NotLoaded } from '#web/ui/inline-error.tsx'

/** With `hasAll` what was loaded before is still shown. */
export function LibraryNotLoaded({
  hasAll,
  ...query
}: Omit<ComponentProps<typeof NotLoaded>, 'children'> & { hasAll: boolean }) {
  return (
    <NotLoaded {...query}>
      {hasAll
        ? 'Connection lost. This list may be out of date.'
        : 'Your library could not be loaded. Nothing in it was changed.'}
    </NotLoaded>
  )
}
