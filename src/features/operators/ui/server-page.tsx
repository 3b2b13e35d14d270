import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, CircleAlert } from 'lucide-react'

import { Loaded } from '#features/account/ui/loaded.tsx'
import { formatBytes } from '#shared/format.ts'
import { ask } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { sendTestMail, tryModel } from '../calls.ts'
import type { ModelTried, ServerFacts } from '../contract.ts'
import { serverQuery } from './queries.ts'
import { Subpage } from './subpage.tsx'

/** The engines, models and settings of the server. Settings are changed where it is started. */
export default function ServerPage() {
  const query = useQuery(serverQuery)
  return (
    <Subpage title="Server">
      <h1 className="mt-4 font-display text-app font-semibold">Server</h1>
      <Loaded query={query} what="how this server is set up">
        {(facts) => (
          <>
            <div className="mt-7 grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="grid min-w-0 gap-y-10">
                <Models facts={facts} />
                <LanguageModel facts={facts} />
              </div>
              <MailTest server={facts.mailServer} />
            </div>
            <Settings settings={facts.settings} />
          </>
        )}
      </Loaded>
    </Subpage>
  )
}

const states = { used: 'In use', installed: 'Installed', broken: 'Cannot be used' }
const writers: Record<string, string> = {
  extractive: 'sentences of the transcript',
  llm: 'a language model',
}

function Models({ facts: { engines, models, better } }: { facts: ServerFacts }) {
  return (
    <section aria-labelledby="models" className="min-w-0">
      <h2 id="models" className="border-b border-line pb-3 font-display text-h3 font-semibold">
        Models
      </h2>
      {engines.length === 0 ? (
        <p className="border-b border-rule py-3 text-small">No worker was heard of.</p>
      ) : null}
      {engines.map(({ speech, wordsPerError, speakers, writing }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- workers have no names
        <p key={index} className="border-b border-rule py-3 text-small">
          <strong className="font-semibold">{speech}</strong> recognises
          {wordsPerError ? `, about one word in ${wordsPerError} wrong` : ''}. Voices:{' '}
          {speakers ?? 'told apart without models'}. Summaries: {writers[writing] ?? writing}.
        </p>
      ))}
      <ul>
        {models.map(({ id, title, sizeBytes, state }) => (
          <li
            key={id}
            className="flex flex-wrap justify-between gap-x-4 border-b border-rule py-3 text-small"
          >
            <span className="wrap-anywhere">{title}</span>
            <span className={state === 'broken' ? 'text-danger' : 'text-ink-2'}>
              {states[state]}
              {sizeBytes > 0 ? ` · ${formatBytes(sizeBytes)}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {better.map((sentence) => (
        <p key={sentence} className="mt-3 max-w-[66ch] text-small wrap-anywhere text-ink-2">
          {sentence}
        </p>
      ))}
    </section>
  )
}

/**
 * The language model that writes summaries and documents, with a trial: two sentences of ours to
 * summarise.
 */
function LanguageModel({ facts: { languageModel: model, engines } }: { facts: ServerFacts }) {
  const trial = useMutation({ mutationFn: () => ask(tryModel) })
  return (
    <section aria-labelledby="language-model" className="min-w-0">
      <h2
        id="language-model"
        className="border-b border-line pb-3 font-display text-h3 font-semibold"
      >
        Language model
      </h2>
      {model === null ? (
        <NoModel isAtWorkers={engines.some(({ writing }) => writing === 'llm')} />
      ) : (
        <>
          <p className="max-w-[66ch] py-3 text-small wrap-anywhere">
            <strong className="font-semibold">{model.name}</strong> at {model.host}
            {model.isUsed ? ' writes summaries and documents.' : ' is set up, and not used.'} To try
            it, two sentences of ours are summarised. Nothing of a user is sent.
          </p>
          <Button size="small" pending={trial.isPending} onClick={() => trial.mutate()}>
            Try it
          </Button>
          <div role="status">
            {trial.isPending ? (
              <p className="mt-3 text-small text-ink-2">
                Waiting for its answer. Without a graphics card this may take a few minutes.
              </p>
            ) : trial.data ? (
              <Tried tried={trial.data} />
            ) : null}
          </div>
          <Failure error={trial.error} />
        </>
      )}
    </section>
  )
}

function NoModel({ isAtWorkers }: { isAtWorkers: boolean }) {
  return (
    <p className="max-w-[66ch] py-3 text-small">
      {isAtWorkers
        ? 'None is set up in this process, so none can be tried from here. Workers have one: set it here too.'
        : 'None is set up. Summaries are key sentences of the transcript in its own language, and documents are put together from its sentences.'}{' '}
      <code className="font-mono text-code whitespace-nowrap">npm run models -- writer</code> on the
      machine of the server prints how to set up one that suits it, with LLM_BASE_URL and LLM_MODEL.
    </p>
  )
}

function Tried({ tried: { isAccepted, said, answer, facts, hints } }: { tried: ModelTried }) {
  const Icon = isAccepted ? Check : CircleAlert
  return (
    <div className="mt-3 max-w-[66ch] text-small wrap-anywhere">
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
    </div>
  )
}

function MailTest({ server }: { server: string | null }) {
  const send = useMutation({ mutationFn: () => ask(sendTestMail) })
  return (
    <section aria-labelledby="mail">
      <h2 id="mail" className="border-b border-line pb-3 font-display text-h3 font-semibold">
        Mail
      </h2>
      <p className="py-3 text-small wrap-anywhere">
        {server === null
          ? 'Kept in the outbox of this machine: SMTP_URL is not set.'
          : `Goes through ${server}.`}
      </p>
      <Button size="small" pending={send.isPending} onClick={() => send.mutate()}>
        Send a test mail to your address
      </Button>
      <p
        role="status"
        className={`mt-3 text-small wrap-anywhere empty:hidden ${send.data?.isSent === false ? 'text-danger' : 'text-ink'}`}
      >
        {send.isPending ? '' : send.data?.said}
      </p>
      <Failure error={send.error} />
    </section>
  )
}

function Settings({ settings }: { settings: ServerFacts['settings'] }) {
  return (
    <section aria-labelledby="settings" className="mt-10">
      <h2 id="settings" className="font-display text-h3 font-semibold">
        Settings
      </h2>
      <p className="mt-2 border-b border-line pb-3 text-small text-ink-2">
        As this process was started. They are changed in its environment or in .env, and read at the
        next start. Secrets are not shown.
      </p>
      <dl>
        {settings.map(({ name, about, isSet, value }) => (
          <div
            key={name}
            className="grid grid-cols-1 gap-x-6 border-b border-rule py-3 text-small lg:grid-cols-[16rem_minmax(0,1fr)_minmax(0,1.4fr)]"
          >
            <dt className="font-mono text-code">{name}</dt>
            <dd className={`wrap-anywhere ${isSet ? 'font-semibold' : 'text-ink-2'}`}>
              {value ?? 'Set'}
            </dd>
            <dd className="text-ink-2 max-lg:mt-1">{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
