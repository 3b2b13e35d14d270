/**
 * Makes many purchases whose events come late, twice, in any order, and during crashes, then checks
 * the credits that were granted for them. The bench makes many, the test a few.
 */
import * as credits from '#features/credits/credits.ts'
import type { Db } from '#server/db.ts'
import { mailJob } from '#server/mail-jobs.ts'
import { plans } from '#shared/business.ts'

import { aUser } from './factories.ts'
import type { FakeEvent } from './fakes/stripe.ts'
import type { Shop } from './payments.ts'

export interface PurchaseReport {
  purchases: number
  paid: number
  deliveries: number
  looks: number
  crashes: number
  problems: string[]
}

/** Fails a transaction after the grant, as a crash at the worst moment would. */
export interface Crash {
  next: () => boolean
  count: number
}

/**
 * Each purchase is another user's. Some are paid, some are not. Every event is delivered one to five
 * times, and every buyer looks at the success page zero to ten times, all of it shuffled.
 */
export async function purchases(
  db: Db,
  shop: Shop,
  { count, random, crash }: { count: number; random: () => number; crash: Crash },
): Promise<PurchaseReport> {
  const upTo = (most: number) => Math.floor(random() * (most + 1))
  const steps: (() => Promise<void>)[] = []
  const bought: { userId: string; isPaid: boolean; credits: number }[] = []
  const report = { deliveries: 0, looks: 0 }

  for (let n = 0; n < count; n++) {
    const plan = plans[n % plans.length]!
    const user = await aUser(db)
    const { sessionId } = await shop.open(user, plan.id)
    const isPaid = random() < 0.8
    const from = shop.stripe.events.length
    if (isPaid) shop.stripe.pay(sessionId)
    else if (random() < 0.5) shop.stripe.pay(sessionId, { payment_status: 'unpaid' })
    bought.push({ userId: user.id, isPaid, credits: plan.credits })

    const as = await shop.as(user)
    const payload = { planId: plan.id, sessionId }
    for (const event of shop.stripe.events.slice(from))
      for (let times = 1 + upTo(4); times > 0; times--)
        steps.push(async () => {
          report.deliveries++
          await untilTaken(shop, event, crash)
        })
    for (let times = upTo(10); times > 0; times--)
      steps.push(async () => {
        report.looks++
        // A crash is answered with 500; the buyer loads the page again later.
        await as({ method: 'POST', url: '/api/subscription-success', payload })
      })
  }

  for (let n = steps.length - 1; n > 0; n--) {
    const other = upTo(n)
    ;[steps[n], steps[other]] = [steps[other]!, steps[n]!]
  }
  // Several at once, as they come to a server.
  const lanes = Array.from({ length: 6 }, async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step()
  })
  await Promise.all(lanes)

  const problems = await credits.verify(db)
  for (const { userId, isPaid, credits: expected } of bought) {
    const entries = await credits.entries(db, { userId, limit: 100 })
    const granted = entries.filter(({ kind }) => kind === 'grant')
    const sum = granted.reduce((total, entry) => total + entry.credits, 0)
    if (sum !== (isPaid ? expected : 0) || granted.length > 1)
      problems.push(`${userId} paid ${isPaid ? expected : 0} and was granted ${sum}`)
  }
  const paid = bought.filter(({ isPaid }) => isPaid).length
  return { purchases: count, paid, ...report, crashes: crash.count, problems }
}

/**
 * Delivers an event until it is answered with 200, as Stripe does. Sometimes that answer is lost.
 */
async function untilTaken(shop: Shop, event: FakeEvent, crash: Crash): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const status = await shop.deliver(event)
    const isAnswerLost = crash.next()
    if (isAnswerLost) crash.count++
    if (status === 200 && !isAnswerLost) return
  }
  throw new Error(`${event.type} was never taken`)
}

/** A queue whose jobs fail to be added now and then, after the credits were granted. */
export function crashing(shop: Shop, crash: Crash): void {
  const { queue } = shop.parts
  const add = queue.add.bind(queue)
  queue.add = async (tx, kind, data, options) => {
    if (kind.name === mailJob.name && crash.next()) {
      crash.count++
      throw new Error('crashed before the transaction was committed')
    }
    return add(tx, kind, data, options)
  }
}
