import { useState } from 'react'

import { formatCredits } from '#shared/format.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { UserRow } from '../contract.ts'
import { Password } from './password.tsx'
import { useAct } from './use-act.ts'

const reasons = ['Engine fault', 'Goodwill', 'Test', 'Other'] as const
const MOST = 1_000
const empty = { figure: '', verb: 'grant', why: 'Engine fault' }
const UNDO_MS = 60_000

/** Gives credits, or takes them: the user reads why. */
export function GrantForm({ user }: { user: UserRow }) {
  const [start, setStart] = useState(empty)
  const [happened, setHappened] = useState('')
  const [problem, setProblem] = useState<{ credits?: string; happened?: string }>({})
  const grant = useAct<{ credits: number; reason: string }>(`/api/admin/users/${user.id}/credits`, {
    onDone: ({ credits, reason }) => {
      // A second press is another wish, and is typed anew.
      setStart(empty)
      setHappened('')
      const isUndoing = reason.startsWith('Taken back:')
      toast({
        title: `${formatCredits(Math.abs(credits))} ${credits > 0 ? 'granted' : 'taken'}.`,
        ...(isUndoing
          ? {}
          : {
              durationMs: UNDO_MS,
              action: {
                label: 'Undo',
                onPress: () => grant.act({ credits: -credits, reason: `Taken back: ${reason}` }),
              },
            }),
      })
    },
  })
  const credits = Number(start.figure)
  const isNumber = Number.isInteger(credits) && credits >= 1 && credits <= MOST
  const verb = start.verb === 'take' ? 'Take' : 'Grant'
  const change = (next: Partial<typeof start>) => {
    setStart({ ...start, ...next })
    grant.renew()
  }

  return (
    <form
      noValidate
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault()
        const isWordless = start.why === 'Other' && happened.trim() === ''
        setProblem({
          ...(isNumber ? {} : { credits: `1 to ${MOST.toLocaleString('en-US')}` }),
          ...(isWordless ? { happened: 'Say what happened.' } : {}),
        })
        if (!isNumber || isWordless) return
        const words = happened.trim()
        const reason = start.why === 'Other' ? words : words ? `${start.why}: ${words}` : start.why
        grant.act({ credits: start.verb === 'take' ? -credits : credits, reason })
      }}
    >
      <div className="grid grid-cols-[6.75rem_1fr] gap-x-3">
        <TextField
          label="Credits"
          inputMode="numeric"
          value={start.figure}
          error={problem.credits}
          onChange={(event) => change({ figure: event.target.value })}
        />
        <Select
          label="Reason"
          value={start.why}
          onChange={(event) => change({ why: event.target.value })}
        >
          {reasons.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
      </div>
      <TextField
        label="What happened"
        placeholder="The owner sees this"
        maxLength={250}
        value={happened}
        error={problem.happened}
        hint={`${user.name.split(' ')[0] || 'The owner'} sees it with their credits, with your name.`}
        onChange={(event) => {
          setHappened(event.target.value)
          grant.renew()
        }}
        className="mt-3"
      />
      <Select
        label="Grant or take"
        hideLabel
        value={start.verb}
        onChange={(event) => change({ verb: event.target.value })}
        className="mt-3"
      >
        <option value="grant">Grant them</option>
        <option value="take">Take them back</option>
      </Select>
      <Password act={grant} />
      <Failure error={grant.error} />
      <Button type="submit" variant="primary" pending={grant.isPending} className="mt-4 w-full">
        {isNumber ? `${verb} ${formatCredits(credits)}` : `${verb} credits`}
      </Button>
    </form>
  )
}
