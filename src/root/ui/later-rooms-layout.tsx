import { Outlet } from 'react-router'

import { ExportDialog } from '#features/exports/ui/export-formats.tsx'
import { ExportManyDialog } from '#features/exports/ui/export-many-dialog.tsx'
import { LaterRoomsContext } from '#features/library/ui/later-rooms.ts'
import { fetchResult } from '#features/result/ui/fetch-result.ts'
import { ShareDialog } from '#features/sharing/ui/share-dialog.tsx'

const laterRooms = { fetchResult, ExportDialog, ExportManyDialog, ShareDialog }

/** Hands screens the parts of rooms after theirs, which they may not import. */
export default function LaterRoomsLayout() {
  return (
    <LaterRoomsContext value={laterRooms}>
      <Outlet />
    </LaterRoomsContext>
  )
}
