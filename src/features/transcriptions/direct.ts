/**
 * A recording that comes, is priced and is confirmed in one call: what the API of
 * programs is made of.
 */
import { eq } from 'drizzle-orm'

import type { EngineNames } from '#features/recordings/engines.ts'
import { type Wish, accept } from '#features/recordings/options.ts'
import * as uploads from '#features/recordings/uploads.ts'
import { type Owned, isThere, shownRows } from '#features/row/row.ts'
import { type UserThreads } from '#features/text/user-threads.ts'
import type { Tx } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

import { type ConfirmAnswer, SoFar, type Transcription } from './contract.ts'
import { task } from './in-thread.ts'
import * as ready from './ready.ts'
import { toTranscription } from './results.ts'
import { type Deps, confirmIn } from './transcriptions.ts'

export interface Begun extends ConfirmAnswer {
  transcription: Transcription
}

interface Order extends Omit<Wish, 'ignored'> {
  userId: string
  arrived: uploads.Arrived
  /** Done in the transaction that starts the work: all of it, or nothing. */
  within: (tx: Tx, begun: Begun) => Promise<void>
}

export function directly(deps: Deps & { engines: EngineNames; userThreads: UserThreads }) {
  const receive = uploads.receiving(deps)
  return {
    /** @throws Refusal as `uploads.receiving` */
    receive: <T>(
      announced: { userId: string; bytes: number | null },
      work: (store: uploads.Store) => Promise<T>,
    ): Promise<T> => receive({ ...announced, isConfirmed: true }, work),

    /** @throws Refusal `documents_need_plan`, `templates_off`, `template_gone`, `summary_language_off` */
    accept: <W extends Wish & { userId: string }>(wish: W) => accept(deps, wish),

    /**
     * Measures, prices, sets the price aside and queues the job.
     *
     * @throws Refusal `insufficient_credits` with the shortfall, and whatever an upload is refused for
     */
    async begin({ within, ...order }: Order, signal: AbortSignal): Promise<Begun> {
      const { userId } = order
      const started: { begun?: Begun } = {}
      const confirm = async (tx: Tx, id: string) => {
        const answer = await confirmIn(tx, deps, { userId, id })
        const [row] = await tx.select().from(shownRows).where(eq(shownRows.id, id))
        if (!row) throw new Error('a transcription that was just made has no row')
        started.begun = { ...answer, transcription: toTranscription(row, []) }
        await within(tx, started.begun)
      }
      await uploads.take(deps, { ...order, isConfirmed: true, within: confirm }, signal)
      if (!started.begun) throw new Error('a transcription was taken without being confirmed')
      return started.begun
    },

    /** How far it is. @throws Refusal `not_found` */
    async progress(owned: Owned) {
      const { id, status, errorMessage, errorCode } = shownRows
      const [row] = await deps.db
        .select({ id, status, errorMessage, errorCode })
        .from(shownRows)
        .where(isThere(owned))
      if (!row) throw new Refusal('not_found')
      // The program that waits for the answer is told by it.
      await ready.look(deps.db, [row], deps.clock())
      return row
    },

    /** The text of a running one, from a place on. @throws Refusal `not_found`, `not_running` */
    async soFar(asked: Owned & { from: number; readTo: number }): Promise<SoFar> {
      const bytes = await deps.userThreads.answer(task('soFar'), asked)
      return SoFar.parse(JSON.parse(new TextDecoder().decode(bytes)))
    },

    /** The words of a finished one, as a thread has packed them. @throws Refusal `not_found`, `not_finished` */
    read: (owned: Owned): Promise<Uint8Array> => deps.userThreads.answer(task('packed'), owned),
  }
}

export type Recordings = ReturnType<typeof directly>
