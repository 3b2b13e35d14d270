import { Check, Eye, Link2 } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'

import type { Transcription } from '#features/transcriptions/contract.ts'
import { formatDate } from '#shared/format.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { copyWhenMade } from '#web/clipboard.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { inputClasses } from '#web/ui/field.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Share } from '../contract.ts'
import { LinkPassword, PasswordField, isLongEnough } from './link-password.tsx'
import {
  type End,
  type LinkChoice,
  choiceOf,
  daysOf,
  endOf,
  ends,
  includesOf,
  usualChoice,
  withoutScheme,
} from './link-words.ts'
import { type SaveState, useChangeShare, useEndShare, useMakeShare } from './queries.ts'
import { Seen } from './seen.tsx'
import { suggestedPassword } from './suggested-password.ts'

/** The newest link to a transcription; before there is one, what it would show. */
export function LinkPart({
  transcription,
  shares,
  onSay,
}: {
  transcription: Transcription
  shares: readonly Share[]
  /** Tells screen readers what has happened. */
  onSay: (words: string) => void
}) {
  const [share] = shares
  /** What happened here last. The focus goes to where one goes on from it. */
  const [last, setLast] = useState<'made' | 'copied' | 'ended' | null>(null)
  if (!share)
    return (
      <NewLink
        transcription={transcription}
        takesFocus={last === 'ended'}
        onMade={(isCopied) => {
          setLast(isCopied ? 'copied' : 'made')
          onSay(isCopied ? 'Link created and copied.' : 'The link is ready.')
        }}
      />
    )
  return (
    <LiveLink
      key={share.id}
      transcription={transcription}
      share={share}
      others={shares.length - 1}
      isCopied={last === 'copied'}
      takesFocus={last !== null}
      onSay={onSay}
      onEnded={() => setLast('ended')}
    />
  )
}

function useFocusFirst(takesFocus: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (takesFocus) button.current?.focus()
  }, [takesFocus])
  return button
}

function NewLink({
  transcription,
  takesFocus,
  onMade,
}: {
  transcription: Transcription
  takesFocus: boolean
  /** The link is there, and its address is in the clipboard unless the browser forbids that. */
  onMade: (isCopied: boolean) => void
}) {
  const [choice, setChoice] = useState<LinkChoice>(usualChoice)
  const [end, setEnd] = useState<End>('7')
  const [password, setPassword] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const make = useMakeShare(transcription.id)
  const button = useFocusFirst(takesFocus)
  const isRecordingKept = transcription.recordingKeptUntil !== null
  const create = async () => {
    setAsked(true)
    if (password !== null && !isLongEnough(password)) return
    const making = make.mutateAsync({
      includes: includesOf({ ...choice, played: isRecordingKept ? choice.played : 'none' }),
      days: daysOf(end),
      ...(password === null ? {} : { password }),
    })
    const copying = copyWhenMade(
      making.then(({ url }) => url ?? Promise.reject(new Error('the link has no address'))),
    )
    // A failure is said above the button.
    const isMade = await making.then(
      () => true,
      () => false,
    )
    if (isMade) onMade(await copying)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!make.isPending) void create()
      }}
    >
      <p className="mt-1 text-small text-ink-2">
        Whoever has it can read, without an account. You can end it at any time.
      </p>
      <WhatItShows
        transcription={transcription}
        choice={choice}
        onChange={(part) => setChoice({ ...choice, ...part })}
      />
      <Ends value={end} onChange={setEnd} />
      <Switch
        label="Ask for a password"
        className="mt-3"
        checked={password !== null}
        onChange={(isOn) => setPassword(isOn ? suggestedPassword() : null)}
      />
      {password === null ? null : (
        <PasswordField value={password} isChecked={isAsked} onChange={setPassword} />
      )}
      {make.error ? (
        <InlineError className="mt-4">
          The link could not be made. Nothing is shared.{' '}
          {make.error instanceof ApiError && make.error.status < 500
            ? sentenceOf(make.error, '')
            : null}
        </InlineError>
      ) : null}
      <Button
        ref={button}
        type="submit"
        variant="primary"
        icon={<Link2 />}
        pending={make.isPending}
        className="mt-4 w-full"
      >
        Create link
      </Button>
    </form>
  )
}

