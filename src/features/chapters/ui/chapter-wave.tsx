import { formatTime } from '#shared/format.ts'
import { classes } from '#web/ui/classes.ts'
import { barred, useVeil } from '#web/ui/with-bars.tsx'

import { placesOnWave } from './chapters.ts'
import { type ChaptersState, useChapterNow } from './use-chapters.ts'

const percent = (part: number) => `${part * 100}%`

/**
 * Names of chapters above the wave. A chapter with less than 96 px shows its number. For keys and screen
 * readers there is the list of chapters.
 */
export function ChapterNames({ chapters }: { chapters: ChaptersState }) {
  const { list, duration, go } = chapters
  const now = useChapterNow(chapters)
  const veil = useVeil()
  return (
    <div aria-hidden="true" className="absolute inset-x-0 -top-[22px] hidden h-5 lg:tall:block">
      {placesOnWave(list, duration).map(({ left, width }, index) => {
        const { title = '', start = 0 } = list[index] ?? {}
        return (
          <button
            key={start}
            type="button"
            tabIndex={-1}
            data-tip={`${veil.hide(title)}, ${formatTime(start)}`}
            // The focus stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => go(start)}
            style={{ left: percent(left), width: percent(width) }}
            className={classes(
              '@container absolute inset-y-0 flex items-center overflow-hidden pr-1.5 text-left text-fine leading-5! text-ink-2 hover:text-ink',
              left > 0 &&
                'pl-1.5 before:absolute before:inset-y-1 before:left-0 before:w-px before:bg-ink-2',
              index === now && 'font-semibold text-ink!',
            )}
          >
            <span dir="auto" className="hidden truncate @min-[96px]:block">
              {barred(title, veil, true)}
            </span>
            <span className="@min-[96px]:hidden">{index + 1}</span>
          </button>
        )
      })}
    </div>
  )
}

/** Where chapters begin, under the bars of the wave. */
export function ChapterTicks({ chapters: { list, duration } }: { chapters: ChaptersState }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-x-0 bottom-1 h-2">
      {placesOnWave(list, duration).map(({ left }) =>
        left > 0 ? (
          <span
            key={left}
            className="absolute inset-y-0 w-px bg-ink-2 forced-color-adjust-none"
            style={{ left: percent(left) }}
          />
        ) : null,
      )}
    </div>
  )
}
