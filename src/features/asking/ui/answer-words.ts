/** Words about answers, on the screen, for screen readers and in copies. */
import { formatClock, formatTime } from '#shared/format.ts'

import type { Answer, Answers, Quote } from '../contract.ts'
import type { Asked } from './queries.ts'

export const PASSAGES = 'Passages that speak of this'

/** Whether a language model will answer the next question. */
export const willAnswer = ({ hasModel, left }: Pick<Answers, 'hasModel' | 'left'>): boolean =>
  hasModel && left !== 0

/** The line under the field: who answers, and how often still. */
export function whoAnswers(
  { hasModel, left, perDay }: Pick<Answers, 'hasModel' | 'left' | 'perDay'>,
  { source }: Pick<Asked, 'source'>,
  now = new Date(),
): string {
  if (!hasModel) return 'This server has no language model, so it shows what was said about it.'
  if (left === 0)
    return `${perDay} questions a day. The next ones at ${formatClock(nextDay(now))}; until then you see what was said about it.`
  const count =
    left === null || perDay === null ? '' : ` ${left} of ${perDay} questions left today.`
  return `Written by AI from ${source} alone.${count}`
}

/** The server counts by days of UTC. */
const nextDay = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1))

/** The text of an answer before its quotes. */
export function saidFirst({ kind, text, notSaid, quotes, note }: Answer): {
  strong: string | null
  plain: string
  missing: string | null
} {
  const none = quotes.length === 0
  switch (kind) {
    case 'answer':
      return {
        strong: null,
        plain: text ?? '',
        missing:
          [none ? 'No source found.' : '', notSaid === null ? '' : `Not found: ${ended(notSaid)}`]
            .filter(Boolean)
            .join(' ') || null,
      }
    case 'not-said':
      return {
        // A model that finds nothing may have overlooked it: nobody knows that it was not said.
        strong: `The model found no answer in ${note === 'read-all' ? 'all that was said' : 'the parts that it read'}.`,
        plain: none ? '' : 'Nearest to the question:',
        missing: null,
      }
    case 'passages':
      return {
        strong: null,
        plain: [
          whyPassages[note ?? 'no-model'],
          none ? 'Nothing was found that speaks of this. Other words may find it.' : '',
        ]
          .filter(Boolean)
          .join(' '),
        missing: null,
      }
  }
}

const whyPassages: Record<NonNullable<Answer['note']>, string> = {
  // The line under the field says it of all of them.
  'no-model': '',
  'no-answer': 'No answer this time, and the question was not counted.',
  'used-up': "Today's questions are used up.",
  'read-all': '',
}

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** An answer with what was said for it, as plain text. */
export function answerAsText(answer: Answer, { withNames }: { withNames: boolean }): string {
  const { question, quotes } = answer
  const { strong, plain, missing } = saidFirst(answer)
  const isFound = answer.kind === 'passages' && quotes.length > 0
  const head = [strong, plain, isFound ? `${PASSAGES}:` : null].filter(Boolean).join(' ')
  const said = quotes.map(
    (quote) => `“${quote.text}” (${[...sourceOf(quote, withNames)].join(', ')})`,
  )
  return [question, head, ...said, missing].filter(Boolean).join('\n\n')
}

const sourceOf = ({ speaker, name, at }: Quote, withNames: boolean): string[] =>
  [speaker, withNames ? name : null, formatTime(at)].filter((part) => part !== null)

/** The words for a screen reader when an answer has come: all of it, once. */
export function announced(answer: Answer): string {
  const { kind, quotes } = answer
  const { strong, plain, missing } = saidFirst(answer)
  const count = quotes.length
  const one = kind === 'passages' ? 'passage that speaks of this' : 'quote'
  const many = kind === 'passages' ? 'passages that speak of this' : 'quotes'
  const found = count === 0 ? null : `${count} ${count === 1 ? one : many}.`
  return [strong, plain, missing, found].filter(Boolean).join(' ')
}
