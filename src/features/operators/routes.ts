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

  app.get(
    '/api/admin/jobs',
    { config, schema: { querystring: JobsQuery, response: { 200: z.array(Job) } } },
    async ({ query }) => look.listJobs(db, { state: query.state, now: clock() }),
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

  app.get(
    '/api/admin/letters',
    { config, schema: { querystring: LettersQuery, response: { 200: LetterPage } } },
    async ({ query }) => look.letterPage(db, query),
  )

  app.get(
    '/api/admin/invitations',
    { config, schema: { response: { 200: z.array(Invitation) } } },
    async () => look.invited(db, clock()),
  )

  app.get(
    '/api/admin/log',
    { config, schema: { querystring: CreditsQuery, response: { 200: LogPage } } },
    async ({ query }) => operators.log(db, query),
  )

  act({ url: '/api/admin/jobs/:id/stop', body: DoIt }, (asked, jobId) =>
    operators.stopJob(deps, { ...asked, jobId }),
  )
  act({ url: '/api/admin/jobs/:id/run-again', body: DoIt }, (asked, jobId) =>
    operators.runJobAgain(deps, { ...asked, jobId }),
  )
  act(
    { url: '/api/admin/users/:id/credits', body: Adjust, needsProof: true },
    (asked, userId, { credits, reason }) =>
      operators.adjust(deps, { ...asked, userId, credits, reason }),
  )
  act(
    { url: '/api/admin/users/:id/block', body: Block, needsProof: true },
    (asked, userId, { reason }) => operators.block(deps, { ...asked, userId, reason }),
  )
  act({ url: '/api/admin/users/:id/unblock', body: Unblock, needsProof: true }, (asked, userId) =>
    operators.unblock(deps, { ...asked, userId }),
  )
  act(
    { method: 'PUT', url: '/api/admin/users/:id/limits', body: SetLimits, needsProof: true },
    (asked, userId, { reason, callsPerHour, unconfirmedUploads }) =>
      operators.setLimits(deps, {
        ...asked,
        userId,
        reason,
        limits: { callsPerHour, unconfirmedUploads },
      }),
  )
  act({ url: '/api/admin/letters/:id/answered', body: DoIt }, (asked, letterId) =>
    operators.markAnswered(deps, { ...asked, letterId }),
  )
  act({ url: '/api/admin/invitations/:id/withdraw', body: DoIt }, (asked, invitationId) =>
    operators.withdraw(deps, { ...asked, invitationId }),
  )

  app.post(
    '/api/admin/invitations',
    { config, schema: { body: Invite, response: { 200: Done } } },
    async (request) => {
      const { id, email } = request.body
      await operators.invite(deps, { ...(await askedBy(request, id)), email })
      return done
    },
  )

  /**
   * The call of one act on what its address names. Where it `needsProof`, whoever sits there must
   * have proven lately that they are the operator.
   */
  function act<Body extends z.ZodType<{ id: string; password?: string | undefined }>>(
    {
      method = 'POST',
      url,
      body,
      needsProof = false,
    }: { method?: 'POST' | 'PUT'; url: string; body: Body; needsProof?: boolean },
    work: (
      asked: Awaited<ReturnType<typeof askedBy>>,
      about: string,
      wish: z.output<Body>,
    ) => Promise<void>,
  ): void {
    app.route({
      method,
      url,
      config,
      schema: { params: Id, body, response: { 200: Done } },
      handler: async (request) => {
        const wish = request.body as z.output<Body>
        const { id: userId, sessionId } = userOf(request)
        if (needsProof) await requireRecent(deps, { userId, sessionId, password: wish.password })
        await work(await askedBy(request, wish.id), request.params.id, wish)
        return done
      },
    })
  }

  /** Who asks, by the name that users read. */
  async function askedBy(request: FastifyRequest, id: string) {
    const { id: userId } = userOf(request)
    const { email, name } = await operators.find(db, userId)
    tellSecurity(deps.log, request, { event: 'operator_act', userId })
    return { id, operator: { address: email, name } }
  }
}
