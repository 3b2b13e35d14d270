import { useState } from 'react'

import { MOST_TO_SET } from '#shared/business.ts'
import { ask } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { setLimits } from '../calls.ts'
import type { SetLimits, UserFacts } from '../contract.ts'
import { Password } from './password.tsx'
import { useAct } from './use-act.ts'

const fields = [
  { name: 'callsPerHour', label: 'API calls an hour' },
  { name: 'unconfirmedUploads', label: 'Uploads that wait to be confirmed' },
] as const
const figure = (value: number) => value.toLocaleString('en-US')

/** How much this account may do; an empty field leaves it to the plan. */
export function LimitsForm({ facts: { user, limits } }: { facts: UserFacts }) {
  /**
   * The typed fields; the others show the limits as they are set, also by somebody else meanwhile.
   */
  const [typed, setTyped] = useState<Partial<Record<keyof typeof MOST_TO_SET, string>>>({})
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<Partial<Record<keyof SetLimits, string>>>({})
  const set = useAct<Pick<SetLimits, keyof typeof MOST_TO_SET | 'reason'>>(
    (body) => ask(setLimits, { params: { id: user.id }, body }),
    {
      onDone: () => {
        setTyped({})
        setReason('')
        toast({ title: `The limits of ${user.email} are set.` })
      },
    },
  )
  const shown = (name: keyof typeof MOST_TO_SET) => typed[name] ?? String(limits.own[name] ?? '')

  return (
    <form
      noValidate
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault()
        const found: typeof problem = {}
        const read = (name: keyof typeof MOST_TO_SET) => {
          const words = shown(name).trim()
          const value = Number(words)
          const isFine = Number.isInteger(value) && value >= 1 && value <= MOST_TO_SET[name]
          if (words !== '' && !isFine)
            found[name] = `A whole number from 1 to ${figure(MOST_TO_SET[name])}, or nothing.`
          return words === '' ? null : value
        }
        const values = {
          callsPerHour: read('callsPerHour'),
          unconfirmedUploads: read('unconfirmedUploads'),
          reason: reason.trim(),
        }
        if (!values.reason) found.reason = 'Say why. It is written to the log.'
        setProblem(found)
        if (Object.keys(found).length === 0) set.act(values)
      }}
    >
      {fields.map(({ name, label }) => (
        <TextField
          key={name}
          label={label}
          inputMode="numeric"
          placeholder={figure(limits.ofPlan[name])}
          value={shown(name)}
          error={problem[name]}
          hint={
            limits.own[name] === null
              ? `${figure(limits.ofPlan[name])}, as for everybody on this plan.`
              : `Set for this account. Empty it for the plan's ${figure(limits.ofPlan[name])}.`
          }
          onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          className="mt-3"
        />
      ))}
      <TextField
        label="Reason for these limits"
        maxLength={300}
        value={reason}
        error={problem.reason}
        hint="Written to the log. It is part of the data that its owner can take along."
        onChange={(event) => setReason(event.target.value)}
        className="mt-3"
      />
      <Password act={set} />
      <Failure error={set.error} />
      <Button type="submit" pending={set.isPending} className="mt-4 w-full">
        Set limits
      </Button>
    </form>
  )
}
