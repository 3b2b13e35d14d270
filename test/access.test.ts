/**
 * The rights of callers: every route is called by every kind of caller. A route without a line in
 * route-table.ts fails, so that nobody adds one without saying whom it is for.
 *
 * Promise: whose a thing is stands in every query about it; "not yours" and "not there" are one
 * answer.
 */
import { randomUUID } from 'node:crypto'

import { eq } from 'drizzle-orm'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import { aDeveloper } from '#test/api.ts'
import { OPERATOR, test } from '#test/served.ts'
import type { PlanId } from '#shared/business.ts'
import { aSession, aUser } from '#test/factories.ts'
import { isLong } from '#test/long.ts'
import { CANARY, type Params, lines, nameOf } from '#test/route-table.ts'
import { isUnsafe, routesOf } from '#test/router.ts'

test('every route has a line that says whom it is for', ({ server }) => {
  const routes = routesOf(server.app)
  const gets = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))
  const unsaid = routes
    .filter(({ method, path }) => !(method === 'HEAD' && gets.has(path)))
    .map(nameOf)
    .filter((name) => !Object.hasOwn(lines, name))
  expect(unsaid).toEqual([])
})

/**
 * Writes the first letter of an address as `%61`. The router reads `a`, so access checks must too.
 */
const otherwise = ({ url, ...rest }: InjectOptions & { url: string }): InjectOptions => ({
  ...rest,
  url: url.replace(/(?<=^\/)[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
})

test('each route answers the callers it is for, and nobody else', async ({ server, db }) => {
  const { inject } = server
  const aVisitor = async (
    name: string,
    plan: PlanId = 'professional',
    email = `${name}-${randomUUID()}@example.com`,
  ) => {
    const user = await aUser(db, { email, plan, credits: 100 })
    const call = await server.as(user)
    const { token: bearer } = await aSession(db, { userId: user.id, kind: 'token' })
    return {
      user,
      byCookie: call,
      byToken: (options: InjectOptions) =>
        inject({ ...options, headers: { authorization: `Bearer ${bearer}` } }),
    }
  }
  const other = await aVisitor('other')
  const gone = await aVisitor('gone')
  const reader = await aVisitor('reader')
  const poor = await aVisitor('poor', 'starter')
  const operator = await aVisitor('operator', 'starter', OPERATOR)
  const { key: apiKey } = await aDeveloper(server)
  const byKey = (options: InjectOptions) =>
    inject({ ...options, headers: { authorization: `Bearer ${apiKey}` } })
  await db.delete(users).where(eq(users.id, gone.user.id))

  let asked = 0
  const wrong: string[] = []
  for (const route of routesOf(server.app)) {
    const line = lines[nameOf({ ...route, method: route.method.replace('HEAD', 'GET') })]
    if (!line) continue
    // A route that changes something gets a new owner, because some end the session or the account.
    const endsNothing = !isUnsafe(route) && route.path !== '/api/logout'
    const theirs = endsNothing ? reader : await aVisitor('owner')
    const thingOf = async (userId: string) =>
      'of' in line && line.of ? await line.of(server, userId) : {}
    const params = await thingOf(theirs.user.id)
    const request = (ids: Params): InjectOptions & { url: string } => {
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'unknown')
      const takesBody = line.for === 'owner' || line.for === 'operators'
      const body = takesBody && line.body ? { payload: line.body(ids) } : {}
      const query = line.for === 'owner' ? (line.query ?? '') : ''
      const method = route.method as 'GET'
      return { method, url: path.replace('*', 'nowhere') + query, ...body }
    }
    const check = (who: string, answer: LightMyRequestResponse, isRight: boolean) => {
      asked += 1
      const isLeak = who !== 'owner' && who !== 'starter' && answer.body.includes(CANARY)
      if (!isRight || isLeak)
        wrong.push(`${nameOf(route)} for ${who}: ${answer.statusCode} ${answer.body.slice(0, 120)}`)
    }
    const isPublic = line.for === 'everybody' || line.for === 'who-knows'
    // It is the GET of the same line without its answer's body: that a stranger is refused is enough.
    if (route.method === 'HEAD' && !isLong) {
      const answer = await inject(request(params))
      const { statusCode: status } = answer
      check(
        'anonymous',
        answer,
        line.for === 'operators' ? status === 404 : isPublic === (status !== 401),
      )
      continue
    }
    const strangers = {
      anonymous: await inject(request(params)),
      'anonymous, spelling it otherwise': await inject(otherwise(request(params))),
      'deleted user': await gone.byCookie(request(params)),
      "deleted user's token": await gone.byToken(request(params)),
    }
    if (line.for === 'operators') {
      // A thing is there for nobody but its owner, and for the operator without the owner's words.
      const others = {
        ...strangers,
        owner: await theirs.byCookie(request(params)),
        'other user': await other.byCookie(request(params)),
        "other user's token": await other.byToken(request(params)),
        "other user's key": await byKey(request(params)),
      }
      for (const [who, answer] of Object.entries(others))
        check(`${who} (no operator)`, answer, answer.statusCode === 404)
      const answer = await operator.byCookie(request(params))
      check('operator', answer, answer.statusCode === 200)
      continue
    }
    for (const [who, answer] of Object.entries(strangers))
      check(who, answer, isPublic ? answer.statusCode !== 401 : answer.statusCode === 401)

    if (line.for === 'owner') {
      const nowhere = Object.fromEntries(
        Object.keys(params).map((name) => [name, name === 'speaker' ? '0' : randomUUID()]),
      )
      const made = await other.byCookie(request(nowhere))
      for (const [who, ask] of [
        ['other user', other.byCookie],
        ["other user's token", other.byToken],
      ] as const) {
        const answer = await ask(request(params))
        const isSame = answer.statusCode === 404 && answer.body === made.body
        check(who, answer, isSame)
      }
    }
    // An API key shows nothing of other accounts, and cannot change the account that it belongs to.
    if (!isPublic) {
      const answer = await byKey(request(params))
      const isPersonal = /^\/api\/(account|keys|billing)/.test(route.path)
      const allowed = isPersonal ? [403] : line.for === 'owner' ? [403, 404] : null
      const isRight = allowed?.includes(answer.statusCode) ?? answer.statusCode !== 401
      check("other user's key", answer, isRight)
    }

    const starter = endsNothing ? poor : await aVisitor('starter', 'starter')
    const others = await thingOf(starter.user.id)
    for (const [who, answer] of [
      ['owner', await theirs.byCookie(request(params))],
      ['starter', await starter.byCookie(request(others))],
    ] as const) {
      const { statusCode: status } = answer
      // Some things do not exist for the owner either, such as a picture: these are 404.
      const refusals = line.for === 'owner' ? [401, 403, 404, 500] : [401, 403, 500]
      const isAnswered = line.for === 'who-knows' || !refusals.includes(status)
      const isLimited = who === 'starter' && line.starter !== undefined
      check(who, answer, isLimited ? status === line.starter : isAnswered)
    }
  }
  console.log(
    `access: ${asked} answers of ${routesOf(server.app).length} routes, ${wrong.length} wrong`,
  )
  expect(wrong).toEqual([])
}, 120_000)
