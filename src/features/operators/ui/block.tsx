import { Ban } from 'lucide-react'
import { useState } from 'react'

import { missing } from '#features/account/ui/form-errors.ts'
import { ask } from '#web/api.ts'
import { useForm } from '#web/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { toast } from '#web/ui/toast.tsx'

import { blockUser, unblockUser } from '../calls.ts'
import type { UserRow } from '../contract.ts'
import { Password } from './password.tsx'
import { useAct } from './use-act.ts'

export function Block({ user }: { user: UserRow }) {
  const [isOpen, setOpen] = useState(false)
  const block = useAct<{ reason: string }>(
    (body) => ask(blockUser, { params: { id: user.id }, body }),
    {
      onDone: () => {
        setOpen(false)
        toast({ title: `${user.email} is blocked.` })
      },
    },
  )
  const form = useForm({
    start: { reason: '' },
    checks: { reason: missing('Say why. It is written to the log.') },
    onSubmit: ({ reason }) => block.act({ reason: reason.trim() }),
  })
  return (
    <>
      <Button variant="danger-outline" size="small" icon={<Ban />} onClick={() => setOpen(true)}>
        Block this account
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Block this account?"
        description="Signs out everywhere, stops jobs, returns reserved credits. Nothing is deleted."
      >
        <form noValidate className="mt-4" onSubmit={form.submit}>
          <TextField
            {...form.field('reason')}
            label="Reason"
            maxLength={300}
            hint="Written to the log. It is part of the data that its owner can take along."
          />
          <Password act={block} />
          <Failure error={block.error} />
          <DialogActions>
            <Button onClick={() => setOpen(false)}>Leave it open</Button>
            <Button type="submit" variant="danger" pending={block.isPending}>
              Block
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  )
}

export function Unblock({ user }: { user: UserRow }) {
  const unblock = useAct((body) => ask(unblockUser, { params: { id: user.id }, body }), {
    onDone: () => toast({ title: `${user.email} can sign in again.` }),
  })
  return (
    <form
      noValidate
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        unblock.act({})
      }}
    >
      <Password act={unblock} />
      <Failure error={unblock.error} className="" />
      <Button type="submit" size="small" pending={unblock.isPending} className="bg-card!">
        Unblock
      </Button>
    </form>
  )
}
