import { useSyncExternalStore } from 'react'

import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

import { KeyButton } from './key-button.tsx'
import { givenKeys, resetKeys } from './kept-keys.ts'
import { type KeyRow, keyTable } from './keys.ts'
import { type Setting, onSet, pauseOnTyping, pedalHolds, singleKeys } from '../settings.ts'
import { useSetting } from '../use-setting.ts'

/** Every key there is, to be changed by pressing it, and how typing and single keys act. */
export function ShortcutsDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const given = useSyncExternalStore(onSet, givenKeys)
  const { reading, editing, checking, dashboard, pedal } = keyTable
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="Press one to change it. This browser keeps your keys."
      className="sm:w-[48rem]"
    >
      <div className="mt-4 flex flex-wrap items-center gap-x-8">
        <Switch setting={singleKeys}>Single keys act while reading</Switch>
        <Switch setting={pauseOnTyping}>Pause while I type</Switch>
        {Object.keys(given).length > 0 ? (
          <Button size="small" className="my-1" onClick={resetKeys}>
            Reset all keys
          </Button>
        ) : null}
      </div>
      <div className="mt-5 grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <Keys name="While reading" rows={reading} fixed={[['1–5', 'Open a tab']]} />
        <div className="space-y-6">
          <Keys
            name="Everywhere"
            rows={[]}
            fixed={[
              ['Ctrl+K, ⌘K', 'Search and commands'],
              ['G, then L', 'Library'],
              ['G, then N', 'New'],
              ['G, then A', 'Ask'],
            ]}
          />
          <Keys name="On the dashboard" rows={dashboard} fixed={[]} />
          <Keys
            name="While correcting a turn"
            rows={editing}
            fixed={[
              ['Ctrl+Z, ⌘Z', 'Undo, by runs of typing'],
              ['Backspace at the start', 'Join with the turn before'],
              ['Delete at the end', 'Join with the turn after'],
              ['Alt+1 … Alt+9', 'Give the turn to speaker 1 … 9'],
            ]}
          />
          <Keys
            name="While checking words"
            rows={checking}
            fixed={[['Esc', 'Close the words to check']]}
          />
          <div>
            <Keys name="Foot pedal" rows={pedal} fixed={[]}>
              A pedal that types keys works everywhere, in a turn too. Press a button here, then the
              pedal.
            </Keys>
            <Switch setting={pedalHolds}>Play only while the pedal is held</Switch>
          </div>
        </div>
      </div>
    </Dialog>
  )
}

function Switch({ setting, children }: { setting: Setting; children: string }) {
  const isOn = useSetting(setting)
  return (
    <Checkbox checked={isOn} onChange={(event) => setting.set(event.target.checked)}>
      {children}
    </Checkbox>
  )
}

function Keys({
  name,
  rows,
  fixed,
  children,
}: {
  name: string
  rows: readonly KeyRow[]
  /** Keys that cannot be changed. */
  fixed: readonly (readonly [keys: string, what: string])[]
  children?: string
}) {
  return (
    <section>
      <h3 className="mb-1 text-ui font-semibold">{name}</h3>
      {children ? <p className="mb-1 text-small text-ink-2">{children}</p> : null}
      <ul className="text-small">
        {rows.map((row) => (
          <KeyButton key={row.id} row={row} />
        ))}
        {fixed.map(([keys, what]) => (
          <li
            key={keys}
            className="flex min-h-10 items-center justify-between gap-4 border-b border-rule py-1"
          >
            <span className="text-ink-2">{what}</span>
            <span className="text-right font-semibold">{keys}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
