import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'

import { Button, IconButton } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'

import { loadAnew } from './again-queries.ts'
import { type Carried, type Decision, isOpen, leadOf, titleOf } from './again-words.ts'
import { EarlierText } from './earlier-text.tsx'
import { LostRow, type ShownText } from './lost-row.tsx'
import { NameRow } from './name-row.tsx'

/** When nothing is left to decide, the panel says so for so long. */
const CLOSES_AFTER_MS = 5_000

/**
 * The decisions that are left after a recording was transcribed again: names whose voice is not sure,
 * and corrections that found no place in the new text. It stands beside the text, and comes by itself,
 * so it leaves the focus where it is; elsewhere it is a card.
 */
export function AgainPanel({
  id,
  shown,
  decide,
  carried,
  keptUntil,
  isBeside = false,
  onClose,
}: {
  id: string
  shown: ShownText
  /** Answers whether the decision was stored. */
  decide: (number: number, decision: Decision) => Promise<boolean>
  carried: Carried
  /** Until when the earlier text is kept; null where it is gone. */
  keptUntil: string | null
  isBeside?: boolean
  onClose: () => void
}) {
  const list = useRef<HTMLOListElement>(null)
  const { questions } = carried
  const firstOpen = questions.find(isOpen)
  const isDone = firstOpen === undefined
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => close(), CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  /** After a decision the focus goes to the next open row, or to what says that all are placed. */
  const goesOn = useRef(false)
  useEffect(() => {
    if (!goesOn.current) return
    goesOn.current = false
    const next = list.current?.children[questions.findIndex(isOpen)]
    if (next instanceof HTMLElement) next.focus()
    else list.current?.closest('section')?.focus()
  }, [questions])
  const choose = async (number: number, decision: Decision) => {
    goesOn.current = true
    goesOn.current = (await decide(number, decision)) && goesOn.current
  }
  const title = titleOf(carried)
  const all = (
    <>
      <p className="mt-0.5 mb-4 text-ui leading-6! text-ink-2">{leadOf(carried)}</p>
      <ol ref={list} className="-mx-4">
        {questions.map((question, index) => {
          const row = {
            place: `${index + 1} of ${questions.length}`,
            isFirst: question === firstOpen,
            decide: (decision: Decision) => choose(question.number, decision),
          }
          return question.kind === 'name' ? (
            <NameRow
              key={question.number}
              question={question}
              speakers={shown.words.speakers}
              {...row}
            />
          ) : (
            <LostRow key={question.number} {...{ question, shown }} {...row} />
          )
        })}
      </ol>
      {keptUntil === null ? null : (
        <EarlierText
          id={id}
          keptUntil={keptUntil}
          className="-mx-4 flex flex-wrap items-center justify-between gap-x-6 border-t border-rule px-4 pt-3 text-small text-ink-2"
        />
      )}
    </>
  )
  if (isBeside)
    return (
      <SidePanel comesByItself title={title} closeLabel="Close" onClose={onClose}>
        {all}
      </SidePanel>
    )
  return (
    <section
      aria-label={title}
      tabIndex={-1}
      className="mt-3 mb-2 rounded-panel border border-line bg-card p-4 outline-none print:hidden"
    >
      <div className="flex items-start gap-4">
        <h2 className="min-w-0 flex-1 font-display text-h3 font-semibold">{title}</h2>
        <IconButton label="Close" className="-mt-1.5 -mr-2" onClick={onClose}>
          <X />
        </IconButton>
      </div>
      {all}
    </section>
  )
}

/** Above a text of which another tab shows a newer one. */
export function NewElsewhere({ id }: { id: string }) {
  const client = useQueryClient()
  return (
    <InlineError
      tone="warn"
      className="mt-3 mb-1"
      action={
        <Button size="small" onClick={() => void loadAnew(client, id)}>
          Show the new text
        </Button>
      }
    >
      This is the text from before. Another tab has a new one, so this one cannot be corrected.
    </InlineError>
  )
}
