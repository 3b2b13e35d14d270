import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { users } from '#features/account/tables.ts'
import * as credits from '#features/credits/credits.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { semaphore } from '#server/semaphore.ts'
import { type TestApp, anApp } from '#test/app.ts'
import { test as base } from '#test/database.ts'
import { aUser } from '#test/factories.ts'

import { catchUp } from './provider-events.ts'
import type { Deps } from './state.ts'
import { eraseBilling } from './your-data.ts'
import { testProvider } from './test-provider.ts'

const test = base.extend('app', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const app = await anApp(database, { works: false })
  onCleanup(() => app.close())
  return app
})

const open = async (
  app: TestApp,
  user: { id: string },
): Promise<{ sessionId: string; url: string }> =>
  (
    await (
      await app.as(user)
    )({
      method: 'POST',
      url: '/api/create-payment-intent',
      payload: { planId: 'professional', amount: 19.99, description: 'Professional subscription' },
    })
  ).json()
/** A form's press, as a browser sends it. */
const press = (app: TestApp, sessionId: string, act: string) =>
  app.inject({
    method: 'POST',
    url: `/dev/checkout/${sessionId}/${act}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  })

/** The parts of a server that starts so many days later. */
const later = (app: TestApp, days: number) => {
  const { database, queue, log, config } = app.parts
  const { publicUrl } = config.web
  const clock = () => new Date(Date.now() + days * 86_400_000)
  const provider = testProvider({ db: database.db, clock, publicUrl })
  const deps: Deps & { provider: typeof provider } = {
    db: database.db,
    queue,
    log,
    clock,
    publicUrl,
    provider,
    places: semaphore(1),
  }
  return deps
}

test('the page says that no money moves, pays once, and leads back', async ({ db, app }) => {
  const user = await aUser(db)
  const { sessionId, url } = await open(app, user)
  expect(url).toBe(`http://localhost/dev/checkout/${sessionId}`)
  const page = await app.inject(`/dev/checkout/${sessionId}`)
  expect(page.body).toContain('No money moves')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.headers['content-security-policy']).toContain("form-action 'self' http://localhost;")
  const answers = await Promise.all([1, 2, 3].map(() => press(app, sessionId, 'pay')))
  for (const { headers } of answers)
    expect(headers.location).toBe(
      `http://localhost/subscription-success?plan=professional&session_id=${sessionId}`,
    )
  expect((await credits.balance(db, user.id)).available).toBe(150)
  expect((await press(app, sessionId, 'leave')).headers.location).toContain('subscription-success')
})

test('declining and leaving charge nothing, and the page says which it was', async ({
  db,
  app,
}) => {
  const user = await aUser(db)
  const { sessionId } = await open(app, user)
  expect((await press(app, sessionId, 'leave')).headers.location).toContain('checkout=left')
  await press(app, sessionId, 'decline')
  expect((await app.inject(`/dev/checkout/${sessionId}`)).body).toContain('The card was declined')
  expect((await press(app, sessionId, 'leave')).headers.location).toContain('checkout=declined')
  expect((await credits.balance(db, user.id)).available).toBe(0)
})

test('another site cannot press the button, and there are no other buttons', async ({
  db,
  app,
}) => {
  const { sessionId } = await open(app, await aUser(db))
  const foreign = await app.inject({
    method: 'POST',
    url: `/dev/checkout/${sessionId}/pay`,
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  })
  expect(foreign.statusCode).toBe(403)
  expect((await press(app, 'cs_test_nothing', 'pay')).statusCode).toBe(404)
  expect((await press(app, sessionId, 'refund')).statusCode).toBe(404)
})

test('a new month is paid when it comes, and a cancelled plan ends then', async ({ db, app }) => {
  const user = await aUser(db)
  const { sessionId } = await open(app, user)
  await press(app, sessionId, 'pay')
  const nextMonth = later(app, 32)
  await nextMonth.provider.passTime()
  await nextMonth.provider.passTime()
  await catchUp(nextMonth)
  expect((await credits.balance(db, user.id)).available).toBe(300)

  await (
    await app.as(user)
  )({ method: 'POST', url: '/api/billing/cancel' })
  const monthAfter = later(app, 70)
  await monthAfter.provider.passTime()
  await catchUp(monthAfter)
  const [row] = await db.select().from(users).where(eq(users.id, user.id))
  expect(row).toMatchObject({ planType: 'starter', subscriptionStatus: 'canceled' })
  expect((await credits.balance(db, user.id)).available).toBe(300)
})

test('a user who pays for a dearer plan keeps it, though the old one was cancelled', async ({
  db,
  app,
}) => {
  const user = await aUser(db)
  const { sessionId } = await open(app, user)
  await press(app, sessionId, 'pay')
  const as = await app.as(user)
  await as({ method: 'POST', url: '/api/billing/cancel' })
  const payload = { planId: 'enterprise', amountNow: 49.99 }
  const answer = await as({ method: 'POST', url: '/api/billing/change', payload })
  expect(answer.json().billing.plan).toMatchObject({ planId: 'enterprise', endsWithPeriod: false })
})

test('an account that ends takes its plan along', async ({ db, app }) => {
  const user = await aUser(db)
  const { sessionId } = await open(app, user)
  await press(app, sessionId, 'pay')
  const deps = later(app, 0)
  const [{ id } = { id: '' }] = (
    await db
      .transaction((tx) => eraseBilling(deps)(tx, user.id))
      .then(() =>
        db.execute<{ id: string }>('select id from billing_subscriptions order by created_at desc'),
      )
  ).rows
  expect((await deps.provider.subscription(id))?.status).toBe('canceled')
})

test('test payments cannot be had on a public address', () => {
  const onPublic = (settings: object) => () =>
    readConfig({ PUBLIC_URL: 'https://quoth.example', ...settings })
  expect(onPublic({ PAYMENTS: 'test' })).toThrow(ConfigError)
  expect(onPublic({})().payments.mode).toBe('off')
})

test('with payments off no checkout is opened, and the user is told', async ({ database, db }) => {
  const app = await anApp(database, { works: false, settings: { PAYMENTS: 'off' } })
  try {
    const user = await aUser(db)
    const as = await app.as(user)
    const payload = { planId: 'starter', amount: 9.99 }
    const answer = await as({ method: 'POST', url: '/api/create-payment-intent', payload })
    expect(answer.statusCode).toBe(503)
    expect(answer.json().message).toBe('Payment system is not available')
    expect((await as('/api/billing')).json().payments).toBe('off')
    expect(app.app.hasRoute({ method: 'GET', url: '/dev/checkout/:id' })).toBe(false)
    expect(app.app.hasRoute({ method: 'POST', url: '/api/stripe/webhook' })).toBe(false)
  } finally {
    await app.close()
  }
})
