/** Mails users who asked for it when their balance falls below their number, once each time. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import type { Db, Queryable } from '#server/db.ts'
import type { OnEvent } from '#server/events.ts'
import { addMail } from '#server/mail-jobs.ts'
import type { Queue } from '#server/queue.ts'
import type { Clock } from '#shared/clock.ts'

import { lowBalance } from './mails.ts'
import { creditAlerts } from './tables.ts'

/** Null switches it off. A new number starts afresh. */
export async function setAlert(
  db: Queryable,
  { userId, below }: { userId: string; below: number | null },
): Promise<void> {
  if (below === null) {
    await db.delete(creditAlerts).where(eq(creditAlerts.userId, userId))
    return
  }
  await db
    .insert(creditAlerts)
    .values({ userId, below })
    .onConflictDoUpdate({ target: creditAlerts.userId, set: { below, sentAt: null } })
}

export async function alertOf(db: Queryable, userId: string): Promise<number | null> {
  const [alert] = await db.select().from(creditAlerts).where(eq(creditAlerts.userId, userId))
  return alert?.below ?? null
}

export async function remindOfLowBalances({
  db,
  queue,
  clock,
  onEvent,
}: {
  db: Db
  queue: Queue
  clock: Clock
  onEvent?: OnEvent
}): Promise<void> {
  await db.transaction(async (tx) => {
    const alerts = await tx.select().from(creditAlerts).for('update')
    const balances = await credits.balances(
      tx,
      alerts.map(({ userId }) => userId),
    )
    const isLow = (alert: (typeof alerts)[number]) =>
      (balances.get(alert.userId) ?? 0) < alert.below
    const risen = alerts.filter((alert) => alert.sentAt && !isLow(alert))
    const fallen = alerts.filter((alert) => !alert.sentAt && isLow(alert))

    const of = (some: typeof alerts) =>
      inArray(
        creditAlerts.userId,
        some.map(({ userId }) => userId),
      )
    await tx
      .update(creditAlerts)
      .set({ sentAt: null })
      .where(and(of(risen), isNotNull(creditAlerts.sentAt)))
    await tx
      .update(creditAlerts)
      .set({ sentAt: clock() })
      .where(and(of(fallen), isNull(creditAlerts.sentAt)))
    for (const { userId, below } of fallen) {
      await addMail(queue, tx, lowBalance, { userId })
      const data = { below, available: balances.get(userId) ?? 0 }
      await onEvent?.(tx, { userId, type: 'credits.low', data })
    }
  })
}
