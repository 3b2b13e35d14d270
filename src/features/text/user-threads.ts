/**
 * How rooms ask for work that grows with a transcript: in a thread, in a lane of the user's own,
 * and no more often than a person at a keyboard does. Corrections of a user do not wait for exports
 * of the same user, and nobody's work waits for another's. Reading comes with a signal of the
 * connection, so that nothing is worked out for clients that have gone.
 */
import { type Rate, rate } from '#server/limits.ts'
import type { RunOptions, Task, Threads } from '#server/threads.ts'
import type { Clock } from '#shared/clock.ts'

/** Nobody types six corrections a second: the page saves once for each pause in the typing. */
const EDITS = [
  { most: 60, seconds: 10 },
  { most: 1_200, seconds: 600 },
]
const EXPORTS = [
  { most: 60, seconds: 60 },
  { most: 600, seconds: 3_600 },
]
/** A page reads two things at once; a browser that restores its tabs, two for each of them. */
const READS_WAITING = 50
const EDITS_WAITING = 20
/** Every format at once, and one more. */
const EXPORTS_WAITING = 8
/** Word and PDF of twelve hours take seconds; on a machine that is busy, many. */
const EXPORT_MS = 120_000

interface Whose {
  userId: string
}

export type UserThreads = ReturnType<typeof threadsForUsers>

export function threadsForUsers({ threads, clock }: { threads: Threads; clock: Clock }) {
  const edits: Rate = rate('too_many_edits', EDITS)
  const exports: Rate = rate('too_many_exports', EXPORTS)
  const long = { limitMs: EXPORT_MS, isLong: true }
  const change = <Input extends Whose, Output>(
    task: Task<Input, Output>,
    input: Input,
    how: Pick<RunOptions, 'limitMs' | 'isLong'>,
  ) => {
    const { userId: owner } = input
    const admit = () => edits.count(owner, clock())
    return threads.run(task, input, { owner, kind: 'edit', most: EDITS_WAITING, admit, ...how })
  }
  return {
    read<Input extends Whose, Output>(
      task: Task<Input, Output>,
      input: Input,
      signal: AbortSignal,
    ) {
      const { userId: owner } = input
      return threads.run(task, input, { owner, kind: 'read', most: READS_WAITING, signal })
    },
    /** For an answer that a paying program waits for. It is never refused because others wait. */
    answer<Input extends Whose, Output>(task: Task<Input, Output>, input: Input) {
      return threads.run(task, input, { owner: input.userId, kind: 'answer', most: Infinity })
    },
    /** Is finished when the client has gone. @throws Refusal `too_many_edits` */
    edit<Input extends Whose, Output>(task: Task<Input, Output>, input: Input) {
      return change(task, input, {})
    },
    /** The same of what goes through a whole text, word by word. */
    longEdit<Input extends Whose, Output>(task: Task<Input, Output>, input: Input) {
      return change(task, input, long)
    },
    /** @throws Refusal `too_many_exports` */
    export<Input, Output>(
      task: Task<Input, Output>,
      input: Input,
      { userId: owner, signal }: Whose & { signal: AbortSignal },
    ) {
      const admit = () => exports.count(owner, clock())
      const options = { owner, kind: 'export', most: EXPORTS_WAITING, admit, signal, ...long }
      return threads.run(task, input, options)
    },
    /** For whoever asks for one after the other and has a limit of their own. */
    archive<Input extends Whose, Output>(task: Task<Input, Output>, input: Input) {
      return threads.run(task, input, { owner: input.userId, kind: 'archive', ...long })
    },
  }
}
