import { lazy } from 'react'
import { Outlet } from 'react-router'

import { AgainDialog } from '#features/again/ui/again-dialog.tsx'
import { LiveText } from '#features/dashboard/ui/live-text.tsx'
import { ExportDialog } from '#features/exports/ui/export-formats.tsx'
import { ExportManyDialog } from '#features/exports/ui/export-many-dialog.tsx'
import { ExportTab } from '#features/exports/ui/export-tab.tsx'
import { type LaterRooms, LaterRoomsContext } from '#features/library/ui/later-rooms.ts'
import { ShareDialog } from '#features/sharing/ui/share-dialog.tsx'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import { loadAgain } from '#web/load-again.ts'

/** Another screen than the desk, though it has the same path. */
const loadResults = () => import('#features/result/ui/results-view.tsx').catch(loadAgain)

const laterRooms: LaterRooms = {
  ResultsView: lazy(async () => ({ default: (await loadResults()).ResultsView })),
  LiveText,
  fetchResult: async (client, id) => {
    await Promise.allSettled([loadResults(), client.prefetchQuery(wordsQuery(id))])
  },
  ExportTab,
  AgainDialog,
  ShareDialog,
  ExportManyDialog,
  ExportDialog,
}

/** Hands the room `transcriptions` what it shows of later rooms, which it may not import. */
export default function LaterRoomsLayout() {
  return (
    <LaterRoomsContext value={laterRooms}>
      <Outlet />
    </LaterRoomsContext>
  )
}
