import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'

import { Button } from '#web/ui/button.tsx'
import { Field, inputClasses } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { classes } from '#web/ui/classes.ts'

/** Words of a summary, changed where they stand. It stays open while the server could not take them. */
export function OwnForm({
  label,
  text,
  most,
  rows = 2,
  isSaving,
  error,
  onSave,
  onCancel,
  renderMore,
}: {
  label: string
  text: string
  /** The most letters. */
  most: number
  rows?: number
  isSaving: boolean
  error: unknown
  onSave: (text: string) => void
  onCancel: () => void
  /** What else can be done, at the end of the line of buttons. */
  renderMore?: (typed: string) => ReactNode
}) {
  const [typed, setTyped] = useState(text)
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = () => {
    if (typed.trim() !== '') return onSave(typed.trim())
    setMissing(true)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      onCancel()
    } else if (
      event.key === 'Enter' &&
      (rows === 2 ? !event.shiftKey : event.ctrlKey || event.metaKey)
    ) {
      event.preventDefault()
      if (!isSaving) save()
    }
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) save()
      }}
    >
      <Field
        label={label}
        error={isMissing && typed.trim() === '' ? 'Write something.' : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            ref={field}
            dir="auto"
            rows={rows}
            value={typed}
            maxLength={most}
            className={classes(inputClasses, 'h-auto! py-2 leading-6.5! field-sizing-content')}
            onKeyDown={onKeyDown}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <div className="mt-3 flex flex-wrap items-center gap-2.5">
        <Button type="submit" size="small" pending={isSaving}>
          Save
        </Button>
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {renderMore?.(typed)}
      </div>
      {/* Below the buttons, which stay in their place. */}
      <Failure comesIntoSight error={error} className="mt-3" />
    </form>
  )
}
