import { ChevronDown } from 'lucide-react'

import type { Section } from '#web/prose.ts'

/**
 * One question open at a time, the first at the beginning; a click on the open one closes it. The
 * browser does all of it. An address with a question's name opens that one, because the name is on
 * what opens; so does a word found in a closed answer.
 */
export function Accordion({
  name,
  questions,
  heading: Heading = 'h2',
}: {
  name: string
  questions: readonly Section[]
  heading?: 'h2' | 'h3'
}) {
  return (
    <div className="[&>:first-child>summary]:pt-0">
      {questions.map(({ id, title, html }, index) => (
        <details key={id} name={name} open={index === 0} className="group border-b border-rule">
          <summary className="flex list-none items-center justify-between gap-4 py-4">
            <Heading className="font-display text-[1.25rem] leading-tight font-semibold">
              {title}
            </Heading>
            <ChevronDown
              size={20}
              className="shrink-0 transition-transform group-open:rotate-180"
            />
          </summary>
          <div
            id={id}
            className="max-w-[62ch] scroll-mt-24 pb-5 text-body text-ink-2 [&>p]:text-wrap"
            dangerouslySetInnerHTML={{ __html: html }}
          />
        </details>
      ))}
    </div>
  )
}
