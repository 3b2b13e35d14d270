import { CircleSlash, Copy, Ellipsis, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { transcriptionPath } from '#web/paths.ts'
import { copyText } from '#web/copy-text.ts'
import { groupBy } from '#web/group-by.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { WithBars } from '#web/ui/with-bars.tsx'

import type { Answer, Quote } from '../contract.ts'
import { PASSAGES, answerAsText, saidFirst } from './answer-words.ts'
import type { Asked } from './queries.ts'
import { type Opening, QuoteLink } from './quote-link.tsx'
import type { Unanswered, Waiting } from './use-asking.ts'

/** How answers are shown: of one recording, or of many, whose names then stand above their quotes. */
export interface AnswerView {
  asked: Asked
  opening: Opening
  ofMany: boolean
}

/** An answer, under its question: what was found, each with the moment at which it was said. */
export function AnswerItem({
  answer,
  shown,
  onRemove,
}: {
  answer: Answer
  shown: AnswerView
  onRemove: (answer: Answer) => void
}) {
  const { ofMany } = shown
  const { question, kind, quotes } = answer
  const { strong, plain, missing } = saidFirst(answer)
  const copy = () =>
    copyText(answerAsText(answer, { withNames: ofMany }), 'Could not copy the answer')
  return (
    <Item
      question={question}
      menu={
        <DropdownMenu
          trigger={
            <IconButton label={`More for “${question}”`} className="-my-1.5 -mr-2">
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuItem icon={<Copy />} onSelect={() => void copy()}>
            Copy with quotes
          </MenuItem>
          <MenuItem danger icon={<Trash2 />} onSelect={() => onRemove(answer)}>
            Remove
          </MenuItem>
        </DropdownMenu>
      }
    >
      {strong === null ? (
        <Text>{plain}</Text>
      ) : (
        <Missing>
          <strong className="font-[650]">
            <WithBars text={strong} />
          </strong>{' '}
          <WithBars text={plain} />
        </Missing>
      )}
      {kind === 'passages' && quotes.length > 0 ? (
        <p className="mt-1 text-small font-semibold text-ink-2">{PASSAGES}</p>
      ) : null}
      <Quotes quotes={quotes} shown={shown} />
      {missing === null ? null : (
        <Missing>
          <WithBars text={missing} />
        </Missing>
      )}
    </Item>
  )
}

/** A question that waits: what has come of its answer, and the way to end it. */
export function WaitingItem({
  waiting: { question, text, quotes, isSlow },
  shown,
  reads,
  onStop,
}: {
  waiting: Waiting
  shown: AnswerView
  /** "Reading the transcript…" */
  reads: string
  onStop: () => void
}) {
  return (
    <Item question={question}>
      <Text>{text}</Text>
      <Quotes quotes={quotes} shown={shown} />
      {text === '' && quotes.length === 0 ? (
        <div aria-hidden="true" className="-mt-1">
          {['w-full', 'w-full', 'w-2/3'].map((width, line) => (
            // oxlint-disable-next-line react/no-array-index-key -- three lines, always the same
            <div key={line} className={`h-7 animate-breathe border-b border-rule ${width}`} />
          ))}
        </div>
      ) : null}
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="text-small text-ink-2">
          {reads}
          {isSlow ? ' Taking longer than usual.' : ''}
        </p>
        <Button size="small" onClick={onStop}>
          Stop
        </Button>
      </div>
    </Item>
  )
}

/** A question that nothing answered, in the place in which it waited. */
export function UnansweredItem({
  unanswered: { question, why },
  draft,
  onAsk,
}: {
  unanswered: Unanswered
  /** What stands in the field. */
  draft: string
  onAsk: (question: string) => void
}) {
  return (
    <Item question={question}>
      <InlineError
        className="mt-2 min-h-30"
        action={
          <Button size="small" className="bg-card!" onClick={() => onAsk(question)}>
            Try again
          </Button>
        }
      >
        {why || 'No answer this time.'}
        {draft.trim() === question ? ' Your question is still in the field.' : ''}
      </InlineError>
    </Item>
  )
}

function Item({
  question,
  menu = null,
  children,
}: {
  question: string
  menu?: ReactNode
  children: ReactNode
}) {
  return (
    <li className="animate-fade-in">
      <div className="flex items-start gap-3">
        <h3 dir="auto" className="min-w-0 flex-1 text-ui font-[650] wrap-anywhere select-text">
          <WithBars text={question} />
        </h3>
        {menu}
      </div>
      {children}
    </li>
  )
}

function Text({ children }: { children: string }) {
  return children === '' ? null : (
    <p dir="auto" className="mt-1 text-ui leading-[1.5]! wrap-anywhere select-text">
      <WithBars text={children} />
    </p>
  )
}

/** Marks with a sign, too, the part of a question that nobody answered. */
function Missing({ children }: { children: ReactNode }) {
  return (
    <p className="mt-2 flex items-start gap-2.5 text-ui leading-[1.5]! select-text">
      <CircleSlash size={18} className="mt-[3px] shrink-0 text-ink-2" />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {children}
      </span>
    </p>
  )
}

function Quotes({ quotes, shown }: { quotes: readonly Quote[]; shown: AnswerView }) {
  if (quotes.length === 0) return null
  const groups = shown.ofMany
    ? [...groupBy(quotes, ({ transcriptionId }) => transcriptionId).values()]
    : [quotes]
  return groups.map((group) => (
    <div key={group[0]?.transcriptionId} className="mt-2.5">
      {shown.ofMany && group[0] ? (
        <h4 className="mb-1.5 text-small">
          <Link
            to={transcriptionPath(group[0].transcriptionId)}
            className="font-semibold wrap-anywhere text-ink-2 no-underline hover:underline"
          >
            {group[0].name}
          </Link>
        </h4>
      ) : null}
      <ul className="space-y-2">
        {group.map((quote) => (
          <li key={`${quote.turnId} ${quote.at}`}>
            <QuoteLink quote={quote} opening={shown.opening} />
          </li>
        ))}
      </ul>
    </div>
  ))
}
