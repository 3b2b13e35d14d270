/**
 * Counts the openings of a link: each browser once a day. It keeps a hash of a visitor until the day
 * is over.
 */
import { eq, sql } from 'drizzle-orm'

import type { Db } from '#server/db.ts'
import { networkOf } from '#server/network.ts'
import { derive } from '#server/secret-key.ts'

import { shareOpenings, shares } from './tables.ts'

/** Programs that fetch an address because somebody wrote it in a message. */
const previews =
  /bot\b|bot[/;]|crawl|spider|preview|facebookexternalhit|whatsapp|slack|embed|curl|wget/i

export interface Visitor {
  ip: string
  browser: string
  /** `Sec-Purpose` of a page that is fetched before anybody asks for it. */
  purpose: string
}

export async function count(
  db: Db,
  {
    shareId,
    visitor: { ip, browser, purpose },
    secretKey,
    now,
  }: { shareId: string; visitor: Visitor; secretKey: string; now: Date },
): Promise<void> {
  if (previews.test(browser) || /prefetch|prerender/.test(purpose)) return
  const day = now.toISOString().slice(0, 10)
  const visitorHash = derive(secretKey, 'visitor', shareId, day, networkOf(ip), browser)
  await db.transaction(async (tx) => {
    const isNew = await tx
      .insert(shareOpenings)
      .values({ shareId, day, visitorHash: visitorHash.toString('base64url') })
      .onConflictDoNothing()
      .returning({ day: shareOpenings.day })
    const more = isNew.length > 0 ? { openings: sql`${shares.openings} + 1` } : {}
    await tx
      .update(shares)
      .set({ ...more, lastOpenedAt: now })
      .where(eq(shares.id, shareId))
  })
}
