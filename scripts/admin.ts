/** `npm run admin -- …`: the acts of operators at /admin, by the same functions and in the same log. */
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'

import { Limits } from '#features/account/contract.ts'
import * as directory from '#features/account/directory.ts'
import { operatorsOf } from '#features/account/operators.ts'
import { announceTo } from '#features/developers/webhooks.ts'
import { JobState } from '#features/operators/contract.ts'
import * as operators from '#features/operators/operators.ts'
import * as look from '#features/operators/overview.ts'
import * as bin from '#features/recordings/bin.ts'
import { healthFor } from '#root/app.ts'
import { queues } from '#root/worker.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { type Db, openDatabase } from '#server/db.ts'
import * as deletionClock from '#server/deletion-clock.ts'
import { tellAll } from '#server/events.ts'
import { createLog } from '#server/log.ts'
import { PostgresRefused, reachPostgres } from '#server/postgres.ts'
import { openQueue } from '#server/queue.ts'
import { loadSettingsFile } from '#server/settings-file.ts'
import type { Storage } from '#server/storage.ts'
import { ADJUST_MOST, BRAND } from '#shared/business.ts'
import { systemClock } from '#shared/clock.ts'
import { formatTime } from '#shared/format.ts'
import { Refusal } from '#shared/refusals.ts'

import { storageOf } from './command.ts'

const help = `What operators do, from the machine of the server. Each act for or on a user is in the log, as at /admin.

  npm run admin -- health
  npm run admin -- users [WORDS]           by name, address or the id of a job
  npm run admin -- user USER               credits, jobs, letters
  npm run admin -- grant USER CREDITS WHY  1 to ${ADJUST_MOST} credits; the user reads why
  npm run admin -- take USER CREDITS WHY   never more than there are
  npm run admin -- block USER WHY          signs out everywhere, stops jobs; nothing is deleted
  npm run admin -- unblock USER
  npm run admin -- limits USER CALLS UPLOADS WHY   API calls an hour, uploads that wait; plan: the plan's
  npm run admin -- jobs [running | waiting | failed | done]
  npm run admin -- stop JOB                returns its credits
  npm run admin -- run-again JOB           at no charge
  npm run admin -- letters                 what came through the contact form
  npm run admin -- answered LETTER
  npm run admin -- invite ADDRESS          mails a link to sign up with (SIGN_UP=invited)
  npm run admin -- invitations             those that are still good
  npm run admin -- withdraw INVITATION
  npm run admin -- bin                     what was deleted by time in the last day
  npm run admin -- take-back ID            out of the bin: a line of it, by its file or transcription
  npm run admin -- trust-clock             the database's clock is right, though it has leapt
  npm run admin -- log

USER is an address or an id. --id UUID names the act: sent twice with the same one, it is done once.
`

export type AdminDeps = operators.Deps & look.LookDeps & { db: Db; storage: Storage }

/** A command that does not exist, or lacks something. */
class WrongUsage extends Error {}

