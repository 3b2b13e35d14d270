import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

import { classes } from './classes.ts'
import { Field, inputClasses } from './field.tsx'

/**
 * The browser's own select element, styled: so typing ahead, the pickers of phones and screen
 * readers work. `<Select label="Summary Language" value onChange>{options as <option>}</Select>`;
 * with `hideLabel` the label is only for screen readers.
 */
export function Select({
  label,
  hideLabel = false,
  hint,
  error,
  className,
  children,
  ...select
}: {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | undefined
} & ComponentProps<'select'>) {
  if (hideLabel)
    return (
      <Box className={className}>
        <select {...select} aria-label={label} className={selectClasses}>
          {children}
        </select>
      </Box>
    )
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(control) => (
        <Box>
          <select {...select} {...control} className={selectClasses}>
            {children}
          </select>
        </Box>
      )}
    </Field>
  )
}

const selectClasses = classes(inputClasses, 'appearance-none pr-10')

function Box({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <div className={classes('relative', className)}>
      {children}
      <ChevronDown size={20} className="pointer-events-none absolute top-3 right-3 text-ink-2" />
    </div>
  )
}
