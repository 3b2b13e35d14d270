/**
 * One call that takes a recording, prices it and starts the work: what the two ways in share. Under
 * an Idempotency-Key the answer is written in the transaction that charges, so there is never a
 * charge without the answer that a repeat gets, nor the other way round. Where a caller wants it, a
 * call without a key is known by its form for a while, for programs that try again by themselves.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { OrderDocument } from '#features/documents/contract.ts'
import * as documents from '#features/documents/documents.ts'
import type { KeptOptions } from '#features/recordings/options.ts'
import type { Arrived } from '#features/recordings/uploads.ts'
import type { Begun, Recordings } from '#features/transcriptions/direct.ts'
import type { Db } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { announcedBytes, dropUnreadBody, partsOf, whileConnected } from '#server/request-body.ts'
import type { Threads } from '#server/threads.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { passOver, readForm } from './form.ts'
import * as idempotency from './idempotency.ts'

export interface DirectDeps {
  db: Db
  log: Log
  threads: Threads
  recordings: Recordings
}

/** What a form asks for, once it is understood. */
export interface Wish {
  summaryLanguage: SummaryLanguage
  options: KeptOptions
  document?: OrderDocument | null
}

interface DirectCall<Asked extends Wish> {
  userId: string
  /** Understands the fields. @throws Refusal */
  read: (fields: Record<string, string[]>) => Asked
  /** What is kept under an Idempotency-Key, and is the answer or leads to it. */
  write: (begun: Begun) => string
  /**
   * Where it is given, a call without a key is known by its form, so that a program that sends it
   * again by itself does not pay again: whether what an earlier one wrote still leads to an answer.
   */
  isStillGood?: (written: string) => Promise<boolean>
}

/** What the answers to such calls say in their headers. */
export const creditHeaders = {
  'X-Credits-Charged': 'Credits set aside for this recording.',
  'X-Credits-Remaining': 'Credits that are left to spend.',
}

interface Taken<Asked> {
  asked: Asked
  written: string
  /** What a call without a key is known by. */
  unkeyed: idempotency.Asked | null
}

/**
 * Answers what was asked and what `write` wrote, by this request or by the first under its key.
 *
 * @throws Refusal whatever an upload is refused for; `idempotency_key_reused`, `idempotency_key_in_use`
 */
export async function takeRecording<Asked extends Wish>(
  { db, log, recordings }: DirectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { userId, read, write, isStillGood }: DirectCall<Asked>,
): Promise<Taken<Asked>> {
  dropUnreadBody(request, reply)
  const signal = whileConnected(reply)
  const key = idempotency.keyIn(request.headers['idempotency-key'])
  if (!request.isMultipart()) throw new Refusal('no_file')
  const where = request.routeOptions.url ?? ''
  const fingerprintOf = (form: { fingerprint: string }) =>
    idempotency.fingerprintOf([where, form.fingerprint])
  const passForm = () =>
    readForm(partsOf(request), { keep: passOver, discard: async () => undefined })

  const claim = key === null ? null : await idempotency.claim(db, { userId, key })
  if (key !== null && claim === null) {
    const form = await passForm()
    const fingerprint = fingerprintOf(form)
    const earlier = await idempotency.answered(db, { userId, key, fingerprint }, signal)
    return { asked: read(form.fields), written: earlier.body, unkeyed: null }
  }

  let isReading = false
  const upload = async (): Promise<Taken<Asked>> => {
    isReading = true
    const form = await readForm(partsOf(request), {
      keep: (file) => recordings.store(file, signal),
      discard: (arrived) => recordings.discard(arrived),
    })
    const asked = await understood(form)
    const order = { asked, arrived: form.kept, fingerprint: fingerprintOf(form) }
    if (key === null && isStillGood) return knownByForm(order, isStillGood)
    return { asked, written: await begin(order, claim), unkeyed: null }
  }
  try {
    return await under(claim, () =>
      recordings.admitted({ userId, announcedBytes: announcedBytes(request) }, upload),
    )
  } catch (error) {
    // This may be a repeat, refused because its first call has taken the last credits.
    const isShort = error instanceof Refusal && error.code === 'insufficient_credits'
    if (!isShort || isReading || key !== null || !isStillGood) throw error
    if (!(await idempotency.knowsUnkeyed(db, userId))) throw error
    const form = await passForm()
    const fingerprint = fingerprintOf(form)
    const unkeyed = idempotency.unkeyed(userId, fingerprint)
    const written = await answerOf({ unkeyed, fingerprint }, isStillGood)
    if (written === null) throw error
    return { asked: read(form.fields), written, unkeyed }
  }

  /** Does the work unless the same form is known. The second file goes again then. */
  async function knownByForm(
    order: { asked: Asked; arrived: Arrived; fingerprint: string },
    isGood: (written: string) => Promise<boolean>,
  ): Promise<Taken<Asked>> {
    const { asked, arrived, fingerprint } = order
    const unkeyed = idempotency.unkeyed(userId, fingerprint)
    let mine: idempotency.Claim | null = null
    try {
      while (mine === null) {
        mine = await idempotency.claim(db, { ...unkeyed, fingerprint })
        if (mine) break
        const written = await answerOf({ unkeyed, fingerprint }, isGood)
        if (written === null) continue
        await recordings.discard(arrived)
        return { asked, written, unkeyed }
      }
    } catch (error) {
      await recordings.discard(arrived)
      throw error
    }
    const claimed = mine
    const written = await under(claimed, () => begin(order, claimed))
    return { asked, written, unkeyed }
  }

  /** What the same form led to, or null when there is nothing, or nothing any more. */
  async function answerOf(
    { unkeyed, fingerprint }: { unkeyed: idempotency.Asked; fingerprint: string },
    isGood: (written: string) => Promise<boolean>,
  ): Promise<string | null> {
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

  async function begin(
    { asked, arrived, fingerprint }: { asked: Asked; arrived: Arrived; fingerprint: string },
    claimed: idempotency.Claim | null,
  ): Promise<string> {
    const { summaryLanguage, options, document = null } = asked
    let written = ''
    await recordings.begin(
      {
        userId,
        arrived,
        summaryLanguage,
        options,
        document,
        async within(tx, begun) {
          written = write(begun)
          if (claimed)
            await idempotency.answer(tx, claimed, { fingerprint, status: 201, body: written })
        },
      },
      signal,
    )
    return written
  }

  /** Keeps the claim while the work goes on, and gives it back when nothing came of it. */
  async function under<T>(claimed: idempotency.Claim | null, work: () => Promise<T>): Promise<T> {
    if (!claimed) return work()
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

  /** The file is there already: where the fields are bad it must go again. */
  async function understood(form: { fields: Record<string, string[]>; kept: Arrived }) {
    try {
      const asked = read(form.fields)
      await recordings.need(asked)
      if (asked.document) await documents.requirePlan(db, userId)
      return asked
    } catch (error) {
      await recordings.discard(form.kept)
      throw error
    }
  }
}
