import { z } from 'zod'

import { Limits, SignUp } from '#features/account/contract.ts'
import { ADJUST_MOST } from '#shared/business.ts'
import { plainAddress } from '#shared/written.ts'

export const actKinds = [
  'adjust',
  'block',
  'unblock',
  'stop',
  'run_again',
  'answer',
  'invite',
  'withdraw',
  'limits',
] as const

const at = z.iso.datetime()

/** Chosen by the page for each act, so that a press that is sent twice is done once. */
const Act = z.object({ id: z.uuid() })
/** Typed again where the last time is longer ago than 15 minutes. */
const password = z.string().max(1024).optional()
const reason = z
  .string('Say why. The owner of the account reads it.')
  .trim()
  .min(1, 'Say why. The owner of the account reads it.')
  .max(300, 'At most 300 characters.')

const oneTo = `Enter a whole number from 1 to ${ADJUST_MOST.toLocaleString('en-US')}.`
export const Adjust = Act.extend({
  /** Below zero to take some. */
  credits: z
    .int(oneTo)
    .min(-ADJUST_MOST, oneTo)
    .max(ADJUST_MOST, oneTo)
    .refine((credits) => credits !== 0, oneTo),
  reason,
  password,
})
export type Adjust = z.infer<typeof Adjust>
export const Block = Act.extend({ reason, password })
export type Block = z.infer<typeof Block>
export const SetLimits = Act.extend({ ...Limits.shape, reason, password })
export type SetLimits = z.infer<typeof SetLimits>
export const Unblock = Act.extend({ password })
export type Unblock = z.infer<typeof Unblock>
export const DoIt = Act
export type DoIt = z.infer<typeof DoIt>
export const Invite = Act.extend({
  email: z.string('Enter an email address.').overwrite(plainAddress).max(320),
})
export type Invite = z.infer<typeof Invite>

/** The groups of the settings, in their order. */
export const SettingGroup = z.enum([
  'Addresses',
  'Processes',
  'Storage',
  'Database',
  'Mail',
  'Speech',
  'Summaries',
  'Signing in',
  'Google',
  'Payments',
  'Limits',
])
export type SettingGroup = z.infer<typeof SettingGroup>

export const HealthRow = z.object({
  name: z.enum(['Database', 'Storage', 'Summaries', 'Queue', 'Speech engine', 'Mail']),
  state: z.enum(['works', 'look', 'fails']),
  measure: z.string(),
  second: z.string(),
  /** From when on it is worth a look. */
  threshold: z.string(),
  /** The meaning of the state, and the remedy. */
  advice: z.string(),
  /** The settings that belong to it. */
  group: SettingGroup,
  /** The last time that it went wrong: the reason, and what was done in its place. */
  last: z.object({ at, said: z.string() }).nullable(),
})
export type HealthRow = z.infer<typeof HealthRow>

export const Overview = z.object({
  readAt: at,
  health: z.array(HealthRow),
  jobs: z.object({ running: z.int(), waiting: z.int(), failed: z.int() }),
  users: z.int(),
  unanswered: z.int(),
  /** Payments of the last month that granted nothing. */
  unmatched: z.array(
    z.object({
      id: z.string(),
      at,
      amount: z.string(),
      why: z.string(),
      userId: z.uuid().nullable(),
      /** Null: nobody's here. */
      email: z.string().nullable(),
    }),
  ),
  signUp: SignUp,
})
export type Overview = z.infer<typeof Overview>

export const JobState = z.enum(['running', 'waiting', 'failed', 'done'])
export const jobKinds = [
  'Transcription',
  'Document',
  'Translation',
  'Summary',
  'Cut file',
  'Hidden words',
  'Upload',
  'Mail',
  'Webhook',
] as const
export const JobsQuery = z.object({ state: JobState.optional() })
export const Job = z.object({
  id: z.uuid(),
  kind: z.enum(jobKinds),
  /** Null: the queue does not say whose it is, or their account is gone. */
  userId: z.uuid().nullable(),
  email: z.string(),
  state: JobState,
  /** The stage of the work, as its owner sees it too: `transcribing`. */
  status: z.string(),
  beganAt: at,
  /** How long the recording is; null for other work. */
  seconds: z.number().nullable(),
  /** Why a failed one was refused; null where it broke on our side. */
  errorCode: z.string().nullable(),
  tries: z.int(),
  canRunAgain: z.boolean(),
  /** An operator has run it again, and it failed as before. */
  hasFailedAlike: z.boolean(),
})
export type Job = z.infer<typeof Job>

export const UsersQuery = z.object({
  q: z.string().trim().max(320).default(''),
  page: z.coerce.number().int().min(0).max(1_000).default(0),
})
export const UserRow = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  /** Null: no running plan. */
  plan: z.string().nullable(),
  credits: z.int(),
  seenAt: at.nullable(),
  isBlocked: z.boolean(),
})
export type UserRow = z.infer<typeof UserRow>
export const UserPage = z.object({ users: z.array(UserRow), hasMore: z.boolean() })
export type UserPage = z.infer<typeof UserPage>

