import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { addressOf } from '#shared/call.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { lookAtExport } from '../calls.ts'
import type { ExportLook, ExportOptions, LookLine } from '../contract.ts'
import { isRefused } from './why-not.ts'

/** So many letters are seen whole on a phone too. */
const SHORT = 200

/** How the file begins that is chosen, asked for anew with each choice. */
export function useLook(id: string, asked: ExportOptions | null) {
  const query = { ...asked, look: '1' } as ExportOptions & { look: '1' }
  // What is typed of a timecode is none before its end.
  if ((query.filmStart?.length ?? 11) < 11) delete query.filmStart
  const given = { params: { id }, query }
  return useQuery({
    queryKey: ['look', addressOf(lookAtExport, given)],
    queryFn: ({ signal }) => ask(lookAtExport, { ...given, signal }),
    enabled: asked !== null,
    // A correction changes it, and the tab is opened to take it away.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
}

/** The first lines of the file as it would be. */
export function Look({ look }: { look: ReturnType<typeof useLook> }) {
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = look
  if (isError)
    return (
      <Sheet>
        <p className="mb-3 text-small text-ink-2">
          {sentenceOf(error, 'The first lines could not be shown.')}
        </p>
        {isRefused(error) ? null : (
          <Button size="small" pending={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        )}
      </Sheet>
    )
  if (!data) return <Sheet isBusy>{null}</Sheet>
  return (
    <Sheet
      isBusy={isFetching}
      isBefore={isPlaceholderData}
      isFading={!data.isWhole || lettersOf(data) > SHORT}
    >
      {'text' in data ? (
        <pre dir="auto" className="font-mono text-fine whitespace-pre-wrap wrap-anywhere">
          {data.text}
        </pre>
      ) : (
        <Page lines={data.page} language={data.language} />
      )}
    </Sheet>
  )
}

const lettersOf = (look: ExportLook): number =>
  'text' in look
    ? look.text.length
    : look.page.reduce((sum, line) => sum + ('text' in line ? line.text.length : 0), 0)

/** As high for every format, so that nothing below it moves. */
export function Sheet({
  isBusy = false,
  isBefore = false,
  isFading = false,
  children,
}: {
  isBusy?: boolean
  /** It belongs to the choice before, and another is on its way. */
  isBefore?: boolean
  isFading?: boolean
  children: ReactNode
}) {
  return (
    <section
      aria-label="The first lines"
      aria-busy={isBusy}
      className={classes(
        'h-[206px] min-w-0 overflow-hidden rounded-panel border border-rule bg-card p-4 lg:h-[480px] lg:px-12 lg:py-9',
        isFading && '[mask-image:linear-gradient(black_calc(100%-6rem),transparent)]',
      )}
    >
      <div className={isBefore ? 'text-ink-2' : undefined}>{children}</div>
    </section>
  )
}

const styles: Record<LookLine['as'], string> = {
  title: 'font-display text-section font-semibold',
  facts: 'mt-1 mb-5 text-small text-ink-2',
  heading: 'mt-5 mb-2 font-display text-h3 font-semibold',
  chapter: 'mt-5 mb-2 font-display text-h3 font-semibold',
  item: 'ml-5 list-item list-disc',
  text: 'mb-3',
  who: 'flex flex-wrap items-baseline gap-x-2.5',
}

/** It is looked at and not read through: its headings are none of the screen's. */
export function Page({
  lines,
  language,
}: {
  lines: readonly LookLine[]
  language?: string | undefined
}) {
  return (
    <div lang={language} className="text-ui wrap-anywhere">
      {lines.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the lines of one file, in their order
        <p key={index} dir="auto" className={styles[line.as]}>
          {line.as === 'who'
            ? line.parts.map(({ as, text }) => (
                <span
                  key={as}
                  className={as === 'time' ? 'font-mono text-code text-ink-2' : 'font-[650]'}
                >
                  {text}
                </span>
              ))
            : line.text}
        </p>
      ))}
    </div>
  )
}
