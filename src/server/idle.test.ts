import { setImmediate as nextTurn } from 'node:timers/promises'

import { Client } from 'pg'
import { expect, vi } from 'vitest'

import { engineInUse } from '#features/speech/speech.ts'
import { anApp } from '#test/app.ts'
import { test } from '#test/database.ts'

import { outboxMailer } from './mail.ts'
import { startWorker } from './worker.ts'

test('a worker that has nothing to do asks the database at most twice a second', async ({
  database,
}) => {
  // The minutes pass on a clock of ours, from before the first timer is set.
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
  })
  const app = await anApp(database, { works: false, settings: { WORKERS: '2' } })
  const mailer = outboxMailer(`${app.dataDir}/outbox`, 'a@quoth.example')
  let asked = 0
  let open = 0
  const query = Client.prototype.query
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function (
    this: Client,
    ...given: unknown[]
  ) {
    asked += 1
    open += 1
    const answer: unknown = Reflect.apply(query, this, given)
    // A pool hands over a callback, everybody else waits for a promise.
    const ended = () => void (open -= 1)
    if (answer instanceof Promise) answer.then(ended, ended)
    else this.setMaxListeners(0).once('drain', ended)
    return answer as never
  })
  const settled = async () => {
    for (let turn = 0; turn < 20 || open > 0; turn++) await nextTurn()
  }
  try {
    const worker = await startWorker({ ...app.parts, mailer, engine: engineInUse(null) })
    await settled()
    for (let second = 0; second < 30; second++) await vi.advanceTimersByTimeAsync(1_000)
    await settled()
    asked = 0
    for (let second = 0; second < 180; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      await settled()
    }
    expect(asked).toBeLessThanOrEqual(360)
    // And it does ask: three minutes in which nothing was counted would prove nothing. How often
    // depends on the machine: the clock goes on while a slow one is between two statements.
    expect(asked).toBeGreaterThan(30)
    worker.stop()
  } finally {
    vi.useRealTimers()
    spy.mockRestore()
    mailer.close()
    await app.close()
  }
})
