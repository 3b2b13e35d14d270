import type { LaterRooms } from '#features/transcriptions/ui/later-rooms.ts'

/** What the room `transcriptions` shows of later rooms, which it may not import. */
export const laterRooms: LaterRooms = {
  loadResults: () => import('#features/editor/ui/results-view.tsx'),
  loadLiveText: () => import('#features/editor/ui/live-text.tsx'),
  fetchWords: (client, id) =>
    import('#features/editor/ui/words-query.ts').then(
      ({ wordsQuery }) => client.prefetchQuery(wordsQuery(id)),
      // A failure is ignored here: the open result asks again.
      () => undefined,
    ),
  loadExportTab: () => import('#features/exports/ui/export-tab.tsx'),
  loadAgainDialog: () => import('#features/editor/ui/again-dialog.tsx'),
  loadShareDialog: () => import('#features/sharing/ui/share-dialog.tsx'),
  loadExportManyDialog: () => import('#features/exports/ui/export-many-dialog.tsx'),
  loadExportDialog: () => import('#features/exports/ui/export-formats.tsx'),
}
