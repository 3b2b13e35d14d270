import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Check, Eye, Link2 } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'

import { cutsQuery } from '#features/cuts/ui/queries.ts'
import { rendersQuery } from '#features/cuts/ui/renders.ts'
import type { CutChoice } from '#features/exports/formats.ts'
import { sayCuts } from '#features/exports/ui/say-cuts.ts'
import type { MadeFile } from '#features/library/ui/later-rooms.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { formatDate } from '#shared/format.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { copyWhenMade } from '#web/clipboard.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { inputClasses } from '#web/ui/field.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'

import { type LinkChoice, choiceOf, includesOf } from '../status.ts'
import type { Share } from '../contract.ts'
import { LinkPassword, PasswordField, isLongEnough } from './link-password.tsx'
import { type End, daysOf, endOf, ends, partsOf, usualChoice } from './link-words.ts'
import { type SaveState, useChangeShare, useEndShare, useMakeShare } from './queries.ts'
import { Seen } from './seen.tsx'
import { suggestedPassword } from './suggested-password.ts'

/** In the place of a link's id, it means the form for a further link. */
const ANOTHER = 'another'

/** The view that is open: a link by its id, or null for the list of links. */
interface OpenLink {
  at: string | null
  /** The act that led here. It decides where the focus goes. */
  by: 'made' | 'copied' | 'ended' | 'pressed' | null
  from: string | null
}

/** The links to a transcription, to look at, change and end; before there is one, its choices. */
export function LinkPart({
  transcription,
  file,
  shares,
  onSay,
}: {
  transcription: Transcription
  /** The made file that is given away; null for the transcription. */
  file: MadeFile | null
  shares: readonly Share[]
  /** Tells screen readers what has happened. */
  onSay: (words: string) => void
}) {
  // A link that is open stays so when another one is made elsewhere.
  const [place, setPlace] = useState<OpenLink>(() => ({
    at: shares.length === 1 ? (shares[0]?.id ?? null) : null,
    by: null,
    from: null,
  }))
  const { at, by, from } = place
  const go = (to: OpenLink['at'], why: OpenLink['by'] = 'pressed') =>
    setPlace({ at: to, by: why, from: at })
  /** The place, for what takes the focus whenever one comes to it that way. */
  const placeIf = (isFocused: boolean) => (isFocused ? place : null)
  const isPressed = by === 'pressed'
  if (at === ANOTHER || shares.length === 0)
    return (
      <NewLink
        transcription={transcription}
        file={file}
        focus={placeIf(by === 'ended')}
        back={
          shares.length === 0 ? null : (
            <Back focus={placeIf(isPressed)} onPress={() => go(from)}>
              Back
            </Back>
          )
        }
        onMade={({ id }, isCopied) => {
          go(id, isCopied ? 'copied' : 'made')
          onSay(isCopied ? 'Link created and copied.' : 'The link is ready.')
        }}
      />
    )
  const another = (
    <Another focus={placeIf(isPressed && from === ANOTHER)} onPress={() => go(ANOTHER)} />
  )
  const isOne = shares.length === 1
  const share = shares.find(({ id }) => id === at) ?? (isOne ? shares[0] : undefined)
  if (share)
    return (
      <LiveLink
        key={share.id}
        transcription={transcription}
        share={share}
        back={
          isOne ? null : (
            <Back focus={placeIf(isPressed && from !== ANOTHER)} onPress={() => go(null)}>
              All {shares.length} links
            </Back>
          )
        }
        another={isOne ? another : null}
        isCopied={by === 'copied'}
        focus={placeIf(by !== null && !isPressed)}
        onSay={onSay}
        onEnded={() => go(null, 'ended')}
      />
    )
  return (
    <>
      <p className="mt-1 text-small text-ink-2">
        Each can show something else. Whoever has one can read, without an account.
      </p>
      <ul aria-label="Links" className="mt-4 border-t border-rule">
        {shares.map((one) => (
          <Row
            key={one.id}
            transcription={transcription}
            share={one}
            focus={placeIf(isPressed && from === one.id)}
            onChange={() => go(one.id)}
            onSay={onSay}
            onEnded={() => go(null, 'ended')}
          />
        ))}
      </ul>
      <Another
        focus={placeIf(by === 'ended' || (isPressed && from === ANOTHER))}
        onPress={() => go(ANOTHER)}
      />
    </>
  )
}

