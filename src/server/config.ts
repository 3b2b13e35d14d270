/**
 * Every setting of the server, parsed once from the environment. All settings are optional: with none,
 * everything works on one machine. All faults are reported together, so that nobody mends one setting
 * after the other. `.env.example` is printed from the same table.
 */
import { isIP, isIPv4 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'

import { BRAND, PER_HOUR } from '#shared/business.ts'

import { IN_DATABASE } from './secret-key.ts'

/**
 * The form of a setting's text and its value; `must` is said of a text without that form: `PORT must be
 * …`.
 */
interface Kind<Value> {
  type: z.ZodType<Value, string>
  must: string
}

interface Words {
  about: string
  /** The behaviour without it, where no value stands for that. */
  unset?: string
  /** A value for `.env.example` where the default would teach nothing. */
  example?: string
}

/** The words about each setting, beside its type. */
const said = z.registry<Words & { must: string; default?: string }>()

/** Is null when nobody sets it. */
function optional<Value>({ type, must }: Kind<Value>, words: Words) {
  const setting = type.nullable().default(null)
  said.add(setting, { must, ...words })
  return setting
}

/** Has this value when nobody sets it. */
function preset<Value>(value: string, { type, must }: Kind<Value>, words: Words) {
  const setting = type.prefault(value)
  said.add(setting, { must, default: value, ...words })
  return setting
}

const either = new Intl.ListFormat('en-GB', { type: 'disjunction' })
/** Every check that is added to it gets an address. */
const address = (protocol: RegExp) => z.url({ protocol }).transform((url) => url)

const text = { type: z.string(), must: 'must be a text' }
const http = {
  type: address(/^https?$/),
  must: 'must be an address that begins with http:// or https://',
}
const postgres = {
  type: address(/^postgres(ql)?$/),
  must: 'must be an address that begins with postgres://',
}
const oneOf = <const Word extends string>(...words: Word[]) => ({
  type: z.enum(words),
  must: `must be ${either.format(words)}`,
})
const flag = {
  type: z.stringbool(),
  must: 'must be 1 or 0',
}
const whole = (from: number, to: number) => ({
  type: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to)),
  must: `must be a whole number from ${from} to ${to}`,
})
const list = {
  type: z.string().transform((value) => value.split(',').flatMap((part) => part.trim() || [])),
  must: 'must be a list separated by commas',
}
const bucket = z.url({ protocol: /^s3$/ }).transform((url, issues) => {
  const { hostname, username, password, searchParams, pathname } = new URL(url)
  const { endpoint = null, region = 'us-east-1', ...others } = Object.fromEntries(searchParams)
  const isAddress = endpoint === null || http.type.safeParse(endpoint).success
  const isWhole = !username === !password && pathname.length <= 1
  const [accessKeyId, secretAccessKey] = [decoded(username), decoded(password)]
  const isBucket = isAddress && isWhole && Object.keys(others).length === 0
  if (!isBucket || accessKeyId === null || secretAccessKey === null) {
    issues.addIssue('not a bucket')
    return z.NEVER
  }
  return {
    name: hostname,
    endpoint,
    region,
    credentials: accessKeyId ? { accessKeyId, secretAccessKey } : null,
  }
})
/** Null for a key that somebody put in as it is, with a % of its own. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
const proxies = list.type.refine((parts) => parts.length > 0 && parts.every(isProxy))

const addresses = {
  PUBLIC_URL: optional(
    {
      type: http.type.refine((url) => {
        const { pathname, search, hash, username } = new URL(url)
        return pathname === '/' && !search && !hash && !username
      }),
      must: 'must be an origin such as https://quoth.example, without a path',
    },
    {
      about: 'The only origin that links, redirects and cookies are built from.',
      unset: 'http://localhost:PORT',
      example: 'https://quoth.example',
    },
  ),
  PORT: preset('3000', whole(0, 65_535), { about: 'Port the server listens on.' }),
  HOST: preset('127.0.0.1', text, { about: 'Address the server listens on; 0.0.0.0 for all.' }),
  TRUST_PROXY: optional(
    {
      type: proxies,
      must: 'must be the address of the proxy, such as 127.0.0.1, 10.0.0.0/8 or loopback; several are separated by commas',
    },
    {
      about: 'Address of the proxy in front of the server, or all its users share one address.',
      unset: 'nobody is trusted to say who a visitor is',
      example: 'loopback',
    },
  ),
  ALLOW_HTTP: preset('0', flag, {
    about: 'Allow plain http beyond localhost. Passwords then travel readable; a banner says so.',
  }),
  WEBHOOK_ALLOW: optional(list, {
    about:
      'Internal addresses that webhooks may reach, and ports that are closed to them elsewhere.',
    unset: 'webhooks reach public addresses only',
    example: '10.0.0.5,192.168.7.0/24,hooks.lan:81',
  }),
}

const processes = {
  ROLE: preset('all', oneOf('all', 'web', 'worker'), {
    about: 'What this process does. web and worker need DATABASE_URL.',
  }),
  WORKERS: optional(whole(1, 256), {
    about:
      'Recordings worked on at once by one process, and as many longer than 20 minutes beside them.',
    unset: 'one per two processor cores',
    example: '1',
  }),
  DRAIN_SECONDS: preset('0', whole(0, 86_400), {
    about:
      'How long jobs that are running may go on when the process is asked to stop (SIGTERM), while it takes no others. What has not ended by then is given back with its finished stages, and another worker goes on from there. Whoever stops the process must wait ten seconds longer. Asked twice, it ends at once.',
  }),
  LOG_LEVEL: preset('info', oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace'), {
    about: 'What is written to the log; debug adds a line for each request that went well.',
  }),
  OPS_PORT: optional(whole(1, 65_535), {
    about:
      'A second port on HOST for whoever watches over the process, a worker too: /livez, /readyz, /healthz, /metrics. A probe from another machine or from outside a container needs a HOST that it can reach. Not for the internet.',
    unset: 'there is none; /livez, /readyz and /healthz answer on PORT, and a worker has no door',
    example: '9090',
  }),
  METRICS_TOKEN: optional(
    { type: z.string().regex(/^\S{16,}$/), must: 'must have at least 16 characters and no space' },
    {
      about:
        'Whoever sends it as a bearer token gets /metrics for Prometheus, on PORT too; and on OPS_PORT nobody gets it without.',
      unset: '/metrics answers on OPS_PORT alone, to everybody who reaches that',
      example: 'the output of: openssl rand -hex 24',
    },
  ),
}

const storage = {
  DATA_DIR: preset('./data', text, {
    about:
      'Everything that is kept: database, recordings, models, outbox, secrets. Closed to other users of the machine at every start (mode 0700).',
  }),
  STORAGE_URL: optional(
    {
      type: bucket,
      must: 'must look like s3://KEY:SECRET@bucket?endpoint=…&region=…, both keys percent-encoded or neither there',
    },
    {
      about:
        'A bucket of any server that speaks S3, where recordings are kept instead of on the disk; with it machines share nothing but this and the database. Keys: s3://KEY:SECRET@bucket?…, percent-encoded, or the way Amazon finds them (AWS_ACCESS_KEY_ID, the role of the machine). Without endpoint: Amazon. region is us-east-1 unless told.',
      unset: 'DATA_DIR/files',
      example: 's3://bucket?endpoint=https://s3.example&region=eu-1',
    },
  ),
  SECRET_KEY: optional(
    {
      type: z.string().regex(new RegExp(`^(${IN_DATABASE}|\\S{32,})$`)),
      must: `must have at least 32 characters and no space, or be ${IN_DATABASE}`,
    },
    {
      about:
        'What the addresses of shared links are made from, and what signs the addresses of their recordings. Set it, to the same for every process, to keep it out of the database and its back-ups: those have a fingerprint of it, by which a process without it refuses to start. After a change links go on opening, but their owners are not told their addresses any more. To go back to the key in the database: SECRET_KEY=database.',
      unset: 'a random one, kept in the database',
      example: 'the output of: openssl rand -hex 32',
    },
  ),
}

const database = {
  DATABASE_URL: optional(postgres, {
    about: 'An existing PostgreSQL, version 15 or later.',
    unset: 'the server runs its own PostgreSQL in DATA_DIR/postgres',
    example: 'postgres://quoth:password@localhost:5432/quoth',
  }),
  DATABASE_DIRECT_URL: optional(postgres, {
    about:
      'The same PostgreSQL past its pooler (such as PgBouncer in transaction mode), for migrations. Where it is set, workers look for new jobs, because a pooler hands on no notifications.',
    unset: 'DATABASE_URL',
    example: 'postgres://quoth:password@localhost:5432/quoth',
  }),
  DATABASE_POOL: preset('12', whole(2, 1_000), {
    about:
      'Connections of one process to the database at most, for requests and jobs. Beside them it has up to DATABASE_QUEUE_POOL for the queue, one that listens, and a web process two for each of its threads.',
  }),
  DATABASE_QUEUE_POOL: preset('4', whole(1, 100), {
    about: 'Connections of one process to the database at most, for claiming and reporting jobs.',
  }),
}

const mail = {
  SMTP_URL: optional(
    {
      type: address(/^smtps?$/).refine((url) => {
        const { protocol, searchParams } = new URL(url)
        const tls = searchParams.get('tls')
        return tls === null || (tls === 'off' && protocol === 'smtp:')
      }),
      must: 'must be an address that begins with smtp:// or smtps://; after smtp:// it may end with ?tls=off',
    },
    {
      about:
        'The server that sends mail. Over smtp:// it must offer TLS (STARTTLS) unless it is on this machine; ?tls=off sends mails and password readable.',
      unset:
        'mails are written to DATA_DIR/outbox, readable at /dev/mail on a local PUBLIC_URL, not through a proxy',
      example: 'smtps://user:password@mail.example:465',
    },
  ),
  MAIL_FROM: optional(
    {
      type: z.string().regex(/^([^<>\r\n]+ )?<?[^\s<>@]+@[^\s<>@]+>?$/),
      must: `must be an address such as ${BRAND} <quoth@example.com>`,
    },
    {
      about: 'Sender of every mail.',
      unset: `${BRAND} <no-reply@the host of PUBLIC_URL>`,
      example: `${BRAND} <no-reply@quoth.example>`,
    },
  ),
  SUPPORT_EMAIL: optional(
    { type: z.email(), must: 'must be an e-mail address' },
    {
      about:
        'Receives the messages of the contact form, which are stored as well, and the answers to our mails.',
      unset: 'contact messages are only stored',
      example: 'support@quoth.example',
    },
  ),
}

const speech = {
  TRANSCRIBER: preset('auto', oneOf('auto', 'openai', 'sherpa', 'pocketsphinx'), {
    about: 'The speech engine; auto is the best of them that is there.',
  }),
  OPENAI_API_KEY: optional(text, {
    about: 'For an OpenAI-compatible transcription server; a key or a base URL is enough.',
    unset: 'no key is sent',
    example: 'sk-…',
  }),
  OPENAI_BASE_URL: optional(http, {
    about: 'Address of an OpenAI-compatible transcription server.',
    unset: "OpenAI's own, when there is a key",
    example: 'http://localhost:8000/v1',
  }),
  TRANSCRIBE_MODEL: preset('whisper-1', text, {
    about: 'The model asked of the transcription server.',
  }),
  MODELS: preset('auto', oneOf('auto', 'off'), {
    about:
      'Whether a server that would use a local model and has none fetches the one that suits its machine, in the background. off: never. A setting that names another engine is as good as off.',
  }),
  MODELS_URL: optional(http, {
    about: 'Where local speech models are downloaded from.',
    unset: "the publisher's",
    example: 'https://models.example',
  }),
}

const summaries = {
  SUMMARIZER: preset('auto', oneOf('auto', 'llm', 'extractive'), {
    about: 'Who writes summaries; auto takes the language model when one is set.',
  }),
  LLM_BASE_URL: optional(http, {
    about: 'Address of an OpenAI-compatible chat server.',
    unset: 'OPENAI_BASE_URL',
    example: 'http://localhost:11434/v1',
  }),
  LLM_API_KEY: optional(text, {
    about: 'Key for the chat server.',
    unset: 'OPENAI_API_KEY',
    example: 'sk-…',
  }),
  LLM_MODEL: optional(text, {
    about: 'The model asked of the chat server.',
    unset: "gpt-4o-mini at OpenAI's own address; elsewhere it must be named",
    example: 'llama3.1',
  }),
  LLM_CONTEXT_TOKENS: preset('8192', whole(2_000, 10_000_000), {
    about:
      'How much the chat server reads and writes at once; longer transcripts are read in parts. Ollama cuts off what is more than its own limit and does not say so: npm run models -- writer prints how to set that.',
  }),
  LLM_TIMEOUT_SECONDS: preset('120', whole(1, 3_600), {
    about:
      'The longest one answer of the chat server may take; then the summary or document is made without it. All answers about one transcript together may take five times as long, and ten minutes at least.',
  }),
  LLM_PATIENCE_SECONDS: preset('60', whole(0, 3_600), {
    about:
      'How long a transcription waits for its summary. Then it is complete with sentences of the transcript, and the summary takes their place when the chat server has answered.',
  }),
  RENDER_MINUTES_PER_DAY: preset('120', whole(1, 100_000), {
    about:
      'Minutes of sound and film that one account may have made of its recordings without their cuts, within 24 hours. It costs no credits, and the time of a worker.',
  }),
  ASK_PER_DAY: preset('40', whole(1, 100_000), {
    about:
      'Questions about recordings that the chat server answers for one account in a day (UTC). Further ones are answered with passages that a search finds, which have no limit.',
  }),
}

const signingIn = {
  SIGN_UP: preset('open', oneOf('open', 'invited', 'closed'), {
    about:
      'Who may make an account, with a password or with Google: anybody, whom an operator has invited (/admin or npm run admin), or nobody. Whoever has one signs in as before.',
  }),
  ADMIN_EMAILS: optional(
    {
      type: list.type.refine((parts) => parts.every((part) => z.email().safeParse(part).success)),
      must: 'must be one or several e-mail addresses, separated by commas',
    },
    {
      about:
        'Who runs this server: accounts with one of these addresses, once it is confirmed, have the page /admin. They see addresses, balances, jobs and letters, and no word of a recording.',
      unset: 'nobody has it; npm run admin does the same on this machine',
      example: 'you@quoth.example',
    },
  ),
  OIDC_ISSUER: optional(http, {
    about:
      'An issuer of OpenID Connect beside Google, such as a Keycloak realm, for single sign-on; needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. Its callback is PUBLIC_URL/api/auth/oidc/callback, and it must say of an address that it is verified (email_verified).',
    unset: 'there is no single sign-on but Google',
    example: 'https://id.example/realms/staff',
  }),
  OIDC_CLIENT_ID: optional(text, {
    about: 'Client that the issuer knows this server as.',
    unset: 'there is no single sign-on but Google',
    example: 'quoth',
  }),
  OIDC_CLIENT_SECRET: optional(text, {
    about: 'Secret of that client, sent as HTTP Basic (client_secret_basic).',
    unset: 'there is no single sign-on but Google',
    example: '…',
  }),
  OIDC_NAME: preset('Single sign-on', text, {
    about: 'What the issuer is called: the button says "Continue with" it.',
  }),
}

const google = {
  GOOGLE_CLIENT_ID: optional(text, {
    about: 'OAuth client for sign-in and document export; needs GOOGLE_CLIENT_SECRET.',
    unset: 'Google sign-in and Google Docs are not set up',
    example: '….apps.googleusercontent.com',
  }),
  GOOGLE_CLIENT_SECRET: optional(text, {
    about: 'Secret of the OAuth client.',
    unset: 'Google sign-in and Google Docs are not set up',
    example: 'GOCSPX-…',
  }),
  GOOGLE_ISSUER: preset('https://accounts.google.com', http, {
    about: 'Who signs the identity; the addresses exist so that another issuer can stand in.',
  }),
  GOOGLE_AUTH_URL: preset('https://accounts.google.com/o/oauth2/v2/auth', http, {
    about: 'Where the browser is sent to sign in.',
  }),
  GOOGLE_TOKEN_URL: preset('https://oauth2.googleapis.com/token', http, {
    about: 'Where a code is exchanged for tokens.',
  }),
  GOOGLE_JWKS_URL: preset('https://www.googleapis.com/oauth2/v3/certs', http, {
    about: "The issuer's public keys.",
  }),
  GOOGLE_DOCS_URL: preset('https://docs.googleapis.com', http, {
    about: 'Where documents are written to.',
  }),
  GOOGLE_DRIVE_URL: preset('https://www.googleapis.com', http, {
    about: 'Where a document that could not be written to the end is removed.',
  }),
}

const payments = {
  PAYMENTS: optional(oneOf('stripe', 'test', 'off'), {
    about: 'test is a built-in checkout page, plainly marked as a test, that moves no money.',
    unset: 'stripe with a key; else test on a local PUBLIC_URL; else off',
    example: 'off',
  }),
  STRIPE_SECRET_KEY: optional(text, {
    about: 'Payments through Stripe.',
    unset: 'no payments through Stripe',
    example: 'sk_live_…',
  }),
  STRIPE_WEBHOOK_SECRET: optional(
    {
      type: list.type.refine((secrets) => secrets.every((secret) => !/\s/.test(secret))),
      must: 'must be the signing secret of the webhook, or two separated by a comma while it is replaced',
    },
    {
      about: "Proves that an event at /api/stripe/webhook is Stripe's.",
      unset:
        "Stripe's events are refused; payments are found when the buyer returns, and every ten minutes",
      example: 'whsec_…',
    },
  ),
  STRIPE_API_URL: preset('https://api.stripe.com', http, {
    about: "Stripe's address, or a stand-in.",
  }),
  SELLER_NAME: optional(text, {
    about: 'Who sells on this server, as receipts name them.',
    unset: 'the name of the product',
    example: 'Raven Audio Ltd',
  }),
  SELLER_ADDRESS: optional(text, {
    about: 'Their address on receipts, its lines separated by semicolons.',
    unset: 'the address of this server',
    example: '12 Castle Street; Edinburgh EH2 3AT; United Kingdom',
  }),
  SELLER_TAX_ID: optional(text, {
    about: 'Their tax number on receipts.',
    unset: 'none is printed',
    example: 'GB123456789',
  }),
}

const limits = {
  SIGN_UPS_PER_HOUR: preset(String(PER_HOUR.signUps), whole(1, 1_000_000), {
    about: 'Sign-ups in an hour from one network address.',
  }),
  MAILS_PER_HOUR: preset(String(PER_HOUR.mails), whole(1, 1_000_000), {
    about:
      'Mails asked for (links to confirm an address or to reset a password) in an hour from one network address.',
  }),
  MESSAGES_PER_HOUR: preset(String(PER_HOUR.messages), whole(1, 1_000_000), {
    about: 'Messages of the contact form in an hour from one network address.',
  }),
  BAD_TOKENS_PER_HOUR: preset(String(PER_HOUR.badTokens), whole(1, 1_000_000), {
    about: 'Calls with a token or key that opens nothing in an hour from one network address.',
  }),
  TRIPS_PER_HOUR: preset(String(PER_HOUR.trips), whole(1, 1_000_000), {
    about: 'Sign-ins that leave for Google or single sign-on in an hour from one network address.',
  }),
}

/**
 * The groups of the settings, in the order of `/admin/server` and of `.env.example`. A setting is in a
 * group, or it is none: only these are read.
 */
