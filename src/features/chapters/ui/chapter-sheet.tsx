import { useRef, useState } from 'react'
import { counted } from '#shared/format.ts'

import { SidePanel } from '#web/ui/side-panel.tsx'

import { ChapterEditor, leaveField } from './chapter-editor.tsx'
import {
  ChangeButton,
  ChapterList,
  type ChaptersOut,
  CopyChapters,
  focusLater,
} from './chapter-list.tsx'
import type { ChaptersState } from './use-chapters.ts'

/** So high shows the fields of two chapters. */
const FIELDS_PX = 360

/** All chapters on a phone, above the player. */
export function ChapterSheet({
  chapters,
  isOut,
  onClosed,
}: {
  chapters: ChaptersState
  isOut: ChaptersOut
  /** Gives the focus back to what has opened it. */
  onClosed: () => void
}) {
  const { list, isChanging, canEdit, edit, done, close, go } = chapters
  const head = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number>()
  const change = () => {
    const sheet = head.current?.closest<HTMLElement>('[data-side-panel]')
    setHeight(Math.max(FIELDS_PX, sheet?.offsetHeight ?? 0))
    edit(null)
  }
  const shut = () => {
    leaveField()
    close()
    onClosed()
  }
  return (
    <>
      {/* What is read can be scrolled out from under it. */}
      <div aria-hidden="true" className="h-(--sheet-height,0px)" />
      <SidePanel
        title="Chapters"
        closeLabel="Close chapters"
        onClose={shut}
        height={isChanging ? height : undefined}
        head={
          <div ref={head} className="flex min-h-9 items-center justify-between gap-3">
            <p className="text-small font-semibold">
              {isChanging ? 'Change chapters' : counted(list.length, 'chapter')}
            </p>
            {isChanging ? null : (
              <span className="-my-1.5 flex">
                {canEdit ? <ChangeButton onPress={change} /> : null}
                <CopyChapters list={list} />
              </span>
            )}
          </div>
        }
      >
        <div className="mt-2">
          {isChanging ? (
            <ChapterEditor
              chapters={chapters}
              onDone={() => {
                done()
                focusLater(() => head.current?.querySelector('button'))
              }}
            />
          ) : (
            <nav aria-label="Chapters">
              <ChapterList
                {...{ chapters, isOut }}
                onGo={(start) => {
                  go(start)
                  close()
                  onClosed()
                }}
              />
            </nav>
          )}
        </div>
      </SidePanel>
    </>
  )
}