/** Gives the focus to a button whenever something new asks for it. */
function useFocus(focus: OpenLink | null) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focus) button.current?.focus()
  }, [focus])
  return button
}

interface Way {
  focus: OpenLink | null
  onPress: () => void
}

function Back({ focus, onPress, children }: Way & { children: ReactNode }) {
  return (
    <Button
      ref={useFocus(focus)}
      variant="quiet"
      size="small"
      icon={<ArrowLeft />}
      className="mt-1 -ml-3.5"
      onClick={onPress}
    >
      {children}
    </Button>
  )
}

function Another({ focus, onPress }: Way) {
  return (
    <Button ref={useFocus(focus)} icon={<Link2 />} className="mt-4 w-full" onClick={onPress}>
      Another link
    </Button>
  )
}

/** A link among others. */
function Row({
  transcription,
  share,
  focus,
  onChange,
  onSay,
  onEnded,
}: {
  transcription: Transcription
  share: Share
  focus: OpenLink | null
  onChange: () => void
  onSay: (words: string) => void
  onEnded: () => void
}) {
  const { url } = share
  const change = useFocus(focus)
  const id = useId()
  return (
    <li className="border-b border-rule py-4">
      <p id={id} className="text-ui">
        <span className="font-semibold">
          {partsOf(share, transcription.recordingKeptUntil !== null)}
        </span>
        {share.hasPassword ? <Badge className="ml-3">Password</Badge> : null}
      </p>
      {url === null ? null : <p className="truncate text-small text-ink-2">{url}</p>}
      <p className="mb-3 text-small text-ink-2">
        <Seen share={share} />
      </p>
      <EndLink share={share} label="End" describedBy={id} onEnded={onEnded}>
        {url === null ? null : <CopyLink url={url} size="small" describedBy={id} onSay={onSay} />}
        <Button ref={change} size="small" aria-describedby={id} onClick={onChange}>
          Change
        </Button>
      </EndLink>
    </li>
  )
}

function CopyLink({
  url,
  describedBy,
  onSay,
  ...rest
}: Pick<ComponentProps<typeof CopyButton>, 'ref' | 'size' | 'variant'> & {
  url: string
  describedBy?: string
  onSay: (words: string) => void
}) {
  return (
    <CopyButton
      {...rest}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      text={url}
      label="Copy link"
      copiedLabel="Copied"
      hasIcon={false}
      onCopied={() => onSay('Copied.')}
      onFailed={() => toast({ title: 'Could not copy to clipboard', variant: 'destructive' })}
    />
  )
}

