/**
 * The engines, models and settings of this server, for its operators; a mail to try the mail server,
 * and a question to try the language model.
 */
import { getSystemErrorName } from 'node:util'

import { catalogue, recommended, thisMachine } from '#features/models/catalogue.ts'
import { installed, isRecogniser, placesOf } from '#features/models/models.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { enginesNow } from '#features/recordings/workers.ts'
import { factsIn, tryModel as ask } from '#features/writing/trial.ts'
import type { Config, ShownSetting } from '#server/config.ts'
import type { Queryable } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import type { Mailer } from '#server/mail.ts'
import { BRAND } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'

import type { MailTried, ModelTried, ServerFacts } from './contract.ts'

export interface ServerDeps {
  db: Queryable
  engines: EngineNames
  settings: readonly ShownSetting[]
  dataDir: string
  writing: Config['writing']
  mail: { smtpUrl: string | null }
  mailer?: Pick<Mailer, 'send'> | undefined
}

export async function serverFacts(deps: ServerDeps): Promise<ServerFacts> {
  const now = await enginesNow(deps)
  const { models, broken } = await installed(placesOf(deps.dataDir))
  const all = now.workers ?? [now]
  const used = new Set(all.flatMap(({ speechModel, speakers }) => [speechModel, speakers]))
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
  { mailer, mail }: Pick<ServerDeps, 'mailer' | 'mail'>,
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
    return { isSent: false, said: whyNot(error, host ?? 'the outbox') }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Check host and port of SMTP_URL.',
  ENOTFOUND: 'there is no host of that name. Check SMTP_URL.',
  EDNS: 'there is no host of that name. Check SMTP_URL.',
  ETIMEDOUT: 'it does not answer. A firewall may be in between, or the port is another.',
  ECONNECTION: 'it could not be reached. Check host and port of SMTP_URL.',
  ESOCKET: 'the connection broke. smtps:// is for port 465, smtp:// for 587.',
  ETLS: 'it offers no TLS, and nothing is sent readable. smtps:// may be meant; ?tls=off allows it.',
  EAUTH: 'it does not take the user and password of SMTP_URL.',
  EENVELOPE: 'it does not take the sender or the recipient. Check MAIL_FROM.',
}
const LONGEST = 300

/** The fault in plain words, with the mail server's own words, which operators may read. */
function whyNot(error: unknown, host: string): string {
  const { code, errno, response } = error as { code?: string; errno?: unknown; response?: string }
  // The mailer has one code for all that sockets fail with.
  const inner = typeof errno === 'number' ? getSystemErrorName(errno) : undefined
  const why = reasons[inner ?? ''] ?? reasons[code ?? ''] ?? 'it could not be sent.'
  const itsWords = response ? ` It said: ${response.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}` : ''
  return `${host}: ${why}${itsWords}`
}
