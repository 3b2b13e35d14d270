/** Sends a mail when a balance falls below the number that its user chose: one mail for each fall. */
import { eq } from 'drizzle-orm'

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
    for (const { userId, below, sentAt } of alerts) {
      const available = balances.get(userId) ?? 0
      const isLow = available < below
      if (isLow === (sentAt !== null)) continue
      await tx
        .update(creditAlerts)
        .set({ sentAt: isLow ? clock() : null })
        .where(eq(creditAlerts.userId, userId))
      if (!isLow) continue
      await addMail(queue, tx, lowBalance, { userId })
      await onEvent?.(tx, { userId, type: 'credits.low', data: { below, available } })
    }
  })
}