/** Runs one command line. @throws Refusal, WrongUsage */
async function obey(deps: AdminDeps, argv: readonly string[], say: (line: string) => void) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { id: { type: 'string' } },
    allowPositionals: true,
  })
  const [command = '', first = '', ...rest] = positionals
  const { db, clock } = deps
  const need = (value: string): string => {
    if (!value) throw new WrongUsage(`${command} lacks something.`)
    return value
  }
  const person = async () => {
    const asked = need(first)
    const found =
      (await directory.byAddress(db, asked)) ??
      (isId(asked) ? (await directory.byIds(db, [asked])).get(asked) : null)
    if (!found) throw new WrongUsage(`There is no account of ${asked}.`)
    return found
  }
  const id = (): string => {
    if (!isId(need(first))) throw new WrongUsage(`${first} is no id.`)
    return first
  }
  const act = {
    id: values.id ?? randomUUID(),
    operator: { address: `command line, ${userInfo().username}`, name: BRAND },
  }
  if (!isId(act.id)) throw new WrongUsage('--id takes a UUID.')

  switch (command) {
    case 'health': {
      const { health } = await look.overview(deps)
      for (const { name, state, measure, second } of health)
        say(row([states[state], 10], [name, 15], [[measure, second].filter(Boolean).join(' · ')]))
      return
    }
    case 'users': {
      const { users, hasMore } = await look.searchUsers(db, {
        q: positionals.slice(1).join(' '),
        page: 0,
      })
      for (const { id, email, plan, credits, isBlocked } of users)
        say(
          row(
            [id, 38],
            [email, 34],
            [plan ?? 'No plan', 14],
            [String(credits), 7],
            [isBlocked ? 'blocked' : ''],
          ),
        )
      if (hasMore) say('There are more: say part of a name or address.')
      return
    }
    case 'user': {
      const { id, email, name } = await person()
      const facts = await look.userFacts(deps, id)
      const { user, available, reserved, usedThisMonth, blocked } = facts
      say(`${name} <${email}>, ${user.isVerified ? 'confirmed' : 'not confirmed'}, ${id}`)
      if (blocked) say(`Blocked on ${blocked.at} by ${blocked.by}: ${blocked.reason}`)
      say(
        `${user.plan ?? 'No plan'}. Credits: ${available} to spend, ${reserved} reserved, ${usedThisMonth} used this month.`,
      )
      const { rows } = await look.creditRows(db, { userId: id })
      for (const { at, what, change, after } of rows)
        say(row([at, 26], [String(change), 7], [String(after), 7], [what]))
      for (const job of facts.jobs) say(jobRow(job))
      for (const letter of facts.letters) say(letterRow(letter))
      return
    }
    case 'grant':
    case 'take': {
      const { id: userId, email } = await person()
      const [figure = '', ...words] = rest
      const credits = Number(figure)
      if (!Number.isInteger(credits) || credits < 1 || credits > ADJUST_MOST)
        throw new WrongUsage(`Say how many credits, from 1 to ${ADJUST_MOST}.`)
      const reason = need(words.join(' ').trim())
      await operators.adjust(deps, {
        ...act,
        userId,
        reason,
        credits: command === 'take' ? -credits : credits,
      })
      const { available } = await look.userFacts(deps, userId)
      say(`${email} now has ${available} credits to spend.`)
      return
    }
    case 'block': {
      const { id: userId, email } = await person()
      await operators.block(deps, { ...act, userId, reason: need(rest.join(' ').trim()) })
      say(`${email} is blocked. Nothing is deleted.`)
      return
    }
    case 'unblock': {
      const { id: userId, email } = await person()
      await operators.unblock(deps, { ...act, userId })
      say(`${email} can sign in again.`)
      return
    }
    case 'limits': {
      const { id: userId, email } = await person()
      const [calls = '', uploads = '', ...words] = rest
      const figure = (said: string) => (said === 'plan' ? null : Number(need(said)))
      const { success, data, error } = Limits.safeParse({
        callsPerHour: figure(calls),
        unconfirmedUploads: figure(uploads),
      })
      if (!success) throw new WrongUsage(error.issues[0]?.message ?? 'Those are no limits.')
      const reason = need(words.join(' ').trim())
      await operators.setLimits(deps, { ...act, userId, limits: data, reason })
      say(`The limits of ${email} are set.`)
      return
    }
    case 'jobs': {
      const state = isState(first)
      if (first && !state) throw new WrongUsage(`There are no ${first} jobs.`)
      for (const job of await look.listJobs(db, { state, now: clock() })) say(jobRow(job))
      return
    }
    case 'stop':
      await operators.stopJob(deps, { ...act, jobId: id() })
      say('It is stopped, and its credits are returned.')
      return
    case 'run-again':
      await operators.runJobAgain(deps, { ...act, jobId: id() })
      say('It waits for a worker, at no charge.')
      return
    case 'letters': {
      const { letters } = await look.letterPage(db, {})
      for (const letter of letters) say(`${letterRow(letter)}\n\n${letter.message}\n`)
      return
    }
    case 'answered':
      await operators.markAnswered(deps, { ...act, letterId: id() })
      say('It is marked as answered.')
      return
    case 'invite':
      await operators.invite(deps, { ...act, email: need(first) })
      say(`${first} gets a mail with a link, good for a week.`)
      return
    case 'invitations':
      for (const { id, email, expiresAt } of await look.invited(db, clock()))
        say(row([id, 38], [email, 34], [`until ${expiresAt}`]))
      return
    case 'withdraw':
      await operators.withdraw(deps, { ...act, invitationId: id() })
      say('Its link is good for nothing any more.')
      return
    case 'bin':
      for (const { key, kind, userId, transcriptionId, createdAt, binnedAt } of await bin.list(db))
        say(
          row(
            [key, 38],
            [binnedAt.toISOString(), 26],
            [kinds[kind], 20],
            [transcriptionId ?? '', 38],
            [userId ? `of ${userId}` : '', 41],
            [createdAt ? `from ${createdAt.toISOString()}` : ''],
          ),
        )
      return
    case 'take-back':
      await bin.takeBack(deps, id())
      say('It is back. A recording whose time is over is there for a day.')
      return
    case 'trust-clock':
      await deletionClock.trust(db)
      say(
        "The database's clock is taken to be right. What is over by it is deleted within a minute.",
      )
      return
    case 'log': {
      const { lines } = await operators.log(db)
      for (const { at, operator, kind, email, userId, credits, limits, subject, reason } of lines)
        say(
          [
            at,
            operator,
            kind,
            email ?? userId,
            credits,
            limits && JSON.stringify(limits),
            subject,
            reason,
          ]
            .filter((each) => each !== null)
            .join('  '),
        )
      return
    }
    default:
      throw new WrongUsage(command ? `There is no command ${command}.` : '')
  }
}

