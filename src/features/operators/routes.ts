/** The door for operators. For everybody else these addresses are not there. */
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { requireRecent } from '#features/account/recent-proof.ts'
import { userOf } from '#features/account/session-hook.ts'
import { rate } from '#server/limits.ts'
import { type Log, tellSecurity } from '#server/log.ts'
import { Refusal } from '#shared/refusals.ts'

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

export interface RouteDeps
  extends operators.Deps, Omit<look.LookDeps, 'db'>, Omit<ServerDeps, 'db'> {
  log: Log
}

const config = { access: 'operators' } as const
const Id = z.object({ id: z.uuid() })
const done = { message: 'Done.' }
/** A model at work has nothing left for recordings, and one elsewhere may cost money. */
const TRIALS = { most: 10, seconds: 3_600 }

export const operatorRoutes: FastifyPluginAsyncZod<RouteDeps> = async (app, deps) => {
  const { db, clock } = deps

  app.get('/api/admin', { config, schema: { response: { 200: Overview } } }, async () =>
    look.overview(deps),
  )

  app.get('/api/admin/server', { config, schema: { response: { 200: ServerFacts } } }, async () =>
    serverFacts(deps),
  )

  app.post(
    '/api/admin/test-mail',
    { config, schema: { response: { 200: MailTried } } },
    async (request) => {
      const { email } = await operators.find(db, userOf(request).id)
      return tryMail(deps, email)
    },
  )

  const trials = rate('too_many_trials', [TRIALS])
  let isTrying = false
  app.post(
    '/api/admin/try-model',
    { config, schema: { response: { 200: ModelTried } } },
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

  app.get(
    '/api/admin/jobs',
    { config, schema: { querystring: JobsQuery, response: { 200: z.array(Job) } } },
    async ({ query }) => look.listJobs(db, { state: query.state, now: clock() }),
  )

  app.post(
    '/api/admin/jobs/:id/stop',
    { config, schema: { params: Id, body: DoIt, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await operators.stopJob(deps, { ...(await asked(request, body)), jobId: params.id })
      return done
    },
  )

  app.post(
    '/api/admin/jobs/:id/run-again',
    { config, schema: { params: Id, body: DoIt, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await operators.runJobAgain(deps, { ...(await asked(request, body)), jobId: params.id })
      return done
    },
  )

  app.get(
    '/api/admin/users',
    { config, schema: { querystring: UsersQuery, response: { 200: UserPage } } },
    async ({ query }) => look.searchUsers(db, query),
  )

  app.get(
    '/api/admin/users/:id',
    { config, schema: { params: Id, response: { 200: UserFacts } } },
    async ({ params }) => look.userFacts(deps, params.id),
  )

  app.get(
    '/api/admin/users/:id/credits',
    { config, schema: { params: Id, querystring: CreditsQuery, response: { 200: CreditRows } } },
    async ({ params, query }) => look.creditRows(db, { userId: params.id, before: query.before }),
  )

  app.post(
    '/api/admin/users/:id/credits',
    { config, schema: { params: Id, body: Adjust, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await requireRecently(request, body)
      const { credits, reason } = body
      const act = { ...(await asked(request, body)), userId: params.id, credits, reason }
      await operators.adjust(deps, act)
      return done
    },
  )

  app.post(
    '/api/admin/users/:id/block',
    { config, schema: { params: Id, body: Block, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await requireRecently(request, body)
      const act = { ...(await asked(request, body)), userId: params.id, reason: body.reason }
      await operators.block(deps, act)
      return done
    },
  )

  app.post(
    '/api/admin/users/:id/unblock',
    { config, schema: { params: Id, body: Unblock, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await requireRecently(request, body)
      await operators.unblock(deps, { ...(await asked(request, body)), userId: params.id })
      return done
    },
  )

  app.put(
    '/api/admin/users/:id/limits',
    { config, schema: { params: Id, body: SetLimits, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await requireRecently(request, body)
      const { callsPerHour, unconfirmedUploads, reason } = body
      const limits = { callsPerHour, unconfirmedUploads }
      const act = { ...(await asked(request, body)), userId: params.id, limits, reason }
      await operators.setLimits(deps, act)
      return done
    },
  )

  app.get(
    '/api/admin/letters',
    { config, schema: { querystring: LettersQuery, response: { 200: LetterPage } } },
    async ({ query }) => look.letterPage(db, query),
  )

  app.post(
    '/api/admin/letters/:id/answered',
    { config, schema: { params: Id, body: DoIt, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await operators.markAnswered(deps, { ...(await asked(request, body)), letterId: params.id })
      return done
    },
  )

  app.get(
    '/api/admin/invitations',
    { config, schema: { response: { 200: z.array(Invitation) } } },
    async () => look.invited(db, clock()),
  )

  app.post(
    '/api/admin/invitations',
    { config, schema: { body: Invite, response: { 200: Done } } },
    async (request) => {
      const { body } = request
      await operators.invite(deps, { ...(await asked(request, body)), email: body.email })
      return done
    },
  )

  app.post(
    '/api/admin/invitations/:id/withdraw',
    { config, schema: { params: Id, body: DoIt, response: { 200: Done } } },
    async (request) => {
      const { params, body } = request
      await operators.withdraw(deps, { ...(await asked(request, body)), invitationId: params.id })
      return done
    },
  )

  app.get(
    '/api/admin/log',
    { config, schema: { querystring: CreditsQuery, response: { 200: LogPage } } },
    async ({ query }) => operators.log(db, query),
  )

  /** Who asks, by the name that users read. */
  async function asked(request: FastifyRequest, { id }: { id: string }) {
    const { id: userId } = userOf(request)
    const { email, name } = await operators.find(db, userId)
    tellSecurity(deps.log, request, { event: 'operator_act', userId })
    return { id, operator: { address: email, name } }
  }

  async function requireRecently(
    request: FastifyRequest,
    { password }: { password?: string | undefined },
  ): Promise<void> {
    const { id: userId, sessionId } = userOf(request)
    await requireRecent(deps, {
      userId,
      sessionId,
      ...(password === undefined ? {} : { password }),
    })
  }
}