const groups = {
  Addresses: addresses,
  Processes: processes,
  Storage: storage,
  Database: database,
  Mail: mail,
  Speech: speech,
  Summaries: summaries,
  'Signing in': signingIn,
  Google: google,
  Payments: payments,
  Limits: limits,
}
const Settings = z.object({
  ...addresses,
  ...processes,
  ...storage,
  ...database,
  ...mail,
  ...speech,
  ...summaries,
  ...signingIn,
  ...google,
  ...payments,
  ...limits,
})

type Settings = z.output<typeof Settings>
type Name = keyof Settings
export type Group = keyof typeof groups
const groupNames = Object.keys(groups) as Group[]
const names = Object.keys(Settings.shape)

/** The names that Fastify has for networks which are not of the internet. */
const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal'])

/** Whether Fastify understands a part of TRUST_PROXY: an address, a network, or a name for some. */
function isProxy(part: string): boolean {
  if (networkNames.has(part) || isIP(part) !== 0) return true
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(part) ?? []
  const most = isIPv4(address) ? 32 : 128
  return isIP(address) !== 0 && Number(bits) >= 1 && Number(bits) <= most
}

export type Config = ReturnType<typeof readConfig>
export type Environment = Readonly<Record<string, string | undefined>>

export interface ShownSetting {
  name: string
  group: Group
  /** Its meaning, and the behaviour where it is not set. */
  about: string
  isSet: boolean
  /** "30", "auto, so llm", "Not set"; null: a secret. */
  value: string | null
}

