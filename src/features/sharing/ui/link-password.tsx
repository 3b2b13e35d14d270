import { CircleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'

import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { inputClasses } from '#web/ui/field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Share } from '../contract.ts'
import { SHORTEST_PASSWORD } from '../status.ts'
import { knownPassword } from './queries.ts'
import { suggestedPassword } from './suggested-password.ts'

export const isLongEnough = (password: string) => password.length >= SHORTEST_PASSWORD

/** A password that is meant to be told, so it can be read. */
export function PasswordField({
  value,
  isChecked,
  onChange,
  onLeave,
}: {
  value: string
  /** Says what is wrong with it. */
  isChecked: boolean
  onChange: (value: string) => void
  /** The field is left, or Enter is pressed in it. */
  onLeave?: () => void
}) {
  const errorId = useId()
  const hasError = isChecked && !isLongEnough(value)
  return (
    <>
      <div className="relative mt-1">
        <input
          aria-label="Password of the link"
          aria-invalid={hasError || undefined}
          aria-describedby={hasError ? errorId : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onLeave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onLeave?.()
          }}
          className={classes(inputClasses, 'pr-28')}
        />
        <CopyButton
          text={value}
          copiedLabel="Copied"
          variant="quiet"
          hasIcon={false}
          aria-label="Copy the password"
          className="absolute top-0 right-0 h-11! px-3! *:justify-items-end"
          onFailed={() => toast({ title: 'Could not copy to clipboard', variant: 'destructive' })}
        />
      </div>
      {hasError ? (
        <p
          id={errorId}
          role="alert"
          className="mt-2 flex items-start gap-2 text-small leading-5 font-medium text-danger"
        >
          <CircleAlert size={18} className="mt-px shrink-0" />
          At least {SHORTEST_PASSWORD} characters
        </p>
      ) : null}
    </>
  )
}

/**
 * The password of a link that is there. The server keeps only a hash of it, so it can be read again
 * only on the page on which it was set.
 */
export function LinkPassword({
  share,
  onChange,
}: {
  share: Share
  onChange: (password: string | null) => void
}) {
  const known = knownPassword(share.id)
  /** The password that was suggested or typed here; null before that. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const [sent, setSent] = useState<string | null>(null)
  const set = (password: string | null) => {
    setTyped(password)
    setSent(password)
    onChange(password)
  }
  const value = typed ?? known
  const keep = () => {
    setLeft(true)
    if (typed === null || typed === sent || typed === known || !isLongEnough(typed)) return
    setSent(typed)
    onChange(typed)
  }
  // The dialog may be closed while the field has the focus.
  const keepAtTheEnd = useEffectEvent(keep)
  useEffect(() => () => keepAtTheEnd(), [])
  return (
    <>
      <Switch
        label="Ask for a password"
        className="mt-3"
        checked={share.hasPassword}
        onChange={(isOn) => set(isOn ? suggestedPassword() : null)}
      />
      {!share.hasPassword ? null : value === null ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-small text-ink-2">It is set, and cannot be shown again.</p>
          <Button size="small" onClick={() => set(suggestedPassword())}>
            New password
          </Button>
        </div>
      ) : (
        <>
          <PasswordField
            value={value}
            isChecked={isLeft}
            onChange={(password) => {
              setLeft(false)
              setTyped(password)
            }}
            onLeave={keep}
          />
          {typed !== null && typed !== sent ? (
            <p className="mt-1.5 text-small text-ink-2">
              A new one closes the page for everybody who had opened it.
            </p>
          ) : null}
        </>
      )}
    </>
  )
}
