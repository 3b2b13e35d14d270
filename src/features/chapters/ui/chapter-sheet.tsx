import { ChevronDown, ChevronUp, List } from 'lucide-react'
import { useRef } from 'react'

import { Container } from '#web/ui/container.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

import { ChapterEditor, leaveField } from './chapter-editor.tsx'
import { ChangeButton, ChapterList, focusLater } from './chapter-list.tsx'
import { type ChaptersState, useChapterNow } from './use-chapters.ts'

const ROW = 'chapter-row'
const toRow = () => focusLater(() => document.getElementById(ROW))

/** Shows above the player of a phone the chapter that is being said. It opens the list of all. */
export function ChapterRow({ chapters }: { chapters: ChaptersState }) {
  const { list, isSheet, open, close } = chapters
  const now = useChapterNow(chapters)
  const chapter = list[now]
  return (
    <Container className="border-b border-rule lg:hidden">
      <button
        id={ROW}
        type="button"
        aria-expanded={isSheet}
        onClick={isSheet ? close : open}
        className="-mx-2 flex h-12 w-[calc(100%+1rem)] items-center gap-3 rounded-control px-2 text-left text-ui outline-offset-[-2px]!"
      >
        <List size={20} aria-hidden="true" className="shrink-0 text-ink-2" />
        <span className="sr-only">Chapters:</span>
        {chapter ? (
          <>
            <span className="min-w-0 flex-1 truncate">
              <span className="tabular-nums">{`${now + 1} of ${list.length} `}</span>
              <span dir="auto" className="font-semibold">
                {chapter.title}
              </span>
            </span>
            <Timecode s={chapter.start} className="text-fine! text-ink-2" />
          </>
        ) : (
          <span className="flex-1">{inChapters(list.length)}</span>
        )}
        {isSheet ? <ChevronDown size={20} /> : <ChevronUp size={20} />}
      </button>
    </Container>
  )
}

const inChapters = (count: number) => `${count} ${count === 1 ? 'chapter' : 'chapters'}`

/** All chapters on a phone, above the player. */
export function ChapterSheet({ chapters }: { chapters: ChaptersState }) {
  const { list, isChanging, canEdit, edit, done, close, go } = chapters
  const head = useRef<HTMLDivElement>(null)
  const shut = () => {
    leaveField()
    close()
    toRow()
  }
  return (
    <>
      {/* What is read can be scrolled out from under it. */}
      <div aria-hidden="true" className="h-(--sheet-height,0px)" />
      <SidePanel
        title="Chapters"
        closeLabel="Close chapters"
        onClose={shut}
        head={
          <div ref={head} className="flex min-h-9 items-center justify-between gap-3">
            <p className="text-small font-semibold">
              {isChanging ? 'Change chapters' : inChapters(list.length)}
            </p>
            {canEdit && !isChanging ? (
              <ChangeButton className="-my-1.5" onPress={() => edit(null)} />
            ) : null}
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
                chapters={chapters}
                onGo={(start) => {
                  go(start)
                  close()
                  toRow()
                }}
              />
            </nav>
          )}
        </div>
      </SidePanel>
    </>
  )
}