/** Valid settings that would surprise an operator, as a sentence. */
export interface Notice {
  group: Group
  text: string
}

const secret = /KEY|SECRET|TOKEN|^(DATABASE(_DIRECT)?|STORAGE|SMTP)_URL$/

/** Every setting for an operator to read, without its secrets. */
function shown(
  given: Environment,
  /** What the server goes by where a setting leaves the choice to it. */
  chosen: Partial<Record<Name, string>>,
): ShownSetting[] {
  const all = groupNames.flatMap((group) =>
    Object.entries<z.ZodType>(groups[group]).map(([name, type]) => ({ group, name, type })),
  )
  return all.map(({ group, name, type }) => {
    const { about = '', unset, default: preset } = said.get(type) ?? {}
    const text = given[name] ?? preset
    const so = chosen[name as Name]
    const isSet = given[name] !== undefined && given[name] !== preset
    const isSecret = isSet && secret.test(name)
    const isOpen = text !== undefined && so !== undefined && so !== text
    const value = isOpen ? `${text}, so ${so}` : (text ?? so ?? 'Not set')
    return {
      name,
      group,
      about: text === undefined && unset ? `${about} Unset: ${unset}.` : about,
      isSet,
      // An address may hold a password wherever it stands.
      value: isSecret ? null : value.replaceAll(/(:\/\/)[^/@\s]*@/g, '$1…@'),
    }
  })
}

