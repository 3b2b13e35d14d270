/** What this server works with and how it is set up, for its operators; and a mail to try the mail server. */
import { getSystemErrorName } from 'node:util'

import { catalogue, recommended, thisMachine } from '#features/models/catalogue.ts'
import { installed, isRecogniser, placesOf } from '#features/models/models.ts'
import type { EngineNames } from '#features/recordings/engines.ts'
import { enginesNow } from '#features/recordings/workers.ts'
import type { ShownSetting } from '#server/config.ts'
import type { Queryable } from '#server/db.ts'
import type { Mailer } from '#server/mail.ts'
import { BRAND } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'

import type { MailTried, ServerFacts } from './contract.ts'

export interface ServerDeps {
  db: Queryable
  engines: EngineNames
  settings: readonly ShownSetting[]
  dataDir: string
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
    ...(all.some(({ writing }) => writing === 'extractive')
      ? [
          'Summaries are put together from sentences of the transcript. A language model writes better ones: LLM_BASE_URL and LLM_MODEL.',
        ]
      : []),
  ]
}

/** Sends a mail to an operator, now and not through the queue, and says what came of it. */
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

/** In plain words, and what the mail server said itself, which is the operator's own to read. */
function whyNot(error: unknown, host: string): string {
  const { code, errno, response } = error as { code?: string; errno?: unknown; response?: string }
  // The mailer has one code for all that sockets fail with.
  const inner = typeof errno === 'number' ? getSystemErrorName(errno) : undefined
  const why = reasons[inner ?? ''] ?? reasons[code ?? ''] ?? 'it could not be sent.'
  const itsWords = response ? ` It said: ${response.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}` : ''
  return `${host}: ${why}${itsWords}`
}
