import { useId } from 'react'

/**
 * A few choices side by side, of which one holds: radio buttons under the legend. `<Segments
 * label="Speakers" value onChange choices={[{ value, label }]} />`
 */
export function Segments<Value extends string>({
  label,
  hideLabel = false,
  value,
  onChange,
  choices,
}: {
  label: string
  /** The label is only for screen readers. */
  hideLabel?: boolean
  /** Null: none holds. */
  value: NoInfer<Value> | null
  onChange: (value: Value) => void
  choices: readonly { value: Value; label: string }[]
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className={hideLabel ? 'sr-only' : 'mb-2 text-ui leading-5 font-semibold'}>
        {label}
      </legend>
      <div className="flex h-11 divide-x divide-line overflow-hidden rounded-control border border-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="grid flex-1 cursor-pointer place-items-center px-2 text-small transition-colors hover:bg-paper-2 has-checked:bg-primary has-checked:font-semibold has-checked:text-primary-fg"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
