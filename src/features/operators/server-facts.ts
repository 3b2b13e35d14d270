/**
 * The engines, models and settings of this server, for its operators; a mail to try the mail server,
 * and a question to try the language model.
 */
import { catalogue, recommended, thisMachine } from '#features/models/catalogue.ts'
import { installed, isRecogniser, placesOf } from '#features/models/models.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { enginesNow } from '#features/recordings/workers.ts'
import { factsIn, tryModel as ask } from '#features/writing/trial.ts'
import { counts } from '#features/transcriptions/by-operators.ts'
import type { Config, Notice, ShownSetting } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail.ts'
import { BRAND } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'

import type { MailTried, ModelTried, ServerFacts } from './contract.ts'
import { whyMailFails } from './mail-failures.ts'
import { type LookDeps, healthRows } from './overview.ts'

export interface ServerDeps extends LookDeps {
  settings: readonly ShownSetting[]
  notices: readonly Notice[]
  dataDir: string
  writing: Config['writing']
  mailer?: Pick<Mailer, 'send' | 'failure'> | undefined
}

export async function serverFacts(deps: ServerDeps): Promise<ServerFacts> {
  const now = await enginesNow(deps)
  const { models, broken } = await installed(placesOf(deps.dataDir))
  const all = now.workers ?? [now]
  const used = new Set(all.flatMap(({ speechModel, speakers }) => [speechModel, speakers]))
  const at = deps.clock()
  const health = await healthRows(deps, { counts: await counts(deps.db, at), now: at })
  const unusable = new Set(all.flatMap(({ brokenModels = [] }) => brokenModels))
  return {
    engines: all.map(({ speech, speechModel, wordsPerError, speakers, writing }) => ({
      speech: speechModel ?? speech,
      wordsPerError: wordsPerError ?? null,
      speakers: speakers ?? null,
      writing,
    })),
    models: [
      ...models.map(({ id, title, sizeBytes }) => ({
        id,
        title,
        sizeBytes,
        state: unusable.has(id) ? 'broken' : used.has(title) ? 'used' : 'installed',
      })),
      ...broken.map(({ folder }) => ({ id: folder, title: folder, sizeBytes: 0, state: 'broken' })),
    ] as ServerFacts['models'],
    better: betterThan(all, { now, titles: models.filter(isRecogniser).map(({ title }) => title) }),
    languageModel: modelOf(deps.writing),
    mailServer: deps.mail.smtpUrl === null ? null : new URL(deps.mail.smtpUrl).host,
    looks: [
      ...health
        .filter(({ state }) => state !== 'works')
        .map(({ group, state, measure, second, last, advice }) => ({
          group,
          isFailing: state === 'fails',
          what: `${last && second ? second : [measure, second].filter(Boolean).join(' · ')}.`,
          at: last?.at ?? null,
          why: last?.said ?? advice,
        })),
      ...deps.notices.map(({ group, text }) => {
        const [what = '', ...why] = text.split(/(?<=\.) /)
        return { group, isFailing: false, what, at: null, why: why.join(' ') }
      }),
    ],
    settings: [...deps.settings],
  }
}

function betterThan(
  all: readonly EngineNames[],
  { now, titles }: { now: EngineNames; titles: readonly string[] },
): string[] {
  const { fetching } = now
  const reasons = all.flatMap(({ notFetched }) => notFetched ?? [])
  const best = recommended(thisMachine(), catalogue)
  const isLocal = all.some(({ speech }) => speech === 'sherpa' || speech === 'pocketsphinx')
  const hasBest = best !== null && titles.includes(best.title)
  return [
    ...(fetching
      ? [
          fetching.percent === null
            ? `${fetching.model} is unpacked and tried.`
            : `${fetching.model} is being fetched: ${fetching.percent} %.`,
        ]
      : []),
    ...new Set(reasons.map((reason) => `There is no better recogniser yet: ${reason}`)),
    ...(isLocal && best && !hasBest && !fetching && reasons.length === 0
      ? [
          `${best.title} suits this machine and is not installed (${formatBytes(best.download.bytes ?? best.keptBytes)}). The server fetches it by itself unless MODELS is off; by hand: npm run models -- install ${best.id}`,
        ]
      : []),
  ]
}

function modelOf({ llm, summarizer }: Config['writing']): ServerFacts['languageModel'] {
  if (llm === null) return null
  const isUsed = summarizer !== 'extractive'
  return { host: new URL(llm.baseUrl).host, name: llm.model, isUsed }
}

/**
 * Has the language model of this process summarise two sentences of ours, and tells the outcome.
 */
export async function tryModel(
  { summarizer, llm }: Config['writing'],
  { signal, log }: { signal: AbortSignal; log: Log },
): Promise<ModelTried> {
  if (llm === null) {
    const said = 'This process has no language model.'
    return { isAccepted: false, said, answer: null, facts: '', hints: [] }
  }
  const trial = await ask(llm, { signal, log })
  const { why, answer, ms, context } = trial
  const figure = (tokens: number) => tokens.toLocaleString('en-US')
  const sent = figure(llm.contextTokens)
  const hints: [boolean, string][] = [
    [
      context !== null && context.tokens < llm.contextTokens,
      `${context?.server} reads ${figure(context?.tokens ?? 0)} tokens of this model at once, and LLM_CONTEXT_TOKENS says ${sent}. It may leave out the end of long transcripts and not say so. Give it more, or lower the setting; npm run models -- writer prints how.`,
    ],
    [
      context === null && answer !== null,
      `How much it reads at once cannot be seen from here. It must be the ${sent} tokens of LLM_CONTEXT_TOKENS at least.`,
    ],
    [
      why === null && ms > llm.patienceMs,
      'It took longer than a transcription waits (LLM_PATIENCE_SECONDS). Transcriptions are complete before it has answered, and its summaries come later.',
    ],
    [summarizer === 'extractive', 'It is set up, and not used: SUMMARIZER=extractive.'],
  ]
  return {
    isAccepted: why === null,
    said: why ?? 'It works: this answer would be shown.',
    answer,
    facts: factsIn(trial),
    hints: hints.flatMap(([isSo, sentence]) => (isSo ? sentence : [])),
  }
}

/** Sends a mail to an operator, now and not through the queue, and tells the outcome. */
export async function tryMail(
  { mailer, mail }: Pick<ServerDeps, 'mail'> & { mailer?: Pick<Mailer, 'send'> | undefined },
  to: string,
): Promise<MailTried> {
  if (!mailer) return { isSent: false, said: 'This process sends no mail.' }
  const host = mail.smtpUrl === null ? null : new URL(mail.smtpUrl).host
  const words = `This is the test mail that you asked ${BRAND} for. Mail works.`
  try {
    const sent = await mailer.send({
      to,
      subject: `A test mail of ${BRAND}`,
      text: `${words}\n`,
      html: `<p>${words}</p>`,
    })
    if (sent.kind === 'refused')
      return { isSent: false, said: `${host} refuses mail for ${to} for good (${sent.status}).` }
    return {
      isSent: true,
      said:
        host === null
          ? 'The test mail lies in the outbox of this machine, and was sent nowhere.'
          : `${host} has taken it for ${to}. If it does not arrive, look among spam.`,
    }
  } catch (error) {
    return { isSent: false, said: whyMailFails(error, mail) }
  }
}
