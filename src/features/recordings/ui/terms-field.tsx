import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'

import type { Vocabulary } from '#features/vocabulary/contract.ts'
import { choiceInWords, fittingTerms, termKey } from '#features/vocabulary/ui/fitting.ts'
import { vocabularyQuery } from '#features/vocabulary/ui/queries.ts'
import { LONGEST_TERM, MOST_TERMS } from '#shared/business.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'

/**
 * Names and terms as chips in one field: Enter or a comma adds what was typed, Backspace in the
 * empty field takes the last one back into it. A pasted list becomes a chip for each. Below stands
 * the account's vocabulary to choose from, where there is one and it could be loaded.
 */
export function TermsField({
  fileName,
  terms,
  onChange,
}: {
  fileName: string
  terms: string[]
  onChange: (terms: string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const [said, setSaid] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { data: vocabulary } = useQuery(vocabularyQuery)

  const add = (text: string) => {
    const pieces = text.split(/[,;\n]/).map((piece) => piece.trim().replaceAll(/\s+/g, ' '))
    const wanted = new Set([...terms, ...pieces.filter((piece) => piece !== '')])
    const tooLong = [...wanted].find((term) => term.length > LONGEST_TERM)
    if (tooLong !== undefined) {
      setProblem(`${LONGEST_TERM} letters at most.`)
      return setTyped(text)
    }
    setTyped('')
    put([...wanted])
  }
  const put = (wanted: string[]) => {
    setProblem(
      wanted.length > MOST_TERMS
        ? `${MOST_TERMS} terms at most; these ${MOST_TERMS} are used.`
        : undefined,
    )
    onChange(wanted.slice(0, MOST_TERMS))
  }
  const remove = (term: string) => {
    setProblem(undefined)
    setSaid(`${term} removed`)
    onChange(terms.filter((each) => each !== term))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
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
  const hasChoice = vocabulary !== undefined && vocabulary.terms.length > 0
  return (
    <div>
      <Field
        label="Names and terms"
        error={problem}
        hint={hasChoice ? undefined : 'Names that come up, so that they are written right.'}
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
      {hasChoice ? (
        <Choice vocabulary={vocabulary} fileName={fileName} chosen={terms} onChange={put} />
      ) : null}
    </div>
  )
}

/** How many of the vocabulary's terms are chosen, and the list of them. */
function Choice({
  vocabulary,
  fileName,
  chosen,
  onChange,
}: {
  vocabulary: Vocabulary
  fileName: string
  chosen: string[]
  onChange: (chosen: string[]) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const { dataUpdatedAt: now } = useQuery(vocabularyQuery)
  const id = useId()
  const { terms } = vocabulary
  const fitting = useMemo(
    () => fittingTerms(vocabulary, { fileName, now }),
    [vocabulary, fileName, now],
  )
  const keys = new Set(chosen.map(termKey))
  return (
    <>
      <p className="mt-2 text-small leading-5 text-ink-2">
        {choiceInWords({ terms, fitting, chosen })}{' '}
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="text-link pointer-coarse:-my-3 pointer-coarse:py-3"
        >
          Choose others
        </button>
      </p>
      {isOpen ? (
        <ul
          id={id}
          aria-label="Your names and terms"
          className="mt-3 grid max-h-64 gap-x-5 overflow-y-auto rounded-control border border-rule px-3 py-2 sm:grid-cols-[repeat(auto-fill,minmax(11rem,1fr))]"
        >
          {[...new Set([...fitting, ...terms])].map((term) => (
            <li key={term}>
              <Checkbox
                className="w-full text-small wrap-anywhere"
                checked={keys.has(termKey(term))}
                onChange={({ target }) =>
                  onChange(
                    target.checked
                      ? [...chosen, term]
                      : chosen.filter((each) => termKey(each) !== termKey(term)),
                  )
                }
              >
                {term}
              </Checkbox>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