function NewLink({
  transcription,
  file,
  focus,
  back,
  onMade,
}: {
  transcription: Transcription
  file: MadeFile | null
  focus: OpenLink | null
  /** Leads to the links that are there; null before there is one. */
  back: ReactNode
  /** Called when the link is made. Its address is in the clipboard, unless the browser forbids that. */
  onMade: (share: Share, isCopied: boolean) => void
}) {
  const [choice, setChoice] = useState<LinkChoice>(usualChoice)
  const [cuts, setCuts] = useState<CutChoice>('applied')
  const [end, setEnd] = useState<End>('7')
  const [password, setPassword] = useState<string | null>(null)
  const [isAsked, setAsked] = useState(false)
  const make = useMakeShare(transcription.id)
  const button = useFocus(focus)
  const isRecordingKept = transcription.recordingKeptUntil !== null
  const create = async () => {
    setAsked(true)
    if (password !== null && !isLongEnough(password)) return
    const making = make.mutateAsync({
      ...(file ? { render: file.id } : {}),
      includes: includesOf({ ...choice, played: isRecordingKept ? choice.played : 'none' }),
      cuts,
      days: daysOf(end),
      ...(password === null ? {} : { password }),
    })
    const copying = copyWhenMade(
      making.then(({ url }) => url ?? Promise.reject(new Error('the link has no address'))),
    )
    // A failure is said below the button.
    const made = await making.catch(() => null)
    if (made) onMade(made, await copying)
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!make.isPending) void create()
      }}
    >
      {back}
      <p className="mt-1 text-small text-ink-2">
        {file
          ? 'Whoever has it can hear and save the file, without an account, and sees your name. It shows nothing else of the recording.'
          : 'Whoever has it can read, without an account, and sees your name. You can end it at any time.'}
      </p>
      {file ? (
        <WithFile
          id={transcription.id}
          renderId={file.id}
          choice={choice}
          onChange={(part) => setChoice({ ...choice, ...part })}
        />
      ) : (
        <>
          <WhatItShows
            transcription={transcription}
            choice={choice}
            onChange={(part) => setChoice({ ...choice, ...part })}
          />
          <AsCut
            transcription={transcription}
            plays={isRecordingKept && choice.played !== 'none'}
            value={cuts}
            onChange={setCuts}
          />
        </>
      )}
      <Ends
        value={end}
        choices={file ? ends.slice(0, 2) : ends}
        note={
          file?.keptUntil ? `With the file at the latest, on ${formatDate(file.keptUntil)}.` : null
        }
        onChange={setEnd}
      />
      <Switch
        label="Ask for a password"
        className="mt-3"
        checked={password !== null}
        onChange={(isOn) => setPassword(isOn ? suggestedPassword() : null)}
      />
      {password === null ? null : (
        <PasswordField value={password} isChecked={isAsked} onChange={setPassword} />
      )}
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
      {make.error ? (
        <InlineError comesIntoSight className="mt-3 scroll-mb-4">
          The link could not be made.{' '}
          {make.error instanceof ApiError && make.error.status < 500
            ? sentenceOf(make.error, '')
            : back === null
              ? 'Nothing is shared.'
              : 'The others are as before.'}
        </InlineError>
      ) : null}
    </form>
  )
}

function LiveLink({
  transcription,
  share,
  back,
  another,
  isCopied,
  focus,
  onSay,
  onEnded,
}: {
  transcription: Transcription
  share: Share
  /** Leads to the list, where there are others. */
  back: ReactNode
  /** Leads to a further one, where there is no list. */
  another: ReactNode
  /** Whether it was made here just now, and its address is in the clipboard. */
  isCopied: boolean
  focus: OpenLink | null
  onSay: (words: string) => void
  onEnded: () => void
}) {
  const [undone, setUndone] = useState(0)
  const { change, state } = useChangeShare(share, { onUndone: () => setUndone(undone + 1) })
  const button = useFocus(focus)
  const choice = choiceOf(share.includes)
  const onPart = (part: Partial<LinkChoice>) =>
    change({ includes: includesOf({ ...choice, ...part }) })
  const { url } = share
  return (
    <>
      {back}
      <p className="mt-1 text-small text-ink-2">
        {isCopied ? (
          <span className="font-semibold text-success">
            <Check size={16} className="mr-1 inline align-[-0.15em]" />
            Link created and copied.{' '}
          </span>
        ) : null}
        Whoever has it can {share.render ? 'hear and save the file' : 'read'}, without an account.
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
            value={url}
            onFocus={(event) => event.target.select()}
            className={inputClasses}
          />
          <CopyLink ref={button} url={url} variant="primary" size="medium" onSay={onSay} />
        </div>
      )}
      <p className="mt-2 flex items-start gap-2 text-small text-ink-2">
        <Eye size={18} className="mt-0.5 shrink-0" />
        <Seen share={share} />
      </p>
      <hr className="mt-4 border-rule" />
      {share.render ? (
        <WithFile
          id={transcription.id}
          renderId={share.render.id}
          choice={choice}
          onChange={onPart}
        />
      ) : (
        <>
          <WhatItShows
            transcription={transcription}
            choice={choice}
            isSummaryLeftOut={share.summaryLeftOut}
            onChange={onPart}
          />
          <AsCut
            transcription={transcription}
            plays={transcription.recordingKeptUntil !== null && choice.played !== 'none'}
            value={share.cuts}
            onChange={(cuts) => change({ cuts })}
          />
        </>
      )}
      <Ends
        value={endOf(share.endsAt)}
        choices={share.render ? ends.slice(0, 2) : ends}
        onChange={(end) => change({ days: daysOf(end) })}
      />
      <LinkPassword key={undone} share={share} onChange={(password) => change({ password })} />
      <hr className="mt-4 mb-4 border-rule" />
      <EndLink share={share} label="End the link now" onEnded={onEnded}>
        <Saved state={state} />
      </EndLink>
      {another}
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
        The transcript is always part of it, to read and to download.
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
        label="Summary, chapters and action items"
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

