import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { Outlet } from 'react-router'

import { RETENTION_DAYS, UNDELETE_MINUTES } from '#shared/business.ts'
import { addressOf } from '#shared/call.ts'
import { counted, formatBytes } from '#shared/format.ts'
import { ask, token } from '#web/api.ts'
import { forgetAccount } from '#web/forget-account.ts'
import { paths } from '#web/paths.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { AlertDialog, DialogActions } from '#web/ui/dialog.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { deleteAccount, exportData } from '../calls.ts'
import type { DeleteAccount, DeletionReceipt } from '../contract.ts'
import { accountQuery, dataQuery } from './account-queries.ts'
import { AccountHead, Section } from './account-section.tsx'
import { useUser } from './auth.tsx'
import { passwordError } from './form-errors.ts'
import { Loaded } from './loaded.tsx'
import { useForm } from '#web/use-form.ts'

const partNames: Record<string, string> = {
  account: 'Your account and every line of your credits',
  transcriptions: 'Transcriptions and translations as JSON, TXT and SRT',
  recordings: 'Recordings that are still kept',
  payments: 'Payments',
  documents: 'Documents',
  questions: 'Questions and their answers',
  'document types': 'Your types of documents',
  messages: 'Messages you sent us',
  tags: 'Tags',
  links: 'Links to what you shared',
  vocabulary: 'Your vocabulary',
  'keys and webhooks': 'Keys and webhooks',
}

export default function DataPage() {
  return (
    <>
      <AccountHead title="Your data">Take all of it along, or have all of it erased.</AccountHead>
      <Section title="Download everything" lead="One ZIP file with all that we keep about you.">
        <Export />
      </Section>
      {/* Later rooms list here what others can read. */}
      <Outlet />
      <Section
        title="How long it is kept"
        lead={`A recording for ${RETENTION_DAYS} days, which its menu says with the date. Texts and what is made of them stay until you delete them. What you delete can be brought back in the library for ${UNDELETE_MINUTES} minutes, until the page is loaded anew.`}
      />
      <Section title="Delete the account">
        <WhatIsErased />
        <Deletion />
      </Section>
    </>
  )
}

function Export() {
  const query = useQuery(dataQuery)
  return (
    <Loaded query={query} what="how much there is">
      {({ parts }) => (
        <>
          <dl className="mt-4 border-t border-rule text-body">
            {parts
              .filter(({ files }) => files > 0)
              .map(({ name, files, sizeBytes }) => (
                <div
                  key={name}
                  className="flex flex-wrap justify-between gap-x-6 border-b border-rule py-3"
                >
                  <dt>{partNames[name] ?? name}</dt>
                  <dd className="text-ink-2 tabular-nums">
                    {counted(files, 'file')}
                    {sizeBytes > 0 ? `, ${formatBytes(sizeBytes)}` : ''}
                  </dd>
                </div>
              ))}
          </dl>
          <a href={addressOf(exportData)} download className={`${buttonClasses()} mt-5`}>
            <Download />
            Download my data
          </a>
        </>
      )}
    </Loaded>
  )
}

function WhatIsErased() {
  return (
    <ul className="mt-3 grid max-w-[66ch] list-disc gap-1.5 pl-5 text-body text-ink-2">
      <li>At once: recordings, transcriptions, summaries, sessions, messages, name and address.</li>
      <li>In this browser: recordings that were not sent, and what was typed and not stored.</li>
      <li>A file that is being processed is stopped. A running plan ends.</li>
      <li>Credits that are left are lost.</li>
      <li>
        What stays: the lines of the ledger under a number that names nobody, and a receipt of how
        much was erased.
      </li>
      <li>Backups that whoever runs this server has made hold a copy until they are replaced.</li>
    </ul>
  )
}

function Deletion() {
  const [isAsking, setAsking] = useState(false)
  const [receipt, setReceipt] = useState<DeletionReceipt>()
  if (receipt) return <Receipt receipt={receipt} />
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)} className="mt-5">
        Delete my account
      </Button>
      {isAsking ? <AskToDelete onClose={() => setAsking(false)} onDeleted={setReceipt} /> : null}
    </>
  )
}

function AskToDelete({
  onClose,
  onDeleted,
}: {
  onClose: () => void
  onDeleted: (receipt: DeletionReceipt) => void
}) {
  const user = useUser()
  const { data: account } = useQuery(accountQuery)
  const needsPassword = account?.hasPassword ?? true
  const deletion = useMutation({
    mutationFn: (body: DeleteAccount) => ask(deleteAccount, { body }),
    onSuccess: async (receipt) => {
      token.remove()
      await forgetAccount(user.id)
      onDeleted(receipt)
    },
  })
  const form = useForm({
    start: { confirmation: '', password: '' },
    checks: {
      confirmation: (text) =>
        text.trim().toLowerCase() === user.email.toLowerCase()
          ? undefined
          : 'Type the email address of this account',
      password: needsPassword ? passwordError : undefined,
    },
    onSubmit: ({ confirmation, password }) =>
      deletion.mutate({ confirmation, ...(needsPassword ? { password } : {}) }),
  })
  return (
    <AlertDialog
      open
      onOpenChange={(open) => {
        if (!open && !deletion.isPending) onClose()
      }}
      title="Delete your account?"
      description="Everything listed on this page is erased at once. There is no way back."
    >
      <form noValidate onSubmit={form.submit} className="mt-4">
        <TextField
          {...form.field('confirmation')}
          label={
            <>
              Type <span className="font-mono text-fine wrap-anywhere">{user.email}</span> to
              confirm
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {needsPassword ? (
          <PasswordField
            {...form.field('password')}
            label="Your password"
            autoComplete="current-password"
            className="mt-4"
          />
        ) : null}
        <Failure error={deletion.error} />
        <DialogActions>
          <Button onClick={onClose}>Keep my account</Button>
          <Button type="submit" variant="danger" pending={deletion.isPending}>
            Delete my account
          </Button>
        </DialogActions>
      </form>
    </AlertDialog>
  )
}

/** Stays until it is left: the number is all that is left of the account. */
function Receipt({ receipt }: { receipt: DeletionReceipt }) {
  return (
    <AlertDialog
      open
      onOpenChange={() => location.assign(paths.start)}
      title="Your account is deleted."
      description="Keep this receipt if you want to ask about it one day. Nothing else here names you any more."
    >
      <dl className="mt-4 border-t border-rule text-body">
        <div className="border-b border-rule py-3">
          <dt className="text-small text-ink-2">Receipt</dt>
          <dd className="font-mono text-fine wrap-anywhere">{receipt.id}</dd>
        </div>
        {Object.entries(receipt.erased).map(([what, count]) => (
          <div key={what} className="flex justify-between border-b border-rule py-2.5">
            <dt>{what[0]?.toUpperCase() + what.slice(1)} erased</dt>
            <dd className="tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button variant="primary" onClick={() => location.assign(paths.start)}>
          Leave
        </Button>
      </DialogActions>
    </AlertDialog>
  )
}
