import { classes } from '#web/ui/classes.ts'

import { type Example, languages } from './examples.ts'

const codeClasses =
  'overflow-x-auto rounded-b-control bg-code-bg px-4 py-4 font-mono text-fine leading-[1.6] text-code-ink focus-visible:outline-offset-[-3px]'

/** In the dark the page is as dark as the code. */
const edgeClasses = 'rounded-control dark:outline-1 dark:outline-rule'

function Bar({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-2 rounded-t-control border-b border-code-ink/20 bg-code-bg px-2 text-code-ink">
      {children}
      <button
        type="button"
        data-copy=""
        aria-live="polite"
        className="min-h-11 rounded-control px-3 text-small font-semibold text-code-ink hover:underline"
      >
        Copy
      </button>
    </div>
  )
}

/** One example in three languages; reference-script.ts makes the tabs work, for all of them at once. */
export function CodeTabs({ id, title, example }: { id: string; title: string; example: Example }) {
  return (
    <div className={classes('code-example', edgeClasses)}>
      <Bar>
        <div role="tablist" aria-label={`${title}: language`} className="flex">
          {languages.map((language, index) => (
            <button
              key={language.id}
              type="button"
              role="tab"
              id={`${id}-${language.id}-tab`}
              data-language={language.id}
              aria-controls={`${id}-${language.id}`}
              aria-selected={index === 0}
              tabIndex={index === 0 ? 0 : -1}
              className="min-h-11 px-3 text-small text-code-ink aria-selected:font-semibold aria-selected:underline aria-selected:decoration-playhead aria-selected:decoration-3 aria-selected:underline-offset-8"
            >
              {language.name}
            </button>
          ))}
        </div>
      </Bar>
      {languages.map((language, index) => (
        <div
          key={language.id}
          role="tabpanel"
          id={`${id}-${language.id}`}
          aria-labelledby={`${id}-${language.id}-tab`}
          hidden={index !== 0}
        >
          <Pre label={`${title}, ${language.name}`} code={example[language.id]} />
        </div>
      ))}
    </div>
  )
}

/** Code in one language, or an answer. */
export function Code({ title, code }: { title: string; code: string }) {
  return (
    <div className={edgeClasses}>
      <Bar>
        <span className="px-3 text-small">{title}</span>
      </Bar>
      <Pre label={title} code={code} />
    </div>
  )
}

function Pre({ label, code }: { label: string; code: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must be able to
    <pre tabIndex={0} role="region" aria-label={label} className={codeClasses}>
      <code>{code}</code>
    </pre>
  )
}
