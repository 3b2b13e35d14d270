/** The beginning of a group of settings: what is in use there, and a test where there is one. */
import { useMutation } from '@tanstack/react-query'
import { Check, CircleAlert, Play, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { formatBytes } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useMedia } from '#web/use-media.ts'
import { Failure } from '#web/ui/inline-error.tsx'

import { sendTestMail, tryModel } from '../calls.ts'
import type { ModelTried, ServerFacts, SettingGroup } from '../contract.ts'

interface Head {
  title: string
  facts: ServerFacts
  /** What to look at. */
  children: ReactNode
}

/** Wide enough for the list of groups beside the open one. */
export const BESIDE = '(width >= 64rem)'

export function GroupHead({ group, ...head }: { group: SettingGroup } & Omit<Head, 'title'>) {
  const title = titleOf(group)
  if (group === 'Speech') return <Speech title={title} {...head} />
  if (group === 'Summaries') return <Summaries title={title} {...head} />
  if (group === 'Mail') return <Mail title={title} {...head} />
  return (
    <>
      <Heading>{title}</Heading>
      {head.children}
    </>
  )
}

export const titleOf = (group: SettingGroup) =>
  group === 'Summaries' ? 'Summaries and documents' : group

function Heading({ act, children }: { act?: ReactNode; children: ReactNode }) {
  // Where the list of groups is not beside it, the group is the whole page.
  const Title = useMedia(BESIDE) ? 'h2' : 'h1'
  return (
    <div className="flex min-h-[38px] flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <Title id="group" className="font-display text-section font-semibold">
        {children}
      </Title>
      {act}
    </div>
  )
}

function Said({ children }: { children: ReactNode }) {
  return <p className="mt-3 max-w-[54rem] text-small wrap-anywhere text-ink-2">{children}</p>
}

/**
 * Runs a trial and shows what came of it over the page: in it, it would push the settings. The dialog
 * may be closed while the trial runs; the button opens it again, and what came meanwhile is seen first.
 */
function Trial<Answer>({
  verb,
  icon,
  run,
  waits,
  children,
}: {
  verb: string
  icon: ReactNode
  run: () => Promise<Answer>
  waits: string
  children: (answer: Answer) => ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const [isSeen, setSeen] = useState(true)
  const trial = useMutation({ mutationFn: run })
  return (
    <>
      <Button
        size="small"
        icon={icon}
        onClick={() => {
          setOpen(true)
          if (isSeen) trial.mutate()
        }}
      >
        {verb}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={() => {
          setOpen(false)
          setSeen(!trial.isPending)
        }}
        title={verb}
      >
        <div role="status" className="mt-4 min-h-40 text-small wrap-anywhere">
          {trial.isPending ? <p className="text-ink-2">{waits}</p> : null}
          {trial.data ? children(trial.data) : null}
          <Failure error={trial.error} className="" />
        </div>
      </Dialog>
    </>
  )
}

const states = { used: 'In use', installed: 'Installed', broken: 'Cannot be used' }
const writers: Record<string, string> = {
  extractive: 'sentences of the transcript',
  llm: 'a language model',
}

/** The engines that recognise speech, and the models that are there. */
function Speech({ title, facts: { engines, models, better }, children }: Head) {
  return (
    <>
      <Heading>{title}</Heading>
      {children}
      {engines.length === 0 ? <Said>No worker was heard of.</Said> : null}
      {engines.map(({ speech, wordsPerError, speakers, writing }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- workers have no names
        <Said key={index}>
          <strong className="font-semibold">{speech}</strong> recognises
          {wordsPerError ? `, about one word in ${wordsPerError} wrong` : ''}. Voices:{' '}
          {speakers ?? 'told apart without models'}. Summaries: {writers[writing] ?? writing}.
        </Said>
      ))}
      {models.length === 0 ? null : (
        <ul aria-label="Models" className="mt-2 text-small">
          {models.map(({ id, title: name, sizeBytes, state }) => (
            <li key={id} className="flex flex-wrap gap-x-2">
              <span className="wrap-anywhere">{name}</span>
              <span className={state === 'broken' ? 'text-danger' : 'text-ink-2'}>
                {states[state]}
                {sizeBytes > 0 ? ` · ${formatBytes(sizeBytes)}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
      {better.map((sentence) => (
        <Said key={sentence}>{sentence}</Said>
      ))}
    </>
  )
}

/** What writes summaries and documents, with a trial: two sentences of ours to summarise. */
function Summaries({ title, facts: { languageModel: model, engines }, children }: Head) {
  return (
    <>
      <Heading
        act={
          model && (
            <Trial
              key={`${model.name} at ${model.host}`}
              verb="Try the model"
              icon={<Play />}
              run={() => ask(tryModel)}
              waits="Waiting for its answer. Without a graphics card this may take a few minutes."
            >
              {(tried) => <Tried tried={tried} />}
            </Trial>
          )
        }
      >
        {title}
      </Heading>
      {children}
      {model === null ? (
        <NoModel isAtWorkers={engines.some(({ writing }) => writing === 'llm')} />
      ) : (
        <Said>
          <strong className="font-semibold">{model.name}</strong> at {model.host}
          {model.isUsed ? ' writes summaries and documents.' : ' is set up, and not used.'} A trial
          sends it two sentences of ours, and nothing of a user.
        </Said>
      )}
    </>
  )
}

function NoModel({ isAtWorkers }: { isAtWorkers: boolean }) {
  return (
    <Said>
      {isAtWorkers
        ? 'None is set up in this process, so none can be tried from here. Workers have one: set it here too.'
        : 'None is set up. Summaries are key sentences of the transcript in its own language, and documents are put together from its sentences.'}{' '}
      <code className="font-mono text-code whitespace-nowrap">npm run models -- writer</code> on the
      machine of the server prints how to set up one that suits it, with LLM_BASE_URL and LLM_MODEL.
    </Said>
  )
}

function Tried({ tried: { isAccepted, said, answer, facts, hints } }: { tried: ModelTried }) {
  const Icon = isAccepted ? Check : CircleAlert
  return (
    <>
      <p className={`flex gap-2 font-semibold ${isAccepted ? '' : 'text-danger'}`}>
        <Icon
          size={18}
          aria-hidden="true"
          className={`mt-0.5 shrink-0 ${isAccepted ? 'text-success' : ''}`}
        />
        {said}
      </p>
      {answer === null ? null : (
        <blockquote
          className="mt-3 border-l-2 border-line pl-4 whitespace-pre-line"
          aria-label="What it wrote"
        >
          {answer}
        </blockquote>
      )}
      <p className="mt-3 text-ink-2 tabular-nums">{facts}</p>
      {hints.map((hint) => (
        <p key={hint} className="mt-3">
          {hint}
        </p>
      ))}
    </>
  )
}

function Mail({ title, facts: { mailServer: server }, children }: Head) {
  return (
    <>
      <Heading
        act={
          <Trial
            verb="Send a test mail"
            icon={<Send />}
            run={() => ask(sendTestMail)}
            waits="Waiting for the mail server."
          >
            {({ isSent, said }) => <p className={isSent ? '' : 'text-danger'}>{said}</p>}
          </Trial>
        }
      >
        {title}
      </Heading>
      {children}
      {server === null ? null : <Said>Goes through {server}.</Said>}
    </>
  )
}
