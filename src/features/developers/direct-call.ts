/**
 * One call that takes a recording, prices it and starts the work: what the two ways in share. Under
 * an Idempotency-Key the answer is written in the transaction that charges, so there is never a
 * charge without the answer that a repeat gets, nor the other way round.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { OrderDocument } from '#features/documents/contract.ts'
import * as documents from '#features/documents/documents.ts'
import type { Turn } from '#features/speech/contract.ts'
import type { ConfirmAnswer, Transcription } from '#features/transcriptions/contract.ts'
import type { Db, Tx } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { announcedBytes, dropUnreadBody, whileConnected } from '#server/request-body.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import { type IncomingFile, passOver, readForm } from './form.ts'
import * as idempotency from './idempotency.ts'

interface Owned {
  userId: string
  id: string
}

export interface Begun extends ConfirmAnswer {
  transcription: Transcription
}

export interface Finished {
  language: string | null
  durationMs: number
  text: string
  turns: Turn[]
  /** The names that speakers were given, by number. */
  names: ReadonlyMap<number, string>
}

/** What the room of transcriptions does for this one. */
export interface Recordings<Arrived = unknown> {
  admitted<T>(
    who: { userId: string; announcedBytes: number | null },
    upload: () => Promise<T>,
  ): Promise<T>
  store(file: IncomingFile, signal: AbortSignal): Promise<Arrived>
  discard(arrived: Arrived): Promise<void>
  begin(
    order: {
      userId: string
      arrived: Arrived
      summaryLanguage: SummaryLanguage
      spokenLanguage: string | null
      document?: OrderDocument | null
      within?: (tx: Tx, begun: Begun) => Promise<void>
    },
    signal: AbortSignal,
  ): Promise<Begun>
  progress(
    owned: Owned,
  ): Promise<{ status: string; errorMessage: string | null; errorCode: string | null }>
  read(owned: Owned): Promise<Finished>
}

export interface DirectDeps {
  db: Db
  log: Log
  recordings: Recordings
}

/** What a form asks for, once it is understood. */
export interface Wish {
  summaryLanguage: SummaryLanguage
  spokenLanguage: string | null
  document?: OrderDocument | null
}

interface DirectCall<Asked extends Wish> {
  userId: string
  /** Understands the fields. @throws Refusal */
  read: (fields: Record<string, string[]>) => Asked
  /** What is kept under an Idempotency-Key, and is the answer or leads to it. */
  write: (begun: Begun) => string
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
  { userId, read, write }: DirectCall<Asked>,
): Promise<{ asked: Asked; written: string }> {
  dropUnreadBody(request, reply)
  const signal = whileConnected(reply)
  const key = idempotency.keyIn(request.headers['idempotency-key'])
  if (!request.isMultipart()) throw new Refusal('no_file')
  const where = request.routeOptions.url ?? ''

  const claim = key === null ? null : await idempotency.claim(db, { userId, key })
  if (key !== null && claim === null) {
    const form = await readForm(request.parts(), { keep: passOver, discard: async () => undefined })
    const fingerprint = idempotency.fingerprintOf([where, form.fingerprint])
    const earlier = await idempotency.answered(db, { userId, key, fingerprint }, signal)
    return { asked: read(form.fields), written: earlier.body }
  }

  const stop = claim
    ? idempotency.keep(db, claim, (error) =>
        log.warn({ err: error, requestId: request.id }, 'an idempotency key was not renewed'),
      )
    : () => undefined
  try {
    return await recordings.admitted(
      { userId, announcedBytes: announcedBytes(request) },
      async () => {
        const form = await readForm(request.parts(), {
          keep: (file) => recordings.store(file, signal),
          discard: (arrived) => recordings.discard(arrived),
        })
        const asked = await understood(form)
        const { summaryLanguage, spokenLanguage, document = null } = asked
        const fingerprint = idempotency.fingerprintOf([where, form.fingerprint])
        let written = ''
        await recordings.begin(
          {
            userId,
            arrived: form.kept,
            summaryLanguage,
            spokenLanguage,
            document,
            async within(tx, begun) {
              written = write(begun)
              if (claim)
                await idempotency.answer(tx, claim, { fingerprint, status: 201, body: written })
            },
          },
          signal,
        )
        return { asked, written }
      },
    )
  } catch (error) {
    if (claim) await idempotency.release(db, claim)
    throw error
  } finally {
    stop()
  }

  /** The file is there already: where the fields are bad it must go again. */
  async function understood(form: { fields: Record<string, string[]>; kept: unknown }) {
    try {
      const asked = read(form.fields)
      if (asked.document) await documents.requirePlan(db, userId)
      return asked
    } catch (error) {
      await recordings.discard(form.kept)
      throw error
    }
  }
}
