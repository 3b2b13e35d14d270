import { useState } from 'react'

import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

import { checkingKeys, editingKeys, readingKeys, singleKeys } from './keys.ts'

/** Every key there is, and the switch for those that are pressed alone. */
export function ShortcutsDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const [areOn, setOn] = useState(singleKeys.areOn)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      className="sm:w-[44rem]"
    >
      <Checkbox
        className="mt-5"
        checked={areOn}
        onChange={(event) => {
          singleKeys.set(event.target.checked)
          setOn(event.target.checked)
        }}
      >
        Single keys act while reading
      </Checkbox>
      <div className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <Keys name="While reading" keys={readingKeys} />
        <div className="space-y-6">
          <Keys name="While correcting a turn" keys={editingKeys} />
          <Keys name="While checking words" keys={checkingKeys} />
        </div>
      </div>
    </Dialog>
  )
}

function Keys({ name, keys }: { name: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-1 text-ui font-semibold">{name}</h3>
      <dl className="text-small">
        {keys.map(([key, what]) => (
          <div
            key={key}
            className="flex items-baseline justify-between gap-4 border-b border-rule py-1.5"
          >
            <dt className="order-last text-right font-semibold">{key}</dt>
            <dd className="text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
