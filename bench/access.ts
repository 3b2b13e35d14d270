/**
 * Does a new password end what the old one has opened? Six sign-ins, six changes of address, six
 * programs that make keys and six trips to Google run beside a reset, and beside a change.
 *
 *     npm run bench -- access [rounds = 100]
 */
import { aRound, acts } from '#test/access-storm.ts'
import { anApp } from '#test/app.ts'
import { startGoogle } from '#test/fakes/google.ts'

import { openBenchDatabase } from './tools/house.ts'
import { printFigures, printMachine } from './tools/report.ts'

const [rounds = 100] = process.argv.slice(2).map(Number)

printMachine()
const house = await openBenchDatabase()
const google = await startGoogle()
const server = await anApp(house.database, { settings: google.settings, works: false })
try {
  for (const act of acts) {
    let letIn = 0
    const wrong: string[] = []
    for (let place = 0; place < rounds; place++) {
      const round = await aRound(server, google, { act, place })
      letIn += round.letIn
      wrong.push(...round.wrong)
    }
    printFigures(`${rounds} rounds of 24 beside a ${act} of the password`, [
      { what: 'let in before it, or beside it', figure: String(letIn) },
      {
        what: 'still open after it, or not answered',
        figure: wrong.length === 0 ? '0' : `${wrong.length}: ${[...new Set(wrong)].join('; ')}`,
        bar: '0',
        isMet: wrong.length === 0,
      },
    ])
  }
} finally {
  await server.close()
  await google.close()
  await house.stop()
}
