import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'

import { classes } from './classes.ts'

export const inputClasses =
  'h-11 w-full rounded-control border border-line bg-card px-3 text-ui text-ink placeholder:text-ink-3 transition-colors ' +
  'hover:border-ink-2 disabled:cursor-not-allowed disabled:bg-paper-2 disabled:text-ink-3 ' +
  'aria-invalid:border-danger aria-invalid:shadow-[inset_0_0_0_1px_var(--color-danger)]'

interface FieldText {
  label: ReactNode
  /** The error under the field; screen readers hear it with the field. */
  error?: string | undefined
  /** Help under the field, replaced by the error while there is one. */
  hint?: ReactNode
}

/**
 * Label, control and the hint or error under it. `<Field label="Email" error={error}>{(control) =>
 * <input {...control} />}</Field>`: control carries id, aria-describedby and aria-invalid.
 */
export function Field({
  label,
  error,
  hint,
  className,
  children,
}: FieldText & {
  className?: string | undefined
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}) {
  const id = useId()
  const textId = `${id}-text`
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-2 block text-ui leading-5 font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': error || hint ? textId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error ? (
        <p
          id={textId}
          className="mt-2 flex items-start gap-2 text-small leading-5 font-medium text-danger"
        >
          <CircleAlert size={18} className="mt-px shrink-0" />
          {error}
        </p>
      ) : hint ? (
        <p id={textId} className="mt-2 text-small leading-5 text-ink-2">
          {hint}
        </p>
      ) : null}
    </div>
  )
}

/** `<TextField label="Email" type="email" error={errors.email} hint="…" {...inputProps} />` */
export function TextField({
  label,
  error,
  hint,
  className,
  ...input
}: FieldText & ComponentProps<'input'>) {
  return (
    <Field label={label} error={error} hint={hint} className={className}>
      {(control) => <input {...input} {...control} className={inputClasses} />}
    </Field>
  )
}

export function EmailField(
  field: Omit<ComponentProps<typeof TextField>, 'label'> & { label?: string },
) {
  return <TextField label="Email" type="email" autoComplete="email" inputMode="email" {...field} />
}

/** A password field with a "Show" button. Pasting and password managers work. */
export function PasswordField({
  label,
  error,
  hint,
  className,
  ...input
}: FieldText & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Field label={label} error={error} hint={hint} className={className}>
      {(control) => (
        <div className="relative">
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={classes(inputClasses, 'pr-[4.5rem]')}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label="Show password"
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-1 right-1 rounded-[4px] px-2 text-small font-semibold text-ink-2 hover:text-ink aria-pressed:bg-paper-2 aria-pressed:text-ink"
          >
            Show
          </button>
        </div>
      )}
    </Field>
  )
}
