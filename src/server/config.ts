/**
 * Every setting of the server, parsed once from the environment. All settings are optional: with
 * none, everything works on one machine. Whatever is wrong is reported together, so that nobody
 * mends one setting after the other. `.env.example` is printed from the same table.
 */
import { isIP, isIPv4 } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

import { z } from 'zod'

import { BRAND, PER_HOUR } from '#shared/business.ts'

interface Setting {
  /** What the text must look like and what it becomes. */
  type: z.ZodType<unknown, string>
  /** Said when it does not: `PORT must be …`. */
  must: string
  /** Taken as if it had been set. */
  default?: string
  /** What happens without it, where no value stands for that. */
  unset?: string
  /** A value for `.env.example` where the default would teach nothing. */
  example?: string
  about: string
}

const text = z.string()
const address = (protocols: RegExp) => z.url({ protocol: protocols }).transform((url) => url)
const http = address(/^https?$/)
const flag = z
  .enum(['1', 'true', 'yes', 'on', '0', 'false', 'no', 'off'])
  .transform((word) => ['1', 'true', 'yes', 'on'].includes(word))
const wholeNumber = ({ from, to }: { from: number; to: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.number().min(from).max(to))
const list = z.string().transform((value) => value.split(',').flatMap((part) => part.trim() || []))
const proxies = list.refine((parts) => parts.length > 0 && parts.every(isProxy))
const mustBeHttp = 'must be an address that begins with http:// or https://'

const settings = {
  PORT: {
    type: wholeNumber({ from: 0, to: 65_535 }),
    must: 'must be a port number from 0 to 65535',
    default: '3000',
    about: 'Port the server listens on.',
  },
  HOST: {
    type: text,
    must: 'must be an address of this machine',
    default: '127.0.0.1',
    about: 'Address the server listens on; 0.0.0.0 for all.',
  },
  OPS_PORT: {
    type: wholeNumber({ from: 1, to: 65_535 }),
    must: 'must be a port number from 1 to 65535',
    unset: 'there is none; /livez, /readyz and /healthz answer on PORT, and a worker has no door',
    example: '9090',
    about:
      'A second port on HOST for whoever watches over the process, a worker too: /livez, /readyz, /healthz. A probe from another machine or from outside a container needs a HOST that it can reach. Not for the internet.',
  },
  PUBLIC_URL: {
    type: http.refine((url) => {
      const { pathname, search, hash, username } = new URL(url)
      return pathname === '/' && !search && !hash && !username
    }),
    must: 'must be an origin such as https://quoth.example, without a path',
    unset: 'http://localhost:PORT',
    example: 'https://quoth.example',
    about: 'The only origin that links, redirects and cookies are built from.',
  },
  TRUST_PROXY: {
    type: proxies,
    must: 'must be the address of the proxy, such as 127.0.0.1, 10.0.0.0/8 or loopback; several are separated by commas',
    unset: 'nobody is trusted to say who a visitor is',
    example: 'loopback',
    about: 'Address of the proxy in front of the server, or all its users share one address.',
  },
  ALLOW_HTTP: {
    type: flag,
    must: 'must be 1 or 0',
    default: '0',
    about: 'Allow plain http beyond localhost. Passwords then travel readable; a banner says so.',
  },
  ROLE: {
    type: z.enum(['all', 'web', 'worker']),
    must: 'must be all, web or worker',
    default: 'all',
    about: 'What this process does. web and worker need DATABASE_URL.',
  },
  WORKERS: {
    type: wholeNumber({ from: 1, to: 256 }),
    must: 'must be a whole number from 1 to 256',
    unset: 'one per two processor cores',
    example: '1',
    about: 'Jobs worked on at once by one process.',
  },
  DATA_DIR: {
    type: text,
    must: 'must be a folder',
    default: './data',
    about:
      'Everything that is kept: database, recordings, models, outbox, secrets. Closed to other users of the machine at every start (mode 0700).',
  },
  DATABASE_URL: {
    type: address(/^postgres(ql)?$/),
    must: 'must be an address that begins with postgres://',
    unset: 'the server runs its own PostgreSQL in DATA_DIR/postgres',
    example: 'postgres://quoth:password@localhost:5432/quoth',
    about: 'An existing PostgreSQL, version 15 or later.',
  },
  DATABASE_DIRECT_URL: {
    type: address(/^postgres(ql)?$/),
    must: 'must be an address that begins with postgres://',
    unset: 'DATABASE_URL',
    example: 'postgres://quoth:password@localhost:5432/quoth',
    about:
      'The same PostgreSQL past its pooler (such as PgBouncer in transaction mode), for what needs a session of its own: migrations, and one connection a process that hears of ended sessions and new jobs.',
  },
  STORAGE_URL: {
    type: address(/^s3$/),
    must: 'must look like s3://bucket?endpoint=…&region=…',
    unset: 'DATA_DIR/files',
    example: 's3://bucket?endpoint=https://s3.example&region=eu-1',
    about: 'Where recordings are kept. S3 is not part of this version yet.',
  },
  LOG_LEVEL: {
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    must: 'must be fatal, error, warn, info, debug or trace',
    default: 'info',
    about: 'What is written to the log; debug adds a line for each request that went well.',
  },
  SIGN_UPS_PER_HOUR: {
    type: wholeNumber({ from: 1, to: 1_000_000 }),
    must: 'must be a whole number from 1 to 1000000',
    default: String(PER_HOUR.signUps),
    about: 'Sign-ups in an hour from one network address.',
  },
  MAILS_PER_HOUR: {
    type: wholeNumber({ from: 1, to: 1_000_000 }),
    must: 'must be a whole number from 1 to 1000000',
    default: String(PER_HOUR.mails),
    about:
      'Mails asked for (links to confirm an address or to reset a password) in an hour from one network address.',
  },
  MESSAGES_PER_HOUR: {
    type: wholeNumber({ from: 1, to: 1_000_000 }),
    must: 'must be a whole number from 1 to 1000000',
    default: String(PER_HOUR.messages),
    about: 'Messages of the contact form in an hour from one network address.',
  },
  BAD_TOKENS_PER_HOUR: {
    type: wholeNumber({ from: 1, to: 1_000_000 }),
    must: 'must be a whole number from 1 to 1000000',
    default: String(PER_HOUR.badTokens),
    about: 'Calls with a token or key that opens nothing in an hour from one network address.',
  },
  TRANSCRIBER: {
    type: z.enum(['auto', 'openai', 'sherpa', 'pocketsphinx']),
    must: 'must be auto, openai, sherpa or pocketsphinx',
    default: 'auto',
    about: 'The speech engine; auto is the best of them that is there.',
  },
  OPENAI_API_KEY: {
    type: text,
    must: 'must be a key',
    unset: 'no key is sent',
    example: 'sk-…',
    about: 'For an OpenAI-compatible transcription server; a key or a base URL is enough.',
  },
  OPENAI_BASE_URL: {
    type: http,
    must: mustBeHttp,
    unset: "OpenAI's own, when there is a key",
    example: 'http://localhost:8000/v1',
    about: 'Address of an OpenAI-compatible transcription server.',
  },
  TRANSCRIBE_MODEL: {
    type: text,
    must: 'must be the name of a model',
    default: 'whisper-1',
    about: 'The model asked of the transcription server.',
  },
  MODELS_URL: {
    type: http,
    must: mustBeHttp,
    unset: "the publisher's",
    example: 'https://models.example',
    about: 'Where local speech models are downloaded from.',
  },
  SUMMARIZER: {
    type: z.enum(['auto', 'llm', 'extractive']),
    must: 'must be auto, llm or extractive',
    default: 'auto',
    about: 'Who writes summaries; auto takes the language model when one is set.',
  },
  LLM_BASE_URL: {
    type: http,
    must: mustBeHttp,
    unset: 'OPENAI_BASE_URL',
    example: 'http://localhost:11434/v1',
    about: 'Address of an OpenAI-compatible chat server.',
  },
  LLM_API_KEY: {
    type: text,
    must: 'must be a key',
    unset: 'OPENAI_API_KEY',
    example: 'sk-…',
    about: 'Key for the chat server.',
  },
  LLM_MODEL: {
    type: text,
    must: 'must be the name of a model',
    unset: "gpt-4o-mini at OpenAI's own address; elsewhere it must be named",
    example: 'llama3.1',
    about: 'The model asked of the chat server.',
  },
  LLM_CONTEXT_TOKENS: {
    type: wholeNumber({ from: 2_000, to: 10_000_000 }),
    must: 'must be a whole number from 2000 to 10000000',
    default: '8192',
    about:
      'How much the chat server reads and writes at once; longer transcripts are read in parts.',
  },
  LLM_TIMEOUT_SECONDS: {
    type: wholeNumber({ from: 1, to: 3_600 }),
    must: 'must be a whole number of seconds from 1 to 3600',
    default: '120',
    about:
      'The longest one answer of the chat server may take; then summaries are made without it.',
  },
  SMTP_URL: {
    type: address(/^smtps?$/).refine((url) => {
      const { protocol, searchParams } = new URL(url)
      const tls = searchParams.get('tls')
      return tls === null || (tls === 'off' && protocol === 'smtp:')
    }),
    must: 'must be an address that begins with smtp:// or smtps://; after smtp:// it may end with ?tls=off',
    unset:
      'mails are written to DATA_DIR/outbox, readable at /dev/mail on a local PUBLIC_URL, not through a proxy',
    example: 'smtps://user:password@mail.example:465',
    about:
      'The server that sends mail. Over smtp:// it must offer TLS (STARTTLS) unless it is on this machine; ?tls=off sends mails and password readable.',
  },
  MAIL_FROM: {
    type: text.regex(/^([^<>\r\n]+ )?<?[^\s<>@]+@[^\s<>@]+>?$/),
    must: `must be an address such as ${BRAND} <quoth@example.com>`,
    unset: `${BRAND} <no-reply@the host of PUBLIC_URL>`,
    example: `${BRAND} <no-reply@quoth.example>`,
    about: 'Sender of every mail.',
  },
  SUPPORT_EMAIL: {
    type: z.email(),
    must: 'must be an e-mail address',
    unset: 'contact messages are only stored',
    example: 'support@quoth.example',
    about:
      'Receives the messages of the contact form, which are stored as well, and the answers to our mails.',
  },
  GOOGLE_CLIENT_ID: {
    type: text,
    must: 'must be the id of an OAuth client',
    unset: 'Google sign-in and Google Docs are not set up',
    example: '….apps.googleusercontent.com',
    about: 'OAuth client for sign-in and document export; needs GOOGLE_CLIENT_SECRET.',
  },
  GOOGLE_CLIENT_SECRET: {
    type: text,
    must: 'must be the secret of the OAuth client',
    unset: 'Google sign-in and Google Docs are not set up',
    example: 'GOCSPX-…',
    about: 'Secret of the OAuth client.',
  },
  GOOGLE_ISSUER: {
    type: http,
    must: mustBeHttp,
    default: 'https://accounts.google.com',
    about: 'Who signs the identity; the addresses exist so that another issuer can stand in.',
  },
  GOOGLE_AUTH_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://accounts.google.com/o/oauth2/v2/auth',
    about: 'Where the browser is sent to sign in.',
  },
  GOOGLE_TOKEN_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://oauth2.googleapis.com/token',
    about: 'Where a code is exchanged for tokens.',
  },
  GOOGLE_JWKS_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://www.googleapis.com/oauth2/v3/certs',
    about: "The issuer's public keys.",
  },
  GOOGLE_DOCS_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://docs.googleapis.com',
    about: 'Where documents are written to.',
  },
  GOOGLE_DRIVE_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://www.googleapis.com',
    about: 'Where a document that could not be written to the end is removed.',
  },
  PAYMENTS: {
    type: z.enum(['stripe', 'test', 'off']),
    must: 'must be stripe, test or off',
    unset: 'stripe with a key; else test on a local PUBLIC_URL; else off',
    example: 'off',
    about: 'test is a built-in checkout page, plainly marked as a test, that moves no money.',
  },
  STRIPE_SECRET_KEY: {
    type: text,
    must: 'must be a secret key',
    unset: 'no payments through Stripe',
    example: 'sk_live_…',
    about: 'Payments through Stripe.',
  },
  STRIPE_WEBHOOK_SECRET: {
    type: list.refine((secrets) => secrets.every((secret) => !/\s/.test(secret))),
    must: 'must be the signing secret of the webhook, or two separated by a comma while it is replaced',
    unset:
      "Stripe's events are refused; payments are found when the buyer returns, and every ten minutes",
    example: 'whsec_…',
    about: "Proves that an event at /api/stripe/webhook is Stripe's.",
  },
  STRIPE_API_URL: {
    type: http,
    must: mustBeHttp,
    default: 'https://api.stripe.com',
    about: "Stripe's address, or a stand-in.",
  },
  WEBHOOK_ALLOW: {
    type: list,
    must: 'must be a list of hosts or networks separated by commas',
    unset: 'webhooks reach public addresses only',
    example: '10.0.0.5,192.168.7.0/24,hooks.lan:81',
    about:
      'Internal addresses that webhooks may reach, and ports that are closed to them elsewhere.',
  },
} satisfies Record<string, Setting>

