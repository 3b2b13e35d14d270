import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { LOW_CREDITS } from '#shared/business.ts'
import { request } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { setAlert } from '../calls.ts'
import { creditsQuery } from './queries.ts'

const isGood = (typed: string) =>
  /^\d{1,5}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= 10_000

/** A mail when the balance falls below a number of one's own choice. */
export function AlertForm({ below }: { below: number | null }) {
  const queryClient = useQueryClient()
  const [isWanted, setWanted] = useState(below !== null)
  const [typed, setTyped] = useState(String(below ?? LOW_CREDITS))
  const [isAsked, setAsked] = useState(false)
  const save = useMutation({
    mutationFn: (next: number | null) => request(setAlert, { body: { below: next } }),
    onSuccess: async (_answer, next) => {
      toast({
        title:
          next === null
            ? 'No mail will be sent about your balance.'
            : `A mail will be sent when you have fewer than ${next} credits.`,
      })
      await queryClient.invalidateQueries({ queryKey: creditsQuery.queryKey })
    },
  })
  const isWrong = isWanted && !isGood(typed)
  return (
    <section className="mt-10 border-t border-rule pt-6">
      <h2 className="font-display text-section font-semibold">Low balance</h2>
      <form
        noValidate
        className="mt-3 grid justify-items-start"
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (!isWrong) save.mutate(isWanted ? Number(typed) : null)
        }}
      >
        <Checkbox checked={isWanted} onChange={(event) => setWanted(event.target.checked)}>
          Mail me when my balance is low
        </Checkbox>
        {isWanted ? (
          <TextField
            className="mt-3 w-56"
            label="Fewer credits than"
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={isAsked && isWrong ? 'A whole number from 1 to 10,000' : undefined}
          />
        ) : null}
        <Failure error={save.error} otherwise="Please try again." className="mt-3" />
        <Button type="submit" size="small" className="mt-4" pending={save.isPending}>
          Save
        </Button>
      </form>
    </section>
  )
}
