import { type ReactNode, useState } from 'react'

import { openFirst } from '#features/action-items/action-text.ts'
import { useActions } from '#features/action-items/ui/queries.ts'
import { AddChapters } from '#features/chapters/ui/add-chapters.tsx'
import { ChapterRail } from '#features/chapters/ui/chapter-list.tsx'
import type { Voice } from '#features/transcriptions/ui/spoken.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { speakerColours } from '#web/ui/speaker-badge.tsx'
import { Timecode } from '#web/ui/timecode.tsx'

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
        {short}
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
                {item.text}
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

export function Topics({ topics, id }: { topics: string[]; id: string }) {
  if (topics.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={headClasses}>
        Topics covered
      </h2>
      <ul className="flex flex-wrap gap-2">
        {topics.map((topic) => (
          <li
            key={topic}
            dir="auto"
            className="rounded-badge border border-rule px-3 py-1 text-small leading-5! wrap-anywhere"
          >
            {topic}
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * How much each speaker said, most first. Where possible, a press shows only that speaker's turns.
 */
export function TalkTime({
  voices,
  id,
  only = null,
  onOnly,
}: {
  voices: readonly Voice[]
  id: string
  only?: number | null
  onOnly?: (speaker: number | null) => void
}) {
  const heard = voices.filter(({ speaker }) => speaker !== null)
  if (heard.length === 0) return null
  const most = Math.max(...heard.map(({ share }) => share), 1)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={headClasses}>
        Talk time
      </h2>
      <ul className="text-ui">
        {heard
          .toSorted((a, b) => b.share - a.share)
          .map(({ speaker, name, share }) => {
            const row = (
              <>
                <span className="truncate font-[650] text-speaker">{name}</span>
                <span aria-hidden="true" className="h-2">
                  <span
                    className="keeps-colour block h-full min-w-1 rounded-full bg-speaker-lane"
                    style={{ width: `${(share / most) * 100}%` }}
                  />
                </span>
                <span className="min-w-11 text-right whitespace-nowrap tabular-nums">{share}%</span>
              </>
            )
            const colours = speakerColours(speaker ?? 0)
            return (
              <li key={speaker}>
                {onOnly && heard.length > 1 ? (
                  <button
                    type="button"
                    {...colours}
                    aria-pressed={only === speaker}
                    title={only === speaker ? 'Show all turns' : `Show only ${name}`}
                    onClick={() => onOnly(only === speaker ? null : speaker)}
                    className={classes(rowClasses, 'hover:bg-paper-2 aria-pressed:bg-speaker-tint')}
                  >
                    {row}
                  </button>
                ) : (
                  <span {...colours} className={rowClasses}>
                    {row}
                  </span>
                )}
              </li>
            )
          })}
      </ul>
    </section>
  )
}

const rowClasses =
  '-mx-2 grid min-h-8 w-[calc(100%+1rem)] grid-cols-[86px_1fr_auto] items-center gap-3 rounded-control px-2 text-left pointer-coarse:min-h-11'

/** The column beside the text, or under a picture beside it. */
export function TextRail({ result, onTab }: { result: Result; onTab: (tab: 'summary') => void }) {
  const { chapters } = result.sound
  const onMore = () => onTab('summary')
  return (
    <>
      <RailSummary summary={result.text.transcription.summary ?? ''} onMore={onMore} />
      <ChapterRail chapters={chapters} />
      <RailActions {...{ result, onMore }} />
      <AddChapters chapters={chapters} />
    </>
  )
}
