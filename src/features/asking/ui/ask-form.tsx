import { type RefObject, useId, useRef } from 'react'

import { LONGEST_QUESTION } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputClasses } from '#web/ui/field.tsx'

import type { Answers } from '../contract.ts'
import { whoAnswers, willAnswer } from './answer-words.ts'
import type { Asked } from './queries.ts'
import type { Asking } from './use-asking.ts'

/**
 * Where questions are typed: Enter asks, Shift+Enter begins a line, and ↑ in the empty field brings the
 * last question back.
 */
export function AskForm({
  asked,
  asking: { draft, setDraft, waiting, ask },
  answers,
  field,
}: {
  asked: Asked
  asking: Asking
  /** The answers that are kept, and questions to begin with; undefined until they are known. */
  answers: Answers | undefined
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const hintId = useId()
  const form = useRef<HTMLFormElement>(null)
  const isSearch = answers !== undefined && !willAnswer(answers)
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault()
        if (draft.trim() === '') field.current?.focus()
        else void ask(draft)
      }}
    >
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          dir="auto"
          aria-label={asked.title}
          aria-describedby={hintId}
          placeholder={asked.title}
          maxLength={LONGEST_QUESTION}
          enterKeyHint="send"
          readOnly={waiting !== null}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault()
              form.current?.requestSubmit()
            }
            const last = answers?.answers.at(-1)?.question
            if (event.key === 'ArrowUp' && draft === '' && last !== undefined) {
              event.preventDefault()
              setDraft(last)
            }
          }}
          className={classes(
            inputClasses,
            'field-sizing-content h-auto! max-h-32 min-h-11 min-w-0 flex-1 resize-none py-2.5 leading-[1.4]!',
          )}
        />
        <Button type="submit" variant="primary" pending={waiting !== null}>
          {isSearch ? 'Find' : 'Ask'}
        </Button>
      </div>
      <p
        id={hintId}
        className="mt-2 min-h-5 max-sm:min-h-10 text-small leading-5! text-ink-2 tabular-nums"
      >
        {answers ? whoAnswers(answers, asked) : ''}
      </p>
    </form>
  )
}
