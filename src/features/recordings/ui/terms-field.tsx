import { X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'

import { LONGEST_TERM, MOST_TERMS } from '#shared/business.ts'
import { Field } from '#web/ui/field.tsx'

/**
 * Names and terms as chips in one field: Enter or a comma adds what was typed, Backspace in the
 * empty field takes the last one back into it. A pasted list becomes a chip for each.
 */
export function TermsField({
  terms,
  onChange,
}: {
  terms: string[]
  onChange: (terms: string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState('')
  const input = useRef<HTMLInputElement>(null)

  const add = (text: string) => {
    const pieces = text.split(/[,;\n]/).map((piece) => piece.trim().replaceAll(/\s+/g, ' '))
    const wanted = new Set([...terms, ...pieces.filter((piece) => piece !== '')])
    const tooLong = [...wanted].find((term) => term.length > LONGEST_TERM)
    if (tooLong !== undefined) {
      setProblem(`${LONGEST_TERM} letters at most.`)
      return setTyped(text)
    }
    setProblem(
      wanted.size > MOST_TERMS
        ? `${MOST_TERMS} terms at most; these ${MOST_TERMS} are used.`
        : undefined,
    )
    setTyped('')
    onChange([...wanted].slice(0, MOST_TERMS))
  }
  const remove = (term: string) => {
    setProblem(undefined)
    setSaid(`${term} removed`)
    onChange(terms.filter((each) => each !== term))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const last = terms.at(-1)
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      if (typed.trim() !== '') add(typed)
    } else if (event.key === 'Backspace' && typed === '' && last !== undefined) {
      event.preventDefault()
      remove(last)
      setTyped(last)
    }
  }
  return (
    <Field
      label="Names and terms"
      error={problem}
      hint="Names that come up, so that they are written right."
    >
      {(control) => (
        <div className="flex flex-wrap items-center gap-2 rounded-control border border-line bg-card p-[5px] has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-focus">
          {terms.length > 0 ? (
            <ul aria-label={`Names and terms, ${terms.length}`} className="contents">
              {terms.map((term) => (
                <li
                  key={term}
                  className="flex max-w-full items-center rounded-badge border border-rule pl-3 text-small wrap-anywhere"
                >
                  {term}
                  <button
                    type="button"
                    aria-label={`Remove ${term}`}
                    onClick={() => remove(term)}
                    className="grid size-8 shrink-0 place-items-center text-ink-2 hover:text-ink pointer-coarse:size-11"
                  >
                    <X size={16} />
                  </button>
                </li>
              ))}
            </ul>
          ) : null}
          <input
            {...control}
            ref={input}
            value={typed}
            placeholder="Add a name or term"
            autoComplete="off"
            className="h-8 min-w-44 flex-1 bg-transparent px-2 text-ui text-ink outline-none placeholder:text-ink-3 pointer-coarse:h-11"
            onChange={(event) => {
              const { value } = event.target
              if (/[,;\n]/.test(value)) add(value)
              else setTyped(value)
            }}
            onKeyDown={press}
            onBlur={() => (typed.trim() === '' ? undefined : add(typed))}
          />
          <span role="status" className="sr-only">
            {said}
          </span>
        </div>
      )}
    </Field>
  )
}
