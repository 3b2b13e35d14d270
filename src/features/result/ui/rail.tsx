import { AddChapters } from '#features/chapters/ui/add-chapters.tsx'
import { ChapterRail } from '#features/chapters/ui/chapter-list.tsx'
import type { Voice } from '#features/transcriptions/ui/spoken.ts'
import { classes } from '#web/ui/classes.ts'
import { speakerColours } from '#web/ui/speaker-badge.tsx'

import type { Reader } from './reader.ts'

const headClasses = 'mb-3 font-display text-h3 font-semibold'

function RailKeyPoints({ keyPoints }: { keyPoints: string[] }) {
  if (keyPoints.length === 0) return null
  return (
    <section aria-labelledby="rail-key-points">
      <h2 id="rail-key-points" className={headClasses}>
        Key points
      </h2>
      <ul className="divide-y divide-rule text-ui leading-[1.45]!">
        {keyPoints.slice(0, 3).map((point) => (
          <li key={point} dir="auto" className="py-2.5 first:pt-0">
            {point}
          </li>
        ))}
      </ul>
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

/** What stands beside the text, or under a picture beside it. */
export function TextRail({ reader, hasTopics }: { reader: Reader; hasTopics: boolean }) {
  const { transcription, voices, chapters, only, setOnly } = reader
  return (
    <>
      <ChapterRail chapters={chapters} />
      <RailKeyPoints keyPoints={transcription.keyPoints} />
      {hasTopics ? <Topics topics={transcription.topics} id="rail-topics" /> : null}
      <TalkTime voices={voices} id="rail-talk-time" only={only} onOnly={setOnly} />
      <AddChapters chapters={chapters} />
    </>
  )
}