/** What is shown with a made file. */
function WithFile({
  id,
  renderId,
  choice,
  onChange,
}: {
  id: string
  renderId: string
  choice: LinkChoice
  onChange: (part: Partial<LinkChoice>) => void
}) {
  const { data } = useQuery(rendersQuery(id))
  const clip = data?.renders.find((made) => made.id === renderId)?.clip
  const isDrawn = clip && clip.shape !== 'sound' && clip.captions !== 'none'
  return (
    <div className="mt-3">
      {/* A clip that has them in its picture would show them twice. */}
      {isDrawn ? null : (
        <Switch
          label="Captions"
          checked={choice.captions}
          note="As the file is cut."
          onChange={(captions) => onChange({ captions })}
        />
      )}
      <Switch
        label="Speakers’ names"
        checked={choice.names}
        note="In its name and captions."
        onChange={(names) => onChange({ names })}
      />
    </div>
  )
}

/** Where something is cut: whether that is left out for others too. */
function AsCut({
  transcription: { id },
  plays,
  value,
  onChange,
}: {
  transcription: Transcription
  /** Whether the link has something to hear. */
  plays: boolean
  value: CutChoice
  onChange: (cuts: CutChoice) => void
}) {
  const { data } = useQuery(cutsQuery(id))
  const noteId = useId()
  if (!data || data.cuts.length === 0) return null
  return (
    <div role="group" aria-describedby={noteId} className="mt-3">
      <Segments
        label="Your cuts"
        value={value}
        choices={[
          { value: 'applied', label: 'As cut' },
          { value: 'ignored', label: 'Whole' },
        ]}
        onChange={onChange}
      />
      <p id={noteId} className="mt-1.5 text-small text-ink-2">
        {value === 'ignored'
          ? 'Others read and hear what you have cut.'
          : `${sayCuts(data)}${plays ? ' The recording follows once it is made without them.' : ''}`}
      </p>
    </div>
  )
}

function Ends({
  value,
  choices,
  note = null,
  onChange,
}: {
  value: End | null
  choices: readonly (typeof ends)[number][]
  note?: string | null
  onChange: (end: End) => void
}) {
  return (
    <div className="mt-3">
      <Segments label="It ends after" value={value} choices={choices} onChange={onChange} />
      {note === null ? null : <p className="mt-1.5 text-small text-ink-2">{note}</p>}
    </div>
  )
}

/** Ends the link, after a question in the same place as the button and what stands beside it. */
function EndLink({
  share,
  label,
  describedBy,
  children,
  onEnded,
}: {
  share: Share
  label: string
  /** The id of the element that names the link, where there are several. */
  describedBy?: string
  /** The elements beside the button. */
  children: ReactNode
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
      <div role="group" aria-labelledby={questionId} aria-describedby={describedBy}>
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
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
      {children}
      <Button
        ref={start}
        variant="danger-outline"
        size="small"
        aria-describedby={describedBy}
        onClick={() => setStep('asking')}
      >
        {label}
      </Button>
    </div>
  )
}

function Saved({ state }: { state: SaveState }) {
  return (
    <p role="status" className="order-last ml-auto flex items-center gap-2 text-small text-ink-2">
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
  )
}
