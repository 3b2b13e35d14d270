import type { LaterRooms } from '#features/transcriptions/ui/later-rooms.ts'

/** What the screens of transcriptions show of the rooms after it. */
export const laterRooms: LaterRooms = {
  loadResults: () => import('#features/editor/ui/results-view.tsx'),
  fetchWords: (client, id) =>
    void import('#features/editor/ui/words-query.ts').then(
      ({ wordsQuery }) => client.prefetchQuery(wordsQuery(id)),
      // Not to be had now: the result asks for it when it is open.
      () => undefined,
    ),
  loadExportTab: () => import('#features/exports/ui/export-tab.tsx'),
  loadExportDialog: () => import('#features/exports/ui/export-formats.tsx'),
}
