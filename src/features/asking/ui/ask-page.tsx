import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'

import { newestQuery } from '#features/library/ui/library-queries.ts'
import { BRAND } from '#shared/business.ts'
import { paths, withMoment } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'

import type { Quote } from '../contract.ts'
import { AnswerBox } from './answer-box.tsx'
import { AskForm } from './ask-form.tsx'
import { answersQuery, askedLibrary } from './queries.ts'
import { useAsking } from './use-asking.ts'

/** Questions to all recordings at once. A search that led here stands in the field. */
export default function AskPage() {
  const { search } = useLocation()
  const query = useQuery(answersQuery(askedLibrary))
  const newest = useInfiniteQuery(newestQuery)
  const searched = new URLSearchParams(search).get('q') ?? ''
  const asking = useAsking(askedLibrary, searched)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) field.current?.focus()
  }, [])
  const hasNothing = newest.data?.pages[0]?.total === 0 && query.data?.answers.length === 0
  return (
    <Container className="pt-6 pb-16 lg:pt-10">
      <title>{`${askedLibrary.title} · ${BRAND}`}</title>
      <div className="mx-auto max-w-[44rem]">
        <Link
          to={paths.library}
          className="-mt-4 inline-flex min-h-11 items-center gap-2.5 text-small text-ink-2 no-underline hover:underline"
        >
          <ChevronLeft size={16} />
          Library
        </Link>
        <h1 className="font-display text-app font-semibold">{askedLibrary.title}</h1>
        {hasNothing ? (
          <EmptyPad
            className="mt-6"
            text="Nothing to ask yet. Questions are answered from what was said in your recordings."
            action={<ButtonLink href={paths.dashboard}>Transcribe a recording</ButtonLink>}
          />
        ) : (
          <>
            <div className="mt-4">
              <AskForm asked={askedLibrary} {...{ asking, field }} answers={query.data} />
            </div>
            <section aria-labelledby="answers-heading" className="mt-8">
              <h2 id="answers-heading" className="sr-only">
                Questions and answers
              </h2>
              <AnswerBox
                query={query}
                asking={asking}
                isNewestFirst
                shown={{
                  asked: askedLibrary,
                  ofMany: true,
                  opening: { verb: 'Open', to: momentOf },
                }}
              />
            </section>
          </>
        )}
      </div>
    </Container>
  )
}

/** The transcript at the moment of a quote, with what was found, or all of it, marked. */
function momentOf({ transcriptionId, at, text, marks }: Quote) {
  const found = marks.map(([from, to]) => text.slice(from, to))
  const q = found.length > 0 ? [...new Set(found)].join(' ') : text
  const search = withMoment(`?${new URLSearchParams({ t: transcriptionId, q })}`, at)
  return { pathname: paths.dashboard, search, hash: '#transcription' }
}
