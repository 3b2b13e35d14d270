/**
 * One-time links in mails: a random token of 256 bits, kept as a hash, good once and for a while.
 * Opening the address consumes nothing; the page posts the token.
 */
import { and, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm'

import type { Queryable, Tx } from '#server/db.ts'

import type { Grant } from './grant.ts'
import { hashOf, newToken } from './sessions.ts'
import { emailLinks, users } from './tables.ts'

export type LinkKind = (typeof emailLinks.$inferSelect)['kind']

const MINUTE_MS = 60 * 1000
export const linkLives: Record<LinkKind, { ms: number; words: string }> = {
  verify: { ms: 24 * 60 * MINUTE_MS, words: '24 hours' },
  reset: { ms: 15 * MINUTE_MS, words: '15 minutes' },
  'change-old': { ms: 24 * 60 * MINUTE_MS, words: '24 hours' },
  'change-new': { ms: 24 * 60 * MINUTE_MS, words: '24 hours' },
}

export async function create(
  tx: Tx,
  { userId }: Grant,
  { kind, now }: { kind: LinkKind; now: Date },
): Promise<string> {
  const token = newToken()
  const expiresAt = new Date(now.getTime() + linkLives[kind].ms)
  const tokenHash = hashOf(token)
  await tx.insert(emailLinks).values({ tokenHash, userId, kind, createdAt: now, expiresAt })
  return token
}

/**
 * Ends the older links of the same kind: the newest mail is the one that counts. Of two made in
 * the same millisecond one is taken as the older, so that parallel mails do not end each other.
 */
export async function endOlder(
  db: Queryable,
  { userId, kind, token, now }: { userId: string; kind: LinkKind; token: string; now: Date },
): Promise<void> {
  const { tokenHash, createdAt } = emailLinks
  const own = db
    .select()
    .from(emailLinks)
    .where(eq(tokenHash, hashOf(token)))
    .as('own')
  await db
    .update(emailLinks)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailLinks.userId, userId),
        eq(emailLinks.kind, kind),
        isNull(emailLinks.usedAt),
        sql`(${createdAt}, ${tokenHash}) < (select ${own.createdAt}, ${own.tokenHash} from ${own})`,
      ),
    )
}

/** A link as it is shown again. `kinds` are those that the call is for. */
interface PresentedLink {
  token: string
  kinds: readonly LinkKind[]
  now: Date
}

/** Whose link it is, while it is good. Only a look: using it is what decides. */
export async function find(
  db: Queryable,
  shown: PresentedLink,
): Promise<{ userId: string; kind: LinkKind; user: typeof users.$inferSelect } | null> {
  const { userId, kind } = emailLinks
  const [link] = await db
    .select({ userId, kind, user: users })
    .from(emailLinks)
    .innerJoin(users, eq(users.id, userId))
    .where(good(shown))
  return link ?? null
}

/** Uses a link up. Of many at once, one gets its user; the others get null. */
export async function use(tx: Tx, shown: PresentedLink): Promise<string | null> {
  const [link] = await tx
    .update(emailLinks)
    .set({ usedAt: shown.now })
    .where(good(shown))
    .returning({ userId: emailLinks.userId })
  return link?.userId ?? null
}

/** Ends every link of a user, or those of some kinds. */
export async function endAll(
  tx: Tx,
  { userId, kinds, now }: { userId: string; kinds?: readonly LinkKind[]; now: Date },
): Promise<void> {
  await tx
    .update(emailLinks)
    .set({ usedAt: now })
    .where(
      and(
        eq(emailLinks.userId, userId),
        kinds && inArray(emailLinks.kind, [...kinds]),
        isNull(emailLinks.usedAt),
      ),
    )
}

export async function forgetExpired(db: Queryable, now: Date): Promise<void> {
  await db.delete(emailLinks).where(lt(emailLinks.expiresAt, now))
}

function good({ token, kinds, now }: PresentedLink) {
  return and(
    eq(emailLinks.tokenHash, hashOf(token)),
    inArray(emailLinks.kind, [...kinds]),
    isNull(emailLinks.usedAt),
    gt(emailLinks.expiresAt, now),
  )
}
