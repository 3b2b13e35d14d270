import { Outlet } from 'react-router'

import { LaterRoomsContext } from '#features/library/ui/later-rooms.ts'
import { fetchResult } from '#features/result/ui/fetch-result.ts'
import { later } from '#web/later.tsx'

const laterRooms = {
  fetchResult,
  ExportDialog: later(
    async () => (await import('#features/exports/ui/export-dialogs.tsx')).ExportDialog,
  ),
  ExportManyDialog: later(
    async () => (await import('#features/exports/ui/export-dialogs.tsx')).ExportManyDialog,
  ),
  HidePanel: later(async () => (await import('#features/hiding/ui/hide-panel.tsx')).HidePanel),
  HiddenSound: later(
    async () => (await import('#features/hiding/ui/hidden-sound.tsx')).HiddenSound,
  ),
  ShareDialog: later(
    async () => (await import('#features/sharing/ui/share-dialog.tsx')).ShareDialog,
  ),
  linkForOthers: async (id: string) =>
    (await import('#features/sharing/ui/for-others.ts')).linkForOthers(id),
  hasLinkTo: async (file: { id: string; transcriptionId: string }) =>
    (await import('#features/sharing/ui/for-others.ts')).hasLinkTo(file),
}

/** Hands screens the parts of rooms after theirs, which they may not import. */
export default function LaterRoomsLayout() {
  return (
    <LaterRoomsContext value={laterRooms}>
      <Outlet />
    </LaterRoomsContext>
  )
}
