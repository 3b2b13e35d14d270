import { useEffect, useState } from 'react'

import type { Saved } from '#features/text/ui/undo-steps.ts'

import { type Edits, useDrafts } from './edits.ts'

/** How long it is said that something is stored. */
const SAID_MS = 4_000

export type SaveNews = 'saved' | 'saving' | 'left' | 'kept'

/**
 * The news about corrections: that they are stored or being sent, for a moment, and that they are kept
 * in this browser, until the server is back. Null while there is none.
 */
export function useSaveNews(edits: Edits | null, saved: Saved): SaveNews | null {
  const drafts = [...useDrafts(edits).values()]
  const [said, setSaid] = useState(saved)
  const isNew = saved.at !== said.at || saved.undoable > said.undoable
  useEffect(() => {
    if (saved.at === said.at && saved.undoable === said.undoable) return
    const timer = setTimeout(() => setSaid(saved), SAID_MS)
    return () => clearTimeout(timer)
  }, [saved, said])
  if (!edits) return null
  if (drafts.some(({ status }) => status === 'kept')) return 'kept'
  if (drafts.some(({ status }) => status === 'typed' || status === 'sending')) return 'saving'
  if (!isNew) return null
  return saved.isLeft ? 'left' : 'saved'
}

const words: Record<SaveNews, string> = {
  saved: 'Saved',
  saving: 'Saving…',
  left: 'Left without the changes',
  kept: 'Not saved.',
}

/** In the place of the facts. What cannot be sent stays there until it is. */
export function SaveState({
  edits,
  news,
  onUndo,
}: {
  edits: Edits | null
  news: SaveNews | null
  onUndo: () => void
}) {
  const isKept = news === 'kept'
  const hasUndo = news === 'saved' || news === 'left'
  return (
    <>
      <p role="status" className="contents">
        {news ? words[news] : ''}
        {isKept ? (
          <span className="sr-only">
            {' '}
            Your changes are kept in this browser and sent when the connection is back.
          </span>
        ) : null}
      </p>
      {isKept || hasUndo ? (
        <button
          type="button"
          className="-my-3 ml-2 min-h-11 text-link"
          onClick={isKept ? edits?.drafts.retry : onUndo}
        >
          {isKept ? 'Try again' : 'Undo'}
        </button>
      ) : null}
    </>
  )
}
