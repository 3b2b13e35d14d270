import { ListPlus, Sparkles } from 'lucide-react'

import { CHAPTERS_APART, CHAPTERS_FROM } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { ChaptersState } from './use-chapters.ts'

/** Shown where there are no chapters. Makes the first one, and looks for them in a long recording. */
export function AddChapters({
  chapters: { list, isChanging, canEdit, duration, here, addAt, find },
  className,
}: {
  chapters: ChaptersState
  className?: string
}) {
  if (list.length > 0 || isChanging || !canEdit) return null
  const isLong = duration >= CHAPTERS_FROM
  const hasFailed = find.problem !== null
  // At its very end nothing can begin.
  const start = () => Math.min(here() ?? 0, Math.max(0, duration - CHAPTERS_APART))
  return (
    <div className={className}>
      {hasFailed ? (
        <InlineError tone="warn" className="mb-2">
          {find.problem}
        </InlineError>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isLong ? (
          <Button size="small" icon={<Sparkles />} pending={find.isPending} onClick={find.start}>
            {hasFailed ? 'Try again' : 'Find chapters'}
          </Button>
        ) : null}
        <Button
          size="small"
          icon={<ListPlus />}
          onClick={() => {
            find.forget()
            addAt(start())
          }}
        >
          {hasFailed ? 'Add by hand' : 'Add chapters'}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {find.isPending ? 'Looking for chapters…' : ''}
      </p>
    </div>
  )
}
