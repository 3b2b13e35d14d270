/** The door for operators. For everybody else these addresses are not there. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { requireRecent } from '#features/account/recent-proof.ts'
import { userOf } from '#features/account/session-hook.ts'
import { rate } from '#server/limits.ts'
import { type Log, tellSecurity } from '#server/log.ts'
import { serve } from '#server/serve.ts'
import { Refusal } from '#shared/refusals.ts'

import * as calls from './calls.ts'
import {
  Adjust,
  Block,
  CreditRows,
  CreditsQuery,
  DoIt,
  Invitation,
  Invite,
  Job,
  JobsQuery,
  LetterPage,
  LettersQuery,
  LogPage,
  MailTried,
  ModelTried,
  Overview,
  ServerFacts,
  SetLimits,
  Unblock,
  UserFacts,
  UserPage,
  UsersQuery,
} from './contract.ts'
import * as operators from './operators.ts'
import * as look from './overview.ts'
import { type ServerDeps, serverFacts, tryMail, tryModel } from './server-facts.ts'

export interface RouteDeps extends operators.Deps, Omit<ServerDeps, 'db'> {
  log: Log
}

const config = { access: 'operators' } as const
const Id = z.object({ id: z.uuid() })
const done = { message: 'Done.' }
/** A model at work has nothing left for recordings, and one elsewhere may cost money. */
const TRIALS = { most: 10, seconds: 3_600 }

export const operatorRoutes: FastifyPluginAsyncZod<RouteDeps> = async (app, deps) => {
  const { db, clock } = deps

  serve(app, calls.readOverview, { config, schema: { response: { 200: Overview } } }, async () =>
    look.overview(deps),
  )

  serve(app, calls.readServer, { config, schema: { response: { 200: ServerFacts } } }, async () =>
    serverFacts(deps),
  )

  serve(
    app,
    calls.sendTestMail,
    { config, schema: { response: { 200: MailTried } } },
    async (request) => {
      const { email } = await operators.find(db, userOf(request).id)
      return tryMail(deps, email)
    },
  )

  const trials = rate('too_many_trials', [TRIALS])
  let isTrying = false
  serve(
    app,
    calls.tryModel,
    { config: { ...config, atOnce: 'model' }, schema: { response: { 200: ModelTried } } },
    async (request) => {
      if (isTrying) throw new Refusal('trial_under_way')
      trials.count('model', clock())
      isTrying = true
      try {
        tellSecurity(deps.log, request, { event: 'operator_act', userId: userOf(request).id })
        return await tryModel(deps.writing, { signal: new AbortController().signal, log: deps.log })
      } finally {
        isTrying = false
      }
    },
  )

  serve(
    app,
    calls.listJobs,
    { config, schema: { querystring: JobsQuery, response: { 200: z.array(Job) } } },
    async ({ query }) => look.listJobs(db, { state: query.state, now: clock() }),
  )

  serve(
    app,
    calls.searchUsers,
    { config, schema: { querystring: UsersQuery, response: { 200: UserPage } } },
    async ({ query }) => look.searchUsers(db, query),
  )

  serve(
    app,
    calls.readUser,
    { config, schema: { params: Id, response: { 200: UserFacts } } },
    async ({ params }) => look.userFacts(deps, params.id),
  )

  serve(
    app,
    calls.listCredits,
    { config, schema: { params: Id, querystring: CreditsQuery, response: { 200: CreditRows } } },
    async ({ params, query }) => look.creditRows(db, { userId: params.id, before: query.before }),
  )

  serve(
    app,
    calls.listLetters,
    { config, schema: { querystring: LettersQuery, response: { 200: LetterPage } } },
    async ({ query }) => look.letterPage(db, query),
  )

  serve(
    app,
    calls.listInvitations,
    { config, schema: { response: { 200: z.array(Invitation) } } },
    async () => look.invited(db, clock()),
  )

  serve(
    app,
    calls.readLog,
    { config, schema: { querystring: CreditsQuery, response: { 200: LogPage } } },
    async ({ query }) => operators.log(db, query),
  )

  const acting = <Body extends z.ZodType>(body: Body) => ({
    config,
    schema: { params: Id, body, response: { 200: Done } },
  })

  serve(app, calls.stopJob, acting(DoIt), async (request) => {
    const { id: jobId } = request.params
    await operators.stopJob(deps, { ...(await askedBy(request, request.body)), jobId })
    return done
  })

  serve(app, calls.runJobAgain, acting(DoIt), async (request) => {
    const { id: jobId } = request.params
    await operators.runJobAgain(deps, { ...(await askedBy(request, request.body)), jobId })
    return done
  })

  serve(app, calls.adjustCredits, acting(Adjust), async (request) => {
    const { id: userId } = request.params
    const { credits, reason } = request.body
    const asked = await provenBy(request, request.body)
    await operators.adjust(deps, { ...asked, userId, credits, reason })
    return done
  })

  serve(app, calls.blockUser, acting(Block), async (request) => {
    const { id: userId } = request.params
    const { reason } = request.body
    await operators.block(deps, { ...(await provenBy(request, request.body)), userId, reason })
    return done
  })

  serve(app, calls.unblockUser, acting(Unblock), async (request) => {
    const { id: userId } = request.params
    await operators.unblock(deps, { ...(await provenBy(request, request.body)), userId })
    return done
  })

  serve(app, calls.setLimits, acting(SetLimits), async (request) => {
    const { id: userId } = request.params
    const { reason, callsPerHour, unconfirmedUploads } = request.body
    const limits = { callsPerHour, unconfirmedUploads }
    const asked = await provenBy(request, request.body)
    await operators.setLimits(deps, { ...asked, userId, reason, limits })
    return done
  })

  serve(app, calls.markAnswered, acting(DoIt), async (request) => {
    const { id: letterId } = request.params
    await operators.markAnswered(deps, { ...(await askedBy(request, request.body)), letterId })
    return done
  })

  serve(app, calls.withdrawInvitation, acting(DoIt), async (request) => {
    const { id: invitationId } = request.params
    await operators.withdraw(deps, { ...(await askedBy(request, request.body)), invitationId })
    return done
  })

  serve(
    app,
    calls.invite,
    { config, schema: { body: Invite, response: { 200: Done } } },
    async (request) => {
      const { email } = request.body
      await operators.invite(deps, { ...(await askedBy(request, request.body)), email })
      return done
    },
  )

  /** The operator who asks, as `askedBy` answers, once they have lately proven who they are. */
  async function provenBy(
    request: FastifyRequest,
    { id, password }: { id: string; password?: string | undefined },
  ) {
    const { id: userId, sessionId } = userOf(request)
    await requireRecent(deps, { userId, sessionId, password })
    return askedBy(request, { id })
  }

  /** The operator who asks, by the name that users read. */
  async function askedBy(request: FastifyRequest, { id }: { id: string }) {
    const { id: userId } = userOf(request)
    const { email, name } = await operators.find(db, userId)
    tellSecurity(deps.log, request, { event: 'operator_act', userId })
    return { id, operator: { address: email, name } }
  }
}