export const CreditRow = z.object({
  id: z.int(),
  at,
  what: z.string(),
  seconds: z.number().nullable(),
  change: z.int(),
  after: z.int(),
})
export type CreditRow = z.infer<typeof CreditRow>
export const CreditRows = z.object({ rows: z.array(CreditRow), next: z.int().nullable() })
export type CreditRows = z.infer<typeof CreditRows>
export const CreditsQuery = z.object({ before: z.coerce.number().int().positive().optional() })

export const Letter = z.object({
  id: z.uuid(),
  userId: z.uuid().nullable(),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  type: z.string(),
  message: z.string(),
  reference: z.string().nullable(),
  at,
  answeredAt: at.nullable(),
})
export type Letter = z.infer<typeof Letter>
export const LetterPage = z.object({ letters: z.array(Letter), hasMore: z.boolean() })
export type LetterPage = z.infer<typeof LetterPage>
export const LettersQuery = z.object({ before: z.iso.datetime().optional() })

export const UserFacts = z.object({
  user: UserRow.extend({
    isVerified: z.boolean(),
    isOperator: z.boolean(),
    joinedAt: at,
    recordings: z.int(),
    recordedSeconds: z.int(),
  }),
  available: z.int(),
  reserved: z.int(),
  usedThisMonth: z.int(),
  limits: z.object({
    own: Limits,
    ofPlan: z.object({ callsPerHour: z.int(), unconfirmedUploads: z.int() }),
  }),
  blocked: z.object({ at, by: z.string(), reason: z.string() }).nullable(),
  jobs: z.array(Job),
  letters: z.array(Letter),
})
export type UserFacts = z.infer<typeof UserFacts>

export const Invitation = z.object({ id: z.uuid(), email: z.string(), at, expiresAt: at })
export type Invitation = z.infer<typeof Invitation>

export const LogLine = z.object({
  id: z.uuid(),
  seq: z.int(),
  at,
  operator: z.string(),
  kind: z.enum(actKinds),
  userId: z.uuid().nullable(),
  /** Null: it was about nobody, or the account was deleted since. */
  email: z.string().nullable(),
  subject: z.uuid().nullable(),
  credits: z.int().nullable(),
  limits: Limits.nullable(),
  /** Null: none was asked for, or it went with the account. */
  reason: z.string().nullable(),
})
export type LogLine = z.infer<typeof LogLine>
export const LogPage = z.object({ lines: z.array(LogLine), next: z.int().nullable() })
export type LogPage = z.infer<typeof LogPage>

/** The engines, models and settings of this server. */
export const ServerFacts = z.object({
  /** Of this process, or of each worker that was heard of in the last minute. */
  engines: z.array(
    z.object({
      speech: z.string(),
      /** Of how many words of clear English about one is wrong. */
      wordsPerError: z.int().nullable(),
      speakers: z.string().nullable(),
      writing: z.string(),
    }),
  ),
  /** In this process's folders. */
  models: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      sizeBytes: z.int(),
      state: z.enum(['used', 'installed', 'broken']),
    }),
  ),
  /** Possible improvements, and why they are not made: sentences. */
  better: z.array(z.string()),
  /** The language model with which this process was started; null: none is set up in it. */
  languageModel: z.object({ host: z.string(), name: z.string(), isUsed: z.boolean() }).nullable(),
  /** Where a test mail goes through; null: it is kept on this machine. */
  mailServer: z.string().nullable(),
  /** What to look at, beside the settings that mend it. */
  looks: z.array(
    z.object({
      group: SettingGroup,
      isFailing: z.boolean(),
      what: z.string(),
      at: at.nullable(),
      /** The reason, and what was done; or what can be done. */
      why: z.string(),
    }),
  ),
  settings: z.array(
    z.object({
      name: z.string(),
      group: SettingGroup,
      about: z.string(),
      isSet: z.boolean(),
      /** Null: a secret, which is set. */
      value: z.string().nullable(),
    }),
  ),
})
export type ServerFacts = z.infer<typeof ServerFacts>

export const MailTried = z.object({ isSent: z.boolean(), said: z.string() })
export type MailTried = z.infer<typeof MailTried>

export const ModelTried = z.object({
  /** Whether its summary would be shown to users. */
  isAccepted: z.boolean(),
  said: z.string(),
  /** Its summary, shown to operators also where users would not see it. */
  answer: z.string().nullable(),
  /** Time, language and tokens. */
  facts: z.string(),
  /** Other things to look at: sentences. */
  hints: z.array(z.string()),
})
export type ModelTried = z.infer<typeof ModelTried>
