/**
 * One call that takes a recording, prices it and starts the work: the part that our own route and
 * OpenAI's share. Under
 * an Idempotency-Key the answer is written in the transaction that charges, so there is never a
 * charge without the answer that a repeat gets, nor the other way round. A route can
 * ask that a call without a key is recognised by its form for a while, for programs that try again by
 * themselves.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Wish } from '#features/recordings/options.ts'
import type { Arrived } from '#features/recordings/uploads.ts'
import type { Begun, Recordings } from '#features/transcriptions/direct.ts'
import type { Db, Tx } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { announcedBytes, dropUnreadBody, whileConnected } from '#server/request-body.ts'
import type { Threads } from '#server/threads.ts'
import { Refusal } from '#shared/refusals.ts'

import { passOver, readKnown } from './form.ts'
import * as idempotency from './idempotency.ts'

export interface DirectDeps {
  db: Db
  log: Log
  threads: Threads
  recordings: Recordings
}

interface DirectCall<W extends Wish> {
  userId: string
  /** Understands the fields. @throws Refusal */
  read: (fields: Record<string, string[]>) => W
  /** The text that is kept under an Idempotency-Key: the answer, or the way to it. */
  write: (begun: Begun, asked: Wish) => string
  /**
   * Tells whether the text that an earlier call wrote still leads to an answer. Where this is given, a
   * call without a key is recognised by its form, so that a program that sends it again does not pay
   * again.
   */
  isStillGood?: (written: string) => Promise<boolean>
}

/** The headers of the answers to such calls. */
export const creditHeaders = {
  'X-Credits-Charged': 'Credits set aside for this recording.',
  'X-Credits-Remaining': 'Credits that are left to spend.',
}

interface Taken<W> {
  asked: W
  written: string
  /** The key that stands for a call that has none. */
  unkeyed: idempotency.CallKey | null
}

interface Call<W extends Wish> extends DirectDeps, DirectCall<W> {
  request: FastifyRequest
  signal: AbortSignal
}

/**
 * Answers what was asked and what `write` wrote, by this request or by the first under its key.
 *
 * @throws Refusal whatever an upload is refused for; `idempotency_key_reused`, `idempotency_key_in_use`
 */
export async function takeRecording<W extends Wish>(
  deps: DirectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  direct: DirectCall<W>,
): Promise<Taken<W>> {
  dropUnreadBody(request, reply)
  const call = { ...deps, ...direct, request, signal: whileConnected(reply) }
  const key = idempotency.keyIn(request.headers['idempotency-key'])
  if (!request.isMultipart()) throw new Refusal('no_file')
  if (key !== null) return takeUnderKey(call, key)
  if (direct.isStillGood) return takeKnown(call, direct.isStillGood)
  return receive(call, async (order) => {
    return { asked: order.asked, written: await begin(call, order, null), unkeyed: null }
  })
}

async function takeUnderKey<W extends Wish>(call: Call<W>, key: string): Promise<Taken<W>> {
  const { db, userId, request, signal, read } = call
  const claim = await idempotency.claim(db, { userId, key })
  if (claim)
    return under(call, claim, () =>
      receive(call, async (order) => {
        return { asked: order.asked, written: await begin(call, order, claim), unkeyed: null }
      }),
    )
  const { fields, fingerprint } = await readKnown(request, passOver)
  const earlier = await idempotency.answered(db, { userId, key, fingerprint }, signal)
  return { asked: read(fields), written: earlier.body, unkeyed: null }
}

/** A call without a key: does the work, unless the same form is known. Then its file is deleted again. */
async function takeKnown<W extends Wish>(
  call: Call<W>,
  isGood: (written: string) => Promise<boolean>,
): Promise<Taken<W>> {
  const { db, userId, request, read } = call
  try {
    return await receive(call, async (order) => {
      const { asked, fingerprint } = order
      const unkeyed = idempotency.unkeyed(userId, fingerprint)
      for (;;) {
        const claim = await idempotency.claim(db, { ...unkeyed, fingerprint })
        const written = claim
          ? await under(call, claim, () => begin(call, order, claim))
          : await earlierOf(call, fingerprint, isGood)
        if (written !== null) return { asked, written, unkeyed }
      }
    })
  } catch (error) {
    // This may be a repeat, refused because its first call has taken the last credits.
    const isShort = error instanceof Refusal && error.code === 'insufficient_credits'
    const isRead = request.raw.readableDidRead
    if (!isShort || isRead || !(await idempotency.knowsUnkeyed(db, userId))) throw error
    const { fields, fingerprint } = await readKnown(request, passOver)
    const written = await earlierOf(call, fingerprint, isGood)
    if (written === null) throw error
    return { asked: read(fields), written, unkeyed: idempotency.unkeyed(userId, fingerprint) }
  }
}

/** The text that the same form led to; null when there is none, or none any more. */
async function earlierOf(
  { db, userId, signal }: Call<Wish>,
  fingerprint: string,
  isGood: (written: string) => Promise<boolean>,
): Promise<string | null> {
  const unkeyed = idempotency.unkeyed(userId, fingerprint)
  try {
    const { body } = await idempotency.answered(db, { ...unkeyed, fingerprint }, signal)
    if (await isGood(body)) return body
    await idempotency.forget(db, unkeyed, body)
    return null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'idempotency_key_in_use') return null
    throw error
  }
}

interface Order<W> {
  asked: W
  arrived: Arrived
  fingerprint: string
}

/** Lets the call in, and reads its form. Where the fields are bad the file has come for nothing. */
async function receive<W extends Wish, T>(
  { recordings, userId, request, signal, read }: Call<W>,
  work: (order: Order<W>) => Promise<T>,
): Promise<T> {
  return recordings.receive({ userId, bytes: announcedBytes(request) }, async (store) => {
    const { fields, kept, fingerprint } = await readKnown(request, (file) => store(file, signal))
    const asked = await recordings.accept({ userId, ...read(fields) })
    return work({ asked, arrived: kept, fingerprint })
  })
}

async function begin<W extends Wish>(
  { recordings, userId, signal, write }: Call<W>,
  { asked, arrived, fingerprint }: Order<W>,
  claimed: idempotency.Claim | null,
): Promise<string> {
  const { summaryLanguage, options, recorded, document } = asked
  let written = ''
  const within = async (tx: Tx, begun: Begun) => {
    written = write(begun, asked)
    if (claimed) await idempotency.answer(tx, claimed, { fingerprint, status: 201, body: written })
  }
  const wish = { summaryLanguage, options, recorded, document }
  await recordings.begin({ userId, arrived, ...wish, within }, signal)
  return written
}

/** Keeps the claim while the work goes on, and gives it back when the work fails. */
async function under<T>(
  { db, log, request }: Pick<Call<Wish>, 'db' | 'log' | 'request'>,
  claimed: idempotency.Claim,
  work: () => Promise<T>,
): Promise<T> {
  const stop = idempotency.keep(db, claimed, (error) =>
    log.warn({ err: error, requestId: request.id }, 'an idempotency key was not renewed'),
  )
  try {
    return await work()
  } catch (error) {
    await idempotency.release(db, claimed)
    throw error
  } finally {
    stop()
  }
}
