import { Minus, Plus } from 'lucide-react'

import { IconButton } from './button.tsx'

/** A small whole number with a button on each side. `<Stepper label="Speakers" value min max onChange />` */
export function Stepper({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex h-11 w-36 shrink-0 items-center justify-between rounded-control border border-line"
    >
      <IconButton
        label="One fewer"
        size="medium"
        className="h-10.5 border-0"
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <Minus />
      </IconButton>
      <output className="font-semibold tabular-nums">{value}</output>
      <IconButton
        label="One more"
        size="medium"
        className="h-10.5 border-0"
        disabled={value >= max}
        onClick={() => onChange(value + 1)}
      >
        <Plus />
      </IconButton>
    </div>
  )
}
