import { type ReactNode, useState } from 'react'

import { openFirst } from '#features/action-items/action-text.ts'
import { useActions } from '#features/action-items/ui/queries.ts'
import { AddChapters } from '#features/chapters/ui/add-chapters.tsx'
import { ChapterRail } from '#features/chapters/ui/chapter-list.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Timecode } from '#web/ui/timecode.tsx'
import { WithBars } from '#web/ui/with-bars.tsx'

import { useChaptersOut } from './chapters-out.ts'
import type { Result } from './result.ts'

const headClasses = 'mb-2 font-display text-h3 font-semibold'

/** The beginning of a summary: as many sentences as are read at a glance. */
const beginningOf = (summary: string): string =>
  /^(?:.+?[.!?…。！？]["”’)]*(?:\s|$)){1,3}/.exec(summary)?.[0].trim() ?? summary

function RailSummary({ summary, onMore }: { summary: string; onMore: () => void }) {
  const [first = ''] = summary.trim().split(/\n+/)
  if (first === '') return null
  const short = beginningOf(first)
  return (
    <section aria-labelledby="rail-summary">
      <h2 id="rail-summary" className={headClasses}>
        Summary
      </h2>
      <p dir="auto" className="line-clamp-5 text-small leading-6!">
        <WithBars text={short} />
      </p>
      {short.length < summary.trim().length ? (
        <More label="More of the summary" onPress={onMore}>
          More
        </More>
      ) : null}
    </section>
  )
}

function More({
  label,
  onPress,
  children,
}: {
  label: string
  onPress: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      aria-label={label}
      className="mt-1 min-h-8 text-small font-semibold text-ink-2 underline decoration-1 underline-offset-4 hover:text-ink pointer-coarse:min-h-11"
      onClick={onPress}
    >
      {children}
    </button>
  )
}

/** How many are shown beside the text. */
const FEW_ACTIONS = 3

/** The first things to do. All of them, and what can be changed, are with the summary. */
function RailActions({ result, onMore }: { result: Result; onMore: () => void }) {
  const { id, actionItems } = result.text.transcription
  const act = useActions(id)
  const [first] = useState(
    () =>
      new Set(
        openFirst(actionItems)
          .slice(0, FEW_ACTIONS)
          .map((item) => item.id),
      ),
  )
  const shown = actionItems.filter((item) => first.has(item.id))
  if (actionItems.length === 0) return null
  return (
    <section aria-labelledby="rail-actions">
      <h2 id="rail-actions" className={headClasses}>
        Action items
      </h2>
      <ul className="divide-y divide-rule text-small leading-5.5!">
        {shown.map((item) => (
          <li key={item.id} className="flex items-start gap-1 py-1">
            <Checkbox
              checked={item.isDone}
              className="-ml-2.5 flex-1 items-start! gap-2.5! px-2.5 py-1.5"
              onChange={() => act({ kind: 'set', item, change: { isDone: !item.isDone } })}
            >
              <span dir="auto" className={classes('wrap-anywhere', item.isDone && 'text-ink-2')}>
                <WithBars isPlain text={item.text} />
              </span>
            </Checkbox>
            {item.at === null ? null : (
              <Timecode s={item.at} className="pt-1.5 text-code! text-ink-3" />
            )}
          </li>
        ))}
      </ul>
      {actionItems.length > shown.length ? (
        <More label={`All ${actionItems.length} action items`} onPress={onMore}>
          All {actionItems.length}
        </More>
      ) : null}
    </section>
  )
}

/** The column beside the text, or under a picture beside it. */
export function TextRail({ result, onTab }: { result: Result; onTab: (tab: 'summary') => void }) {
  const { chapters } = result.sound
  const isOut = useChaptersOut(result)
  const { summary, keyPoints } = result.text.transcription
  const onMore = () => onTab('summary')
  return (
    <>
      {/* A talk of several people has key points alone. */}
      <RailSummary summary={summary || keyPoints.join('\n')} onMore={onMore} />
      <ChapterRail {...{ chapters, isOut }} />
      <RailActions {...{ result, onMore }} />
      <AddChapters chapters={chapters} />
    </>
  )
}