const kinds = {
  recording: 'recording',
  unconfirmed: 'unconfirmed upload',
  upload: 'unfinished upload',
  leftover: 'belongs to nothing',
}
const states = { works: 'works', look: 'LOOK SOON', fails: 'FAILING' }
const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
const isState = (text: string | undefined) => JobState.safeParse(text).data
const row = (...cells: (readonly [text: string, width?: number])[]) =>
  cells
    .map(([text, width = 0]) => text.padEnd(width))
    .join(' ')
    .trimEnd()

type Job = Awaited<ReturnType<typeof look.listJobs>>[number]
const jobRow = ({ id, kind, beganAt, email, seconds, state, status, errorCode }: Job) =>
  row(
    [id, 37],
    [beganAt, 25],
    [kind, 14],
    [email, 30],
    [seconds === null ? '' : formatTime(seconds), 8],
    [state === 'failed' ? `failed: ${errorCode ?? 'broke on our side'}` : `${state}: ${status}`],
  )

type Letter = Awaited<ReturnType<typeof look.letterPage>>['letters'][number]
const letterRow = ({ id, at, name, email, subject, type, answeredAt }: Letter) =>
  `${id} ${at} ${name} <${email}> ${type}: ${subject || 'no subject'}${answeredAt ? ' (answered)' : ''}`

/** Answers the exit code: 0 done, 1 refused, 2 wrong usage. */
export async function admin(
  deps: AdminDeps,
  argv: readonly string[],
  { out, err }: { out: (line: string) => void; err: (line: string) => void },
): Promise<number> {
  try {
    await obey(deps, argv, out)
    return 0
  } catch (error) {
    const isUsage = error instanceof WrongUsage || (error instanceof TypeError && 'code' in error)
    if (!isUsage && !(error instanceof Refusal)) throw error
    if (error.message) err(error.message)
    if (!isUsage) return 1
    err(help)
    return 2
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'help' || argv.some((each) => ['-h', '--help'].includes(each))) {
    console.log(help)
    return 0
  }
  loadSettingsFile()
  const config = readConfig(process.env)
  const log = createLog({ level: 'warn' })
  const { dataDir, databaseUrl, databaseDirectUrl: directUrl } = config
  const postgres = databaseUrl === null ? await reachPostgres({ dataDir, log }) : null
  try {
    const database = await openDatabase(databaseUrl ?? postgres?.url ?? '', { log, directUrl })
    const queue = await openQueue(database, { log, queues })
    try {
      const engines = { speech: 'workers', writing: 'workers', decoder: 'sandboxed' } as const
      const storage = await storageOf(config)
      const clock = systemClock
      const deps = {
        db: database.db,
        queue,
        clock,
        onEvent: tellAll(operators.takeBackUnused, announceTo({ queue, clock })),
        operators: operatorsOf(config.adminEmails),
        storage,
        health: healthFor({ config, database, storage, clock, engines }),
        engines,
        mail: config.mail,
        signUp: config.signUp,
      }
      return await admin(deps, argv, { out: console.log, err: console.error })
    } finally {
      await queue.stop()
      await database.close()
    }
  } finally {
    await postgres?.stop()
  }
}

if (import.meta.main)
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof PostgresRefused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