/** Lists everything that is wrong with the settings, one line each. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      [
        problems.length === 1 ? 'One setting is wrong:' : `${problems.length} settings are wrong:`,
        ...problems.map((problem) => `  ${problem}`),
      ].join('\n'),
    )
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws ConfigError naming every problem */
export function readConfig(env: Environment) {
  // An empty setting counts as unset: a copied .env.example leaves such settings behind.
  const given = Object.fromEntries(names.map((name) => [name, env[name]?.trim() || undefined]))
  const issues = Settings.safeParse(given).error?.issues ?? []
  const wrong = new Set(issues.map(({ path: [name] }) => name as Name))
  const set = Settings.parse({ ...given, ...Object.fromEntries([...wrong].map((name) => [name])) })
  const isUnset = (name: Name) => given[name] === undefined

  const publicUrl = new URL(set.PUBLIC_URL ?? `http://localhost:${set.PORT}`)
  const isLocal = localHosts.has(publicUrl.hostname)
  const payments = set.PAYMENTS ?? (set.STRIPE_SECRET_KEY ? 'stripe' : isLocal ? 'test' : 'off')
  const llm = languageModel(set)
  const conflicts: [boolean, string][] = [
    [
      set.PORT === 0 && isUnset('PUBLIC_URL'),
      'PORT 0 lets the system choose, so PUBLIC_URL must be set.',
    ],
    [set.OPS_PORT === set.PORT, 'OPS_PORT must be another port than PORT.'],
    [
      publicUrl.protocol === 'http:' && !isLocal && !set.ALLOW_HTTP,
      'PUBLIC_URL must begin with https:// beyond localhost, because passwords would travel readable. ALLOW_HTTP=1 allows it all the same.',
    ],
    [
      set.ROLE !== 'all' && isUnset('DATABASE_URL'),
      `ROLE=${set.ROLE} needs DATABASE_URL: web and worker processes share one PostgreSQL, and the one in DATA_DIR belongs to a single process.`,
    ],
    [
      set.DATABASE_DIRECT_URL !== null && isUnset('DATABASE_URL'),
      'DATABASE_DIRECT_URL needs DATABASE_URL: it is the same database past a pooler.',
    ],
    [
      set.TRANSCRIBER === 'openai' && !set.OPENAI_API_KEY && !set.OPENAI_BASE_URL,
      'TRANSCRIBER=openai needs OPENAI_API_KEY or OPENAI_BASE_URL.',
    ],
    [
      set.LLM_BASE_URL !== null && llm === null,
      'LLM_MODEL must name the model to use at LLM_BASE_URL.',
    ],
    [
      set.LLM_BASE_URL === null && set.SUMMARIZER === 'llm' && llm === null,
      'SUMMARIZER=llm needs a language model: set LLM_BASE_URL and LLM_MODEL, or a key.',
    ],
    [
      !set.GOOGLE_CLIENT_ID !== !set.GOOGLE_CLIENT_SECRET,
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.',
    ],
    [
      new Set([!set.OIDC_ISSUER, !set.OIDC_CLIENT_ID, !set.OIDC_CLIENT_SECRET]).size > 1,
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together: set all or none.',
    ],
    [payments === 'stripe' && !set.STRIPE_SECRET_KEY, 'PAYMENTS=stripe needs STRIPE_SECRET_KEY.'],
    [
      payments === 'test' && !isLocal,
      'PAYMENTS=test is for a local PUBLIC_URL only: there, anybody would get credits without paying.',
    ],
  ]
  const problems = [
    // Values are never repeated in a problem, because some of them are secrets.
    ...[...wrong].map((name) => `${name} ${said.get(Settings.shape[name])?.must ?? 'is wrong'}.`),
    ...conflicts.flatMap(([isSo, sentence]) => (isSo ? sentence : [])),
  ]
  if (problems.length > 0) throw new ConfigError(problems)

  const mailHost = publicUrl.hostname.includes('.') ? publicUrl.hostname : 'localhost.localdomain'
  const from = set.MAIL_FROM ?? `${BRAND} <no-reply@${mailHost}>`
  const workers = set.WORKERS ?? Math.max(1, Math.floor(availableParallelism() / 2))
  return {
    shown: shown(given, {
      PUBLIC_URL: publicUrl.origin,
      WORKERS: String(workers),
      MAIL_FROM: from,
      PAYMENTS: payments,
      ...(set.SUMMARIZER === 'auto' ? { SUMMARIZER: llm ? 'llm' : 'extractive' } : {}),
      ...(llm && { LLM_BASE_URL: llm.baseUrl, LLM_MODEL: llm.model }),
    }),
    role: set.ROLE,
    web: {
      port: set.PORT,
      host: set.HOST,
      publicUrl,
      isLocal,
      trustProxy: set.TRUST_PROXY,
    },
    /** For probes; null: there is no such port. */
    opsPort: set.OPS_PORT,
    metricsToken: set.METRICS_TOKEN,
    logLevel: set.LOG_LEVEL,
    dataDir: resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    databaseDirectUrl: set.DATABASE_DIRECT_URL,
    /** How many connections at most. */
    pools: { database: set.DATABASE_POOL, queue: set.DATABASE_QUEUE_POOL },
    drainMs: set.DRAIN_SECONDS * 1000,
    /** Null: recordings lie in `dataDir`. */
    bucket: set.STORAGE_URL,
    workers,
    speech: {
      transcriber: set.TRANSCRIBER,
      /** There when it has a key or a base URL; a null base URL means OpenAI's own. */
      openai: {
        apiKey: set.OPENAI_API_KEY,
        baseUrl: set.OPENAI_BASE_URL,
        model: set.TRANSCRIBE_MODEL,
      },
      fetchesModel: set.MODELS === 'auto',
      modelsUrl: set.MODELS_URL,
    },
    writing: { summarizer: set.SUMMARIZER, llm },
    asksPerDay: set.ASK_PER_DAY,
    renderMinutesPerDay: set.RENDER_MINUTES_PER_DAY,
    mail: {
      /** Null: mails go to `dataDir/outbox`. */
      smtpUrl: set.SMTP_URL,
      from,
      supportEmail: set.SUPPORT_EMAIL,
    },
    google:
      set.GOOGLE_CLIENT_ID === null || set.GOOGLE_CLIENT_SECRET === null
        ? null
        : {
            clientId: set.GOOGLE_CLIENT_ID,
            clientSecret: set.GOOGLE_CLIENT_SECRET,
            issuer: set.GOOGLE_ISSUER,
            authUrl: set.GOOGLE_AUTH_URL,
            tokenUrl: set.GOOGLE_TOKEN_URL,
            jwksUrl: set.GOOGLE_JWKS_URL,
            docsUrl: set.GOOGLE_DOCS_URL,
            driveUrl: set.GOOGLE_DRIVE_URL,
          },
    /** Single sign-on by an issuer of the operator's; null: there is none. */
    oidc:
      set.OIDC_ISSUER === null || set.OIDC_CLIENT_ID === null || set.OIDC_CLIENT_SECRET === null
        ? null
        : {
            issuer: set.OIDC_ISSUER,
            clientId: set.OIDC_CLIENT_ID,
            clientSecret: set.OIDC_CLIENT_SECRET,
            name: set.OIDC_NAME,
          },
    payments: {
      mode: payments,
      seller: {
        name: set.SELLER_NAME,
        address: (set.SELLER_ADDRESS ?? '')
          .split(';')
          .map((line) => line.trim())
          .filter((line) => line !== ''),
        taxId: set.SELLER_TAX_ID,
      },
      stripe:
        set.STRIPE_SECRET_KEY === null
          ? null
          : {
              secretKey: set.STRIPE_SECRET_KEY,
              webhookSecrets: set.STRIPE_WEBHOOK_SECRET ?? [],
              apiUrl: set.STRIPE_API_URL,
            },
    },
    /** How often one network address may do a thing in an hour. */
    perHour: {
      signUps: set.SIGN_UPS_PER_HOUR,
      mails: set.MAILS_PER_HOUR,
      messages: set.MESSAGES_PER_HOUR,
      badTokens: set.BAD_TOKENS_PER_HOUR,
      trips: set.TRIPS_PER_HOUR,
    },
    webhookAllow: set.WEBHOOK_ALLOW ?? [],
    /** Null: the one in the database, see secret-key.ts. */
    secretKey: set.SECRET_KEY,
    adminEmails: set.ADMIN_EMAILS ?? [],
    /** Who may make an account. */
    signUp: set.SIGN_UP,
    notices: [
      ...misspelt(env),
      ...(isLocal || set.TRUST_PROXY ? [] : [SHARED_ADDRESS]),
      ...(isLocal || set.SMTP_URL ? [] : [MAILS_GO_NOWHERE]),
    ],
  }
}