type Settings = typeof settings
type Name = keyof Settings
type Value<N extends Name> =
  | z.output<Settings[N]['type']>
  | (Settings[N] extends { default: string } ? never : null)

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
  const problems: string[] = []

  // An empty setting counts as unset: that is what a copied .env.example leaves behind. Values are
  // never repeated in a problem, because some of them are secrets.
  function read<N extends Name>(name: N): Value<N> {
    const setting: Setting = settings[name]
    const raw = env[name]?.trim() || setting.default
    if (raw === undefined) return null as Value<N>
    const parsed = setting.type.safeParse(raw)
    if (parsed.success) return parsed.data as Value<N>
    problems.push(`${name} ${setting.must}.`)
    const instead = setting.default === undefined ? null : setting.type.parse(setting.default)
    return instead as Value<N>
  }

  const port = read('PORT')
  const givenUrl = read('PUBLIC_URL')
  const publicUrl = new URL(givenUrl ?? `http://localhost:${port}`)
  const isLocal = localHosts.has(publicUrl.hostname)
  const allowHttp = read('ALLOW_HTTP')
  if (port === 0 && givenUrl === null && !env['PUBLIC_URL']?.trim()) {
    problems.push('PORT 0 lets the system choose, so PUBLIC_URL must be set.')
  }
  const opsPort = read('OPS_PORT')
  if (opsPort === port) problems.push('OPS_PORT must be another port than PORT.')
  if (publicUrl.protocol === 'http:' && !isLocal && !allowHttp) {
    problems.push(
      'PUBLIC_URL must begin with https:// beyond localhost, because passwords would travel readable. ALLOW_HTTP=1 allows it all the same.',
    )
  }

  const trustProxy = read('TRUST_PROXY')

  const role = read('ROLE')
  const databaseUrl = read('DATABASE_URL')
  if (role !== 'all' && databaseUrl === null && !env['DATABASE_URL']?.trim()) {
    problems.push(
      `ROLE=${role} needs DATABASE_URL: web and worker processes share one PostgreSQL, and the one in DATA_DIR belongs to a single process.`,
    )
  }

  const databaseDirectUrl = read('DATABASE_DIRECT_URL')
  if (databaseDirectUrl !== null && databaseUrl === null && !env['DATABASE_URL']?.trim())
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL: it is the same database past a pooler.')

  const storageUrl = read('STORAGE_URL')
  if (storageUrl !== null) problems.push('STORAGE_URL: S3 storage is not part of this version yet.')

  const openai = {
    apiKey: read('OPENAI_API_KEY'),
    baseUrl: read('OPENAI_BASE_URL'),
    model: read('TRANSCRIBE_MODEL'),
  }
  const transcriber = read('TRANSCRIBER')
  if (transcriber === 'openai' && openai.apiKey === null && openai.baseUrl === null) {
    problems.push('TRANSCRIBER=openai needs OPENAI_API_KEY or OPENAI_BASE_URL.')
  }

  const summarizer = read('SUMMARIZER')
  const ownLlmUrl = read('LLM_BASE_URL')
  const llmUrl = ownLlmUrl ?? openai.baseUrl
  const llmKey = read('LLM_API_KEY') ?? openai.apiKey
  // A transcription server elsewhere need not offer any chat model, so there it must be named.
  const llmModel = read('LLM_MODEL') ?? (llmUrl === null ? 'gpt-4o-mini' : null)
  const llmLimits = {
    contextTokens: read('LLM_CONTEXT_TOKENS'),
    timeoutMs: read('LLM_TIMEOUT_SECONDS') * 1000,
  }
  const isLlmReachable = llmUrl !== null || llmKey !== null
  const llm =
    isLlmReachable && llmModel !== null
      ? {
          baseUrl: llmUrl ?? 'https://api.openai.com/v1',
          apiKey: llmKey,
          model: llmModel,
          ...llmLimits,
        }
      : null
  if (ownLlmUrl !== null && llmModel === null) {
    problems.push('LLM_MODEL must name the model to use at LLM_BASE_URL.')
  } else if (summarizer === 'llm' && llm === null) {
    problems.push(
      'SUMMARIZER=llm needs a language model: set LLM_BASE_URL and LLM_MODEL, or a key.',
    )
  }

  const clientId = read('GOOGLE_CLIENT_ID')
  const clientSecret = read('GOOGLE_CLIENT_SECRET')
  const googleUrls = {
    issuer: read('GOOGLE_ISSUER'),
    authUrl: read('GOOGLE_AUTH_URL'),
    tokenUrl: read('GOOGLE_TOKEN_URL'),
    jwksUrl: read('GOOGLE_JWKS_URL'),
    docsUrl: read('GOOGLE_DOCS_URL'),
    driveUrl: read('GOOGLE_DRIVE_URL'),
  }
  if ((clientId === null) !== (clientSecret === null)) {
    problems.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: set both or neither.')
  }

  const secretKey = read('STRIPE_SECRET_KEY')
  const webhookSecrets = read('STRIPE_WEBHOOK_SECRET') ?? []
  const stripeUrl = read('STRIPE_API_URL')
  const payments =
    read('PAYMENTS') ?? (secretKey !== null ? 'stripe' : isLocal ? 'test' : ('off' as const))
  if (payments === 'stripe' && secretKey === null) {
    problems.push('PAYMENTS=stripe needs STRIPE_SECRET_KEY.')
  }
  if (payments === 'test' && !isLocal) {
    problems.push(
      'PAYMENTS=test is for a local PUBLIC_URL only: there, anybody would get credits without paying.',
    )
  }

  const mailHost = publicUrl.hostname.includes('.') ? publicUrl.hostname : 'localhost.localdomain'
  const config = {
    role,
    web: {
      port,
      host: read('HOST'),
      publicUrl,
      isLocal,
      trustProxy,
    },
    /** For probes; null: there is no such port. */
    opsPort,
    logLevel: read('LOG_LEVEL'),
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl,
    databaseDirectUrl,
    storageUrl,
    workers: read('WORKERS') ?? Math.max(1, Math.floor(availableParallelism() / 2)),
    /** `openai` is there when it has a key or a base URL; a null base URL means OpenAI's own. */
    speech: { transcriber, openai, modelsUrl: read('MODELS_URL') },
    writing: { summarizer, llm },
    mail: {
      /** Null: mails go to `dataDir/outbox`. */
      smtpUrl: read('SMTP_URL'),
      from: read('MAIL_FROM') ?? `${BRAND} <no-reply@${mailHost}>`,
      supportEmail: read('SUPPORT_EMAIL'),
    },
    google:
      clientId !== null && clientSecret !== null ? { clientId, clientSecret, ...googleUrls } : null,
    payments: {
      mode: payments,
      stripe: secretKey === null ? null : { secretKey, webhookSecrets, apiUrl: stripeUrl },
    },
    /** What one network address may do in an hour. */
    perHour: {
      signUps: read('SIGN_UPS_PER_HOUR'),
      mails: read('MAILS_PER_HOUR'),
      messages: read('MESSAGES_PER_HOUR'),
      badTokens: read('BAD_TOKENS_PER_HOUR'),
    },
    webhookAllow: read('WEBHOOK_ALLOW') ?? [],
    /** What is not wrong, but would surprise whoever set it up: sentences to say at start. */
    notices: [...misspelt(env), ...(isLocal || trustProxy ? [] : [SHARED_ADDRESS])],
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

const SHARED_ADDRESS =
  'TRUST_PROXY is not set. Behind a proxy all visitors then share its address, and with it the few sign-ups an hour that one address may make (SIGN_UPS_PER_HOUR).'

/**
 * Names what is set and is no setting, but nearly one. The environment holds many names that are
 * not ours, so only those within a slip or two of a setting are worth a word.
 */
function misspelt(env: Environment): string[] {
  const ours = Object.keys(settings)
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value?.trim() || ours.includes(name)) return []
    const [nearest] = ours
      .map((setting) => ({ setting, slips: slipsBetween(name.toUpperCase(), setting) }))
      .filter(({ setting, slips }) => slips <= (setting.length < 6 ? 1 : 2))
      .sort((one, other) => one.slips - other.slips)
    return nearest ? [`${name} is not a setting. Did you mean ${nearest.setting}?`] : []
  })
}

/** Letters that are wrong, missing, too many, or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const at = (cells: number[], index: number) => cells[index] ?? Infinity
      const isSame = one[i - 1] === other[j - 1]
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + (isSame ? 0 : 1),
        isSwap ? at(before, j - 2) + 1 : Infinity,
      )
    }
    before = last
    last = row
  }
  return last[other.length] ?? Infinity
}

/**
 * The text of `.env.example`: every setting with its meaning, all of them commented out. Without
 * the comment signs it would change nothing: a value is a default, or it stays beside the setting.
 */
export function envExample(): string {
  const blocks = Object.entries<Setting>(settings).map(([name, setting]) =>
    [
      `# ${setting.about}`,
      ...(setting.unset === undefined ? [] : [`# Unset: ${setting.unset}.`]),
      ...(setting.example === undefined ? [] : [`# Example: ${setting.example}`]),
      `#${name}=${setting.default ?? ''}`,
    ].join('\n'),
  )
  return [
    '# Every setting, each optional. Copy this file to .env, uncomment what you need and fill it in.\n',
    ...blocks.map((block) => `${block}\n`),
  ].join('\n')
}
