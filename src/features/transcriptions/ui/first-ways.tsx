import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError } from '#web/ui/inline-error.tsx'

import { newestQuery } from './library-queries.ts'
import { openSampleSentence, useOpenSample } from './queries.ts'

/** The three ways to begin, side by side, until somebody has a result of their own. */
export function FirstWays({ onRecord }: { onRecord: () => void }) {
  const navigate = useNavigate()
  const sample = useOpenSample({ onOpened: (id) => void navigate({ search: `?t=${id}` }) })
  const { data } = useInfiniteQuery(newestQuery)
  const [first] = data?.pages ?? []
  if (!first || first.rows.some(({ isSample }) => !isSample)) return null
  const problem = openSampleSentence(sample.error)
  return (
    <section aria-labelledby="ways-heading" className="mt-8">
      <h2 id="ways-heading" className="font-display text-h3 font-semibold">
        Three ways to begin
      </h2>
      <ul className="mt-3 grid border-y border-rule sm:grid-cols-3">
        <Way
          title="Your own file"
          isAbove
          act={
            <Button size="small" onClick={() => document.getElementById('upload-file')?.click()}>
              Choose a file…
            </Button>
          }
        >
          An interview, a meeting, a film. You see the price before anything is charged.
        </Way>
        <Way
          title="A recording from your phone"
          isAbove
          act={
            <Button size="small" onClick={onRecord}>
              Record here
            </Button>
          }
        >
          <span className="max-sm:hidden pointer-coarse:hidden">
            Open this page on the phone and add it to the home screen. Then its voice memos can be
            shared to {BRAND}.
          </span>
          <span className="sm:hidden pointer-coarse:inline">
            Add this page to the home screen. Then your voice memos can be shared to {BRAND}.
          </span>
        </Way>
        <Way
          title="Our sample"
          act={
            <Button size="small" pending={sample.isPending} onClick={() => sample.mutate()}>
              Open our sample
            </Button>
          }
        >
          Two people, a minute long, transcribed and free: press a word, name a voice, search.
        </Way>
      </ul>
      {problem ? <InlineError className="mt-4">{problem}</InlineError> : null}
    </section>
  )
}

function Way({
  title,
  act,
  isAbove = false,
  children,
}: {
  title: string
  act: ReactNode
  /** On a phone the same button stands right above. */
  isAbove?: boolean
  children: ReactNode
}) {
  return (
    <li className="flex flex-col border-rule py-4 not-last:border-b sm:px-5 sm:not-last:border-r sm:not-last:border-b-0 sm:first:pl-0 sm:last:pr-0">
      <h3 className="text-ui font-[650]">{title}</h3>
      <p className="mt-1 flex-1 text-small text-ink-2">{children}</p>
      <div className={classes('mt-3', isAbove && 'max-sm:hidden')}>{act}</div>
    </li>
  )
}