/** The chat server that the settings name; where they name none of its own, that of the speech. */
function languageModel(set: Settings) {
  const baseUrl = set.LLM_BASE_URL ?? set.OPENAI_BASE_URL
  const apiKey = set.LLM_API_KEY ?? set.OPENAI_API_KEY
  // A transcription server elsewhere need not offer any chat model, so there it must be named.
  const model = set.LLM_MODEL ?? (baseUrl === null ? 'gpt-4o-mini' : null)
  if ((baseUrl === null && apiKey === null) || model === null) return null
  return {
    baseUrl: baseUrl ?? 'https://api.openai.com/v1',
    apiKey,
    model,
    contextTokens: set.LLM_CONTEXT_TOKENS,
    timeoutMs: set.LLM_TIMEOUT_SECONDS * 1000,
    patienceMs: set.LLM_PATIENCE_SECONDS * 1000,
  }
}

const SHARED_ADDRESS: Notice = {
  group: 'Addresses',
  text: 'TRUST_PROXY is not set. Behind a proxy all visitors then share its address, and with it the few sign-ups an hour that one address may make (SIGN_UPS_PER_HOUR).',
}

const MAILS_GO_NOWHERE: Notice = {
  group: 'Mail',
  text: 'SMTP_URL is not set, so mails go nowhere: they stay as files in DATA_DIR/outbox of the process that wrote them. Nobody can confirm an address, and so nobody new can sign in.',
}