function LiveLink({
  transcription,
  share,
  others,
  isCopied,
  takesFocus,
  onSay,
  onEnded,
}: {
  transcription: Transcription
  share: Share
  /** How many other links open the same text. */
  others: number
  /** It was made here just now, and its address is in the clipboard. */
  isCopied: boolean
  takesFocus: boolean
  onSay: (words: string) => void
  onEnded: () => void
}) {
  const [undone, setUndone] = useState(0)
  const { change, state } = useChangeShare(share, { onUndone: () => setUndone(undone + 1) })
  const button = useFocusFirst(takesFocus)
  const choice = choiceOf(share.includes)
  const { url } = share
  return (
    <>
      <p className="mt-1 text-small text-ink-2">
        {isCopied ? (
          <span className="font-semibold text-success">
            <Check size={16} className="mr-1 inline align-[-0.15em]" />
            Link created and copied.{' '}
          </span>
        ) : null}
        Whoever has it can read, without an account.
      </p>
      {url === null ? (
        <p className="mt-3 text-ui">
          This server cannot say its address any more. The link works for whoever has it.
        </p>
      ) : (
        <div className="mt-3 flex gap-2">
          <input
            readOnly
            aria-label="Address of the link"
            value={withoutScheme(url)}
            onFocus={(event) => event.target.select()}
            onCopy={(event) => {
              // What is copied by hand is a whole address too.
              event.preventDefault()
              event.clipboardData.setData('text/plain', url)
            }}
            className={inputClasses}
          />
          <CopyButton
            ref={button}
            text={url}
            label="Copy link"
            copiedLabel="Copied"
            variant="primary"
            size="medium"
            hasIcon={false}
            onCopied={() => onSay('Copied.')}
            onFailed={() => toast({ title: 'Could not copy to clipboard', variant: 'destructive' })}
          />
        </div>
      )}
      <p className="mt-2 flex items-start gap-2 text-small text-ink-2">
        <Eye size={18} className="mt-0.5 shrink-0" />
        <Seen share={share} />
      </p>
      {others > 0 ? (
        <p className="mt-1 text-small text-ink-2">
          {others === 1 ? 'One more link opens' : `${others} more links open`} this text. They are
          all in{' '}
          <Link to={paths.accountData} className="text-link">
            your data
          </Link>
          .
        </p>
      ) : null}
      <hr className="mt-4 border-rule" />
      <WhatItShows
        transcription={transcription}
        choice={choice}
        isSummaryLeftOut={share.summaryLeftOut}
        onChange={(part) => change({ includes: includesOf({ ...choice, ...part }) })}
      />
      <Ends value={endOf(share.endsAt)} onChange={(end) => change({ days: daysOf(end) })} />
      <LinkPassword key={undone} share={share} onChange={(password) => change({ password })} />
      <hr className="mt-4 mb-4 border-rule" />
      <EndLink share={share} state={state} onEnded={onEnded} />
    </>
  )
}

function WhatItShows({
  transcription,
  choice,
  isSummaryLeftOut = false,
  onChange,
}: {
  transcription: Transcription
  choice: LinkChoice
  /** A name could be told from it, and the names are not to be shown. */
  isSummaryLeftOut?: boolean
  onChange: (part: Partial<LinkChoice>) => void
}) {
  const { picture, recordingKeptUntil, recordingDeletedAt } = transcription
  const noteId = useId()
  return (
    <fieldset aria-describedby={noteId} className="mt-4 min-w-0">
      <legend className="float-left w-full text-ui leading-5 font-semibold">What it shows</legend>
      <p id={noteId} className="clear-both mb-1 pt-0.5 text-small text-ink-2">
        The transcript is always part of it.
      </p>
      {recordingKeptUntil === null ? (
        <Switch
          label="Recording"
          checked={false}
          disabled
          note={
            recordingDeletedAt === null
              ? 'There is no recording any more.'
              : `The recording was deleted on ${formatDate(recordingDeletedAt)}.`
          }
          onChange={() => undefined}
        />
      ) : picture === 'shown' ? (
        <div className="mt-2 mb-1">
          <Segments
            label="Recording"
            value={choice.played}
            choices={playedChoices}
            onChange={(played) => onChange({ played })}
          />
        </div>
      ) : (
        <Switch
          label="Recording"
          checked={choice.played !== 'none'}
          onChange={(isOn) => onChange({ played: isOn ? 'picture' : 'none' })}
        />
      )}
      <Switch
        label="Summary and key points"
        checked={choice.summary}
        note={
          isSummaryLeftOut && choice.summary && !choice.names
            ? 'Left out: a name could be told from it.'
            : null
        }
        onChange={(summary) => onChange({ summary })}
      />
      <Switch
        label="Speakers’ names"
        checked={choice.names}
        onChange={(names) => onChange({ names })}
      />
    </fieldset>
  )
}

const playedChoices = [
  { value: 'picture', label: 'With picture' },
  { value: 'sound', label: 'Sound only' },
  { value: 'none', label: 'None' },
] as const

function Ends({ value, onChange }: { value: End | null; onChange: (end: End) => void }) {
  return (
    <div className="mt-3">
      <Segments label="It ends after" value={value} choices={ends} onChange={onChange} />
    </div>
  )
}

/** Ends the link, after a question in the same place; beside it stands whether changes are saved. */
function EndLink({
  share,
  state,
  onEnded,
}: {
  share: Share
  state: SaveState
  onEnded: () => void
}) {
  const [step, setStep] = useState<'idle' | 'asking' | 'kept'>('idle')
  const end = useEndShare({ onEnded })
  const questionId = useId()
  const keep = useRef<HTMLButtonElement>(null)
  const start = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (step === 'asking') keep.current?.focus()
    if (step === 'kept') start.current?.focus()
  }, [step])
  if (step === 'asking')
    return (
      <div role="group" aria-labelledby={questionId}>
        <p id={questionId} className="text-ui">
          <strong className="font-semibold">End it?</strong> The address stops working and cannot be
          had again.
        </p>
        <div className="mt-3 flex gap-3">
          <Button ref={keep} size="small" disabled={end.isPending} onClick={() => setStep('kept')}>
            Keep it
          </Button>
          <Button
            variant="danger"
            size="small"
            pending={end.isPending}
            onClick={() => end.mutate(share)}
          >
            End the link
          </Button>
        </div>
      </div>
    )
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <Button ref={start} variant="danger-outline" size="small" onClick={() => setStep('asking')}>
        End the link now
      </Button>
      <p role="status" className="flex items-center gap-2 text-small text-ink-2">
        {state === 'saving' ? (
          <>
            <Spinner className="size-4" />
            Saving…
          </>
        ) : state === 'failed' ? null : (
          <>
            <Check size={18} className="text-success" />
            Changes are saved
          </>
        )}
      </p>
    </div>
  )
}
