import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { ApiError } from '#web/api.ts'

import type { Answer, Quote } from '../contract.ts'
import { GivenUp, ask as askServer } from './read-answer.ts'
import { type Asked, answersQuery } from './queries.ts'

/** A question that waits, with what of its answer has come. */
export interface Waiting {
  question: string
  text: string
  quotes: readonly Quote[]
  isSlow: boolean
}

/** A question without an answer. */
export interface Unanswered {
  question: string
  /** The server's sentence; empty where it did not say why. */
  why: string
}

/** After this long the wait is said to be unusual. */
const SLOW_MS = 20_000

export type Asking = ReturnType<typeof useAsking>

/**
 * Asks one question after the other. What was typed stays in its field until it is answered, and an
 * answer is read to its end also while nobody looks.
 */
export function useAsking(asked: Asked, typed = '') {
  const client = useQueryClient()
  const { queryKey } = answersQuery(asked)
  const [draft, setDraft] = useState(typed)
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  /** The last question, if nothing answered it. */
  const [failure, setFailure] = useState<Unanswered | null>(null)
  /** The last answer of this page, to be said once. */
  const [newest, setNewest] = useState<Answer | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const { question = null } = waiting ?? {}
  useEffect(() => {
    if (question === null) return
    const slow = () => setWaiting((now) => now && { ...now, isSlow: true })
    const timer = setTimeout(slow, SLOW_MS)
    return () => clearTimeout(timer)
  }, [question])

  const ask = async (typed: string) => {
    const question = typed.trim()
    if (question === '' || waiting) return
    const controller = new AbortController()
    running.current = controller
    const { signal } = controller
    // What was typed after a question that failed is not lost when that one is tried again.
    setDraft((now) => (now.trim() === '' ? typed : now))
    setFailure(null)
    setNewest(null)
    setWaiting({ question, text: '', quotes: [], isSlow: false })
    try {
      const { answer, left } = await askServer(asked, {
        question,
        signal,
        onSentence: (text) =>
          setWaiting((now) => now && { ...now, text: `${now.text} ${text}`.trim() }),
        onQuote: (quote) => setWaiting((now) => now && { ...now, quotes: [...now.quotes, quote] }),
      })
      const before = client.getQueryData(queryKey)
      if (before) {
        const answers = before.answers.filter((one) => !isReplaced(one, answer))
        client.setQueryData(queryKey, { ...before, left, answers: [...answers, answer] })
      } else void client.invalidateQueries({ queryKey })
      setNewest(answer)
      setDraft((now) => (now.trim() === question ? '' : now))
    } catch (error) {
      if (!signal.aborted) setFailure({ question, why: sentenceOfFailure(error) })
      // The answer may be there all the same, with only its way to here broken.
      void client.invalidateQueries({ queryKey })
    }
    setWaiting(null)
  }
  return {
    draft,
    setDraft,
    waiting,
    failure,
    newest,
    ask,
    stop: () => running.current?.abort(),
  }
}

/** Passages are kept once for a question: those that were found last, or the answer to it. */
const isReplaced = (one: Answer, by: Answer): boolean =>
  one.kind === 'passages' && one.question === by.question

/** The sentence of a refusal. A server that fails, or cannot be reached, has none that helps a reader. */
function sentenceOfFailure(error: unknown): string {
  if (error instanceof GivenUp) return error.message
  return (error instanceof ApiError && error.status < 500 && error.sentence) || ''
}
