/**
 * An owner's data: a copy of all of it, or its end. What this part promises:
 *
 * - The copy holds the data of every room, in files that other programs read. A file that is missing on
 *   the server, or cannot be written, is named in it, and does not keep the rest from its owner.
 * - Deleting an account is one transaction over all rooms: afterwards nothing is found under the
 *   user any more, and no job goes on for them. Files follow at once; the sweep finds what a crash
 *   in between has left.
 * - What stays is the ledger, under an id that names nobody any more, a hash that keeps the credits
 *   of a sign-up from being earned twice, and a receipt that says how much was erased and not whose.
 */
import type { Readable } from 'node:stream'

import { desc, eq } from 'drizzle-orm'

import * as credits from '#features/credits/credits.ts'
import { asJson } from '#server/columns.ts'
import { type Db, type Tx, isDeadlock } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import type { Erase, Exporter } from '#server/personal-data.ts'
import { zipped } from '#server/zip.ts'
import { Refusal } from '#shared/refusals.ts'

import type * as account from './account.ts'
import * as activity from './activity.ts'
import type { DataSize, DeleteAccount, DeletionReceipt } from './contract.ts'
import { keyOf } from './email-address.ts'
import { type Owner, prove } from './profile.ts'
import {
  activity as activityRows,
  deletionReceipts,
  identities,
  invitations,
  pictures,
  users,
} from './tables.ts'
import * as sessions from './sessions.ts'
import * as throttle from './throttle.ts'

type Deps = Pick<account.Deps, 'db' | 'clock'>

export interface DataDeps extends Deps {
  exporters: readonly Exporter[]
  erasers: readonly Erase[]
  log: Log
  /** Removes mails to an address that were kept instead of sent. */
  forgetMailsTo: (email: string) => Promise<void>
}

const LEDGER_PAGE = 500
const MISSING = 'These files were not found on the server, so they are not in this archive:'
const FAILED =
  'These could not be read, because something broke on our side, so they are not in this archive:'

export async function size({ exporters }: DataDeps, userId: string): Promise<DataSize> {
  const parts = []
  for (const { name, sizeFor } of exporters) parts.push({ name, ...(await sizeFor(userId)) })
  return { parts }
}

/** The archive as a stream. */
export async function archive(
  { db, clock, exporters, log }: DataDeps,
  { userId, device }: Pick<Owner, 'userId' | 'device'>,
): Promise<Readable> {
  await activity.note(db, { userId, kind: 'data_exported', device, now: clock() })
  return zipped({ log }, async ({ add, isOver }) => {
    const missing: string[] = []
    const failed: string[] = []
    const leaveOut = (what: string, error: unknown) => {
      failed.push(what)
      log.error({ event: 'export_failed', userId, err: error }, 'left out of a copy of everything')
    }
    for (const { name, exportFor } of exporters)
      try {
        for await (const file of exportFor(userId)) {
          if (isOver()) return
          const isThere = await add(file).catch((error: unknown) => leaveOut(file.path, error))
          if (isThere === false) missing.push(file.path)
        }
      } catch (error) {
        leaveOut(name, error)
      }
    if (missing.length > 0)
      log.warn({ event: 'export_incomplete', userId, missing: missing.length }, 'files are missing')
    const notes = [
      ...(missing.length > 0 ? [MISSING, ...missing, ''] : []),
      ...(failed.length > 0 ? [FAILED, ...failed, ''] : []),
    ]
    if (notes.length === 0) return
    await add({ path: 'README.txt', content: notes.join('\r\n'), modifiedAt: clock() })
  })
}