/**
 * Names variables that are nearly settings, such as slips of the pen. The environment holds many names
 * that are not ours, so only those within a slip or two of a setting are worth a word.
 */
function misspelt(env: Environment): Notice[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value?.trim() || name in Settings.shape) return []
    const meant = closest(name.toUpperCase(), names)
    const slips = distance(name.toUpperCase(), meant)
    const isNear = slips <= (meant.length < 6 ? 1 : 2) || sorted(name) === sorted(meant)
    const text = `${name} is not a setting. Did you mean ${meant}?`
    return groupNames.flatMap((group) => (isNear && meant in groups[group] ? { group, text } : []))
  })
}

/** The same letters in another order are one slip, however the distance counts them. */
const sorted = (name: string) => [...name.toUpperCase()].toSorted().join('')

/**
 * The text of `.env.example`: every setting with its meaning, all of them commented out. Without
 * the comment signs it would change nothing: a value is a default, or it stays beside the setting.
 */
export function envExample(): string {
  const blocks = Object.entries(groups).map(([group, settings]) =>
    [`# ${group}\n# ${'-'.repeat(group.length)}`, ...Object.entries(settings).map(blockOf)].join(
      '\n\n',
    ),
  )
  return [
    '# Every setting, each optional. Copy this file to .env, uncomment what you need and fill it in.',
    ...blocks.map((block) => `${block}\n`),
  ].join('\n\n')
}

function blockOf([name, type]: [string, z.ZodType]): string {
  const { about, unset, example, default: value } = said.get(type) ?? { about: '' }
  return [
    `# ${about}`,
    ...(unset === undefined ? [] : [`# Unset: ${unset}.`]),
    ...(example === undefined ? [] : [`# Example: ${example}`]),
    `#${name}=${value ?? ''}`,
  ].join('\n')
}
