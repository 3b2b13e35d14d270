import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react'

/**
 * One short form: values, errors after the first attempt (again when a field is left), focus on the
 * first field that is wrong. `field(name)` carries the properties of an input.
 */
export function useForm<Form extends Record<string, string>>({
  start,
  checks,
  onSubmit,
}: {
  start: Form
  /** The fault of a field's text, if any. */
  checks: { [Field in keyof Form]?: ((text: string, form: Form) => string | undefined) | undefined }
  onSubmit: (values: Form) => void
}) {
  type Errors = { [Field in keyof Form]?: string | undefined }
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<Errors>({})
  const wasTried = useRef(false)

  const errorsOf = (form: Form): Errors => {
    const found: Errors = {}
    for (const name in form) found[name] = checks[name]?.(form[name] ?? '', form)
    return found
  }

  const field = (name: keyof Form & string) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
      const next = { ...values, [name]: event.target.value }
      setValues(next)
      // What was wrong and is right now should stop being red at once.
      if (errors[name] && !errorsOf(next)[name]) setErrors({ ...errors, [name]: undefined })
    },
    onBlur: () => {
      if (wasTried.current) setErrors(errorsOf(values))
    },
  })

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    wasTried.current = true
    const found = errorsOf(values)
    setErrors(found)
    const first = [...event.currentTarget.elements].find(
      (element) => element instanceof HTMLInputElement && found[element.name],
    )
    if (first instanceof HTMLInputElement) first.focus()
    else onSubmit(values)
  }

  const reset = (to = start) => {
    wasTried.current = false
    setErrors({})
    setValues(to)
  }

  return { values, field, submit, setErrors, reset }
}
