/**
 * The `test` of tests that ask recordings: a stand-in for a chat server, an account with the made-up
 * talks and the sample, and the room with a writer that behaves as its test says.
 */
import type * as asking from '#features/asking/asking.ts'
import { threadsForUsers } from '#features/text/user-threads.ts'
import { type Writer, chooseWriter } from '#features/writing/writing.ts'
import { silentLog } from '#server/log.ts'
import { systemClock } from '#shared/clock.ts'

import { test as base } from './database.ts'
import { aUser } from './factories.ts'
import { type ChatBehaviour, chatFake } from './fakes/chat.ts'
import { modelAt } from './models.ts'
import { readTalk, sampleTalk, storeTalk, talkNames } from './talks/talks.ts'
import { threadsHere } from './threads-here.ts'

export const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
  .extend('chat', { scope: 'file' }, async ({}, { onCleanup }) => {
    const chat = await chatFake()
    onCleanup(() => chat.close())
    return chat
  })
  .extend('talks', { scope: 'file' }, async ({ database: { db } }) => {
    const { id: userId } = await aUser(db)
    const ids = new Map<string, string>()
    for (const name of talkNames) ids.set(name, await storeTalk(db, userId, readTalk(name)))
    ids.set('sample', await storeTalk(db, userId, sampleTalk()))
    return { userId, id: (name: string) => ids.get(name)! }
  })
  .extend('deps', ({ db, chat }) => {
    const clock = systemClock
    const userThreads = threadsForUsers({ threads: threadsHere({ db, clock }), clock })
    return (
      behaviour: ChatBehaviour | null,
      { asksPerDay = 40, timeoutMs = 10_000, ...others }: Others = {},
    ): asking.Deps & { writer: Writer; model: string | undefined } => {
      const llm = behaviour && modelAt(chat.url, behaviour, { timeoutMs })
      const writer = chooseWriter({ summarizer: 'auto', llm }, silentLog)
      return {
        db,
        clock,
        userThreads,
        writer,
        asksPerDay,
        log: silentLog,
        model: llm?.model,
        ...others,
      }
    }
  })

type Others = Partial<Pick<asking.Deps, 'asksPerDay' | 'clock'>> & { timeoutMs?: number }
