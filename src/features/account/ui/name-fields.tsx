import type { ComponentProps } from 'react'

import { TextField } from '#web/ui/field.tsx'

type Field = Pick<
  ComponentProps<typeof TextField>,
  'name' | 'value' | 'onChange' | 'onBlur' | 'error'
>

/** First and last name beside each other, or as the class says. */
export function NameFields({
  field,
  className,
}: {
  field: (name: 'firstName' | 'lastName') => Field
  className: string
}) {
  return (
    <div className={className}>
      <TextField
        {...field('firstName')}
        label="First name"
        autoComplete="given-name"
        maxLength={100}
      />
      <TextField
        {...field('lastName')}
        label="Last name"
        autoComplete="family-name"
        maxLength={100}
      />
    </div>
  )
}
