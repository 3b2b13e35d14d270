/**
 * Are passwords kept well, and cheaply enough? Twenty people sign in at once: what they wait, how
 * long the event loop stands still meanwhile, and how much memory the hashes take.
 *
 *     npm run bench -- logins [rounds = 5]
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

import { anApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'

import { openBenchDatabase } from './tools/house.ts'
import { megabytes, milliseconds, percentile, printFigures, printMachine } from './tools/report.ts'

const [rounds = 5] = process.argv.slice(2).map(Number)
const AT_ONCE = 20
const COST_BYTES = 19 * 1024 * 1024
const password = 'quoth the raven'

printMachine()
const house = await openBenchDatabase()
const server = await anApp(house.database, { works: false })
try {
  const people = await Promise.all(
    Array.from({ length: AT_ONCE }, () => aUser(house.database.db, { password })),
  )
  const signIn = async ({ email }: { email: string }) => {
    const start = performance.now()
    const payload = { email, password }
    const answer = await server.inject({ method: 'POST', url: '/api/login', payload })
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`)
    return performance.now() - start
  }
  await Promise.all(people.map(signIn))

  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const times: number[] = []
  for (let round = 0; round < rounds; round++)
    times.push(...(await Promise.all(people.map(signIn))))
  delay.disable()
  clearInterval(watch)

  const p99 = delay.percentile(99) / 1e6
  const p95 = percentile(times, 0.95)
  printFigures(
    `${AT_ONCE} sign-ins at once, ${rounds} rounds; argon2id, 19 MiB, 2 passes, 1 lane`,
    [
      { what: 'sign-in, p95', figure: milliseconds(p95), bar: '≤ 1 s', isMet: p95 <= 1000 },
      {
        what: 'event loop delay, p99 (5 ms of it are the clock)',
        figure: milliseconds(p99),
        bar: '≤ 50 ms',
        isMet: p99 <= 50,
      },
      {
        what: 'memory on top',
        figure: megabytes(most - before),
        bar: `≤ ${megabytes(AT_ONCE * COST_BYTES)}`,
        isMet: most - before <= AT_ONCE * COST_BYTES,
      },
    ],
  )
} finally {
  await server.close()
  await house.stop()
}