/** The data of this room and of the ledger about a user. */
export function accountExporter(db: Db): Exporter {
  return {
    name: 'account',
    sizeFor: async () => ({ files: 2, sizeBytes: 0 }),
    async *exportFor(userId) {
      const modifiedAt = new Date()
      const [user] = await db.select().from(users).where(eq(users.id, userId))
      if (!user) return
      const {
        passwordHash: _hash,
        emailKey: _key,
        browserHash: _browser,
        next: _next,
        readyMailKey: _readyMailKey,
        ...own
      } = user
      const signInElsewhere = await db
        .select({
          issuer: identities.issuer,
          email: identities.email,
          linkedAt: identities.createdAt,
        })
        .from(identities)
        .where(eq(identities.userId, userId))
      const signedIn = await sessions.list(db, { userId, now: modifiedAt })
      const happened = await db
        .select()
        .from(activityRows)
        .where(eq(activityRows.userId, userId))
        .orderBy(desc(activityRows.id))
      const { createdAt, usedAt } = invitations
      const invited = await db
        .select({ invitedAt: createdAt, usedAt })
        .from(invitations)
        .where(eq(invitations.emailKey, user.emailKey))
      const all = { account: own, invited, signInElsewhere, sessions: signedIn, activity: happened }
      yield { path: 'account.json', content: JSON.stringify(all, null, 2), modifiedAt }
      yield { path: 'credits.csv', content: await ledger(db, userId), modifiedAt }
      const [picture] = await db.select().from(pictures).where(eq(pictures.userId, userId))
      if (picture)
        yield {
          path: `picture.${picture.mediaType.replace('image/', '')}`,
          content: picture.bytes,
          modifiedAt,
        }
    },
  }
}

async function ledger(db: Db, userId: string): Promise<string> {
  const lines = ['date,what,credits,available,held,cause']
  let before: number | undefined
  for (;;) {
    const page = await credits.entries(db, {
      userId,
      limit: LEDGER_PAGE,
      ...(before === undefined ? {} : { before }),
    })
    for (const { createdAt, kind, credits: moved, availableAfter, heldAfter, cause } of page)
      lines.push([createdAt.toISOString(), kind, moved, availableAfter, heldAfter, cause].join(','))
    const last = page.at(-1)
    if (!last || page.length < LEDGER_PAGE) return `${lines.join('\r\n')}\r\n`
    before = last.id
  }
}

/**
 * Ends an account for good, with everything that every room keeps about it.
 *
 * @throws Refusal `wrong_confirmation`, `wrong_current_password`, `too_many_attempts`, `too_many_sign_ins`
 */
export async function deleteAccount(
  deps: DataDeps,
  owner: Owner & DeleteAccount,
): Promise<DeletionReceipt> {
  const { db, clock, erasers, log } = deps
  const { userId } = owner
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Refusal('not_signed_in')
  if (keyOf(owner.confirmation.trim()) !== user.emailKey) throw new Refusal('wrong_confirmation')
  await prove(deps, owner, owner.password)

  const end = async (tx: Tx) => {
    // Locked before the first room erases: nothing of theirs can be added from here on.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const erased = []
    for (const erase of erasers) erased.push(await erase(tx, userId))
    await throttle.forgive(tx, user.email)
    await tx.delete(invitations).where(eq(invitations.emailKey, user.emailKey))
    await tx.delete(users).where(eq(users.id, userId))
    const counts = Object.assign({}, ...erased.map(({ counts }) => counts)) as Record<
      string,
      number
    >
    const [receipt] = await tx
      .insert(deletionReceipts)
      .values({ erased: { accounts: 1, ...counts }, at: clock() })
      .returning()
    if (!receipt) throw new Error('a receipt that was just written is gone')
    return { receipt, afterwards: erased.flatMap((each) => each.afterwards ?? []) }
  }
  const { receipt, afterwards } = await db.transaction(end).catch((error: unknown) => {
    // Work that was going on took its locks in another order; once more, it is out of the way.
    if (!isDeadlock(error)) throw error
    return db.transaction(end)
  })
  // The account is gone: what fails now must keep neither the rest nor the receipt.
  for (const each of [...afterwards, () => deps.forgetMailsTo(user.email)])
    try {
      await each()
    } catch (error) {
      log.error({ event: 'erase_unfinished', receiptId: receipt.id, err: error }, 'left behind')
    }
  return asJson(receipt)
}
