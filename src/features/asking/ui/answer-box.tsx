import { useEffect, useRef } from 'react'

import { NotLoaded } from '#web/ui/inline-error.tsx'
import { Button } from '#web/ui/button.tsx'

import type { Answers } from '../contract.ts'
import { announced, willAnswer } from './answer-words.ts'
import { AnswerItem, type AnswerView, UnansweredItem, WaitingItem } from './answer-list.tsx'
import { useRemove } from './queries.ts'
import type { Asking } from './use-asking.ts'

/** The answers of one place, in order, with what waits; or else why there are none. */
export function AnswerBox({
  query,
  asking,
  shown,
  isNewestFirst = false,
}: {
  query: {
    data: Answers | undefined
    isError: boolean
    isFetching: boolean
    refetch: () => unknown
  }
  asking: Asking
  shown: AnswerView
  /** Below a field; above one the newest is the last, and scrolled to. */
  isNewestFirst?: boolean
}) {
  const { draft, waiting, failure, newest, stop } = asking
  const { asked } = shown
  const answers = query.data?.answers ?? []
  const box = useRef<HTMLDivElement>(null)
  const remove = useRemove(asked, { onRemoved: () => box.current?.focus() })
  const come = waiting ? `${waiting.text} ${waiting.quotes.length}` : newest?.id
  const ask = (question: string) => void asking.ask(question)
  const list = useNewestInSight(answers.length + (waiting || failure ? 1 : 0), {
    come,
    isWanted: !isNewestFirst,
  })
  const isWriting = query.data === undefined || willAnswer(query.data)
  const reads = `${isWriting ? 'Reading' : 'Searching'} ${asked.read}…`
  const items = answers.map((answer) => (
    <AnswerItem key={answer.id} {...{ answer, shown }} onRemove={remove.mutate} />
  ))
  if (waiting)
    items.push(<WaitingItem key="waiting" {...{ waiting, shown, reads }} onStop={stop} />)
  else if (failure)
    items.push(<UnansweredItem key="waiting" unanswered={failure} draft={draft} onAsk={ask} />)
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <output className="sr-only">
        {waiting
          ? `${reads}${waiting.isSlow ? ' Taking longer than usual.' : ''}`
          : newest
            ? announced(newest)
            : ''}
      </output>
      {query.isError ? (
        <NotLoaded className="mb-4" isAsking={query.isFetching} askAgain={query.refetch}>
          The answers so far could not be loaded.
        </NotLoaded>
      ) : query.data === undefined ? (
        <p role="status" className="animate-appear text-small text-ink-2">
          Loading the answers…
        </p>
      ) : null}
      {items.length > 0 ? (
        <ol ref={list} className="space-y-7">
          {isNewestFirst ? items.toReversed() : items}
        </ol>
      ) : query.data ? (
        <Empty answers={query.data} onAsk={ask} />
      ) : null}
    </div>
  )
}

function Empty({ answers, onAsk }: { answers: Answers; onAsk: (question: string) => void }) {
  const { offers } = answers
  return (
    <>
      <p className="text-ui text-ink-2">
        {willAnswer(answers)
          ? 'Ask in your own words. Each answer shows who said it, and when.'
          : 'Ask in your own words, and see who spoke of it, and when.'}
      </p>
      {offers.length > 0 ? (
        <ul aria-label="To begin with" className="mt-4 space-y-2">
          {offers.map((offer) => (
            <li key={offer}>
              <Button
                size="small"
                className="h-auto! min-h-11 w-full justify-start! py-2 text-left leading-[1.4]! whitespace-normal!"
                onClick={() => onAsk(offer)}
              >
                <span dir="auto">{offer}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

const isScroller = (element: Element) => getComputedStyle(element).overflowY === 'auto'

/**
 * Scrolls to the last of a list when one was added, or when more of it has come, in what scrolls around
 * it. The page stays.
 */
function useNewestInSight(
  count: number,
  { come, isWanted }: { come: string | undefined; isWanted: boolean },
) {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef<{ count: number; come: string | undefined }>({ count: 0, come: undefined })
  useEffect(() => {
    const was = before.current
    before.current = { count, come }
    const isMore = count > was.count || (count === was.count && come !== was.come)
    const newest = list.current?.lastElementChild
    if (!isWanted || !isMore || !newest) return
    for (let around = newest.parentElement; around; around = around.parentElement)
      if (around.scrollHeight > around.clientHeight && isScroller(around)) {
        const top = newest.getBoundingClientRect().top - around.getBoundingClientRect().top
        around.scrollBy({ top })
        return
      }
  }, [count, come, isWanted])
  return list
}
