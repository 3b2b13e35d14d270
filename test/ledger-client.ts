/**
 * A client of the ledger in its own process, to be killed. It prints a line for every move made.
 */
import { openDatabase } from '#server/db.ts'
import { seeded } from '#shared/random.ts'

import { storm } from './ledger-storm.ts'

const [, , url = '', seed = '1', operations = '100', lanes = '8', ...userIds] = process.argv
const database = await openDatabase({ connectionString: url, max: Number(lanes) })
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)
await storm(database.db, {
  userIds,
  lanes: Number(lanes),
  operations: Number(operations),
  random: seeded(Number(seed)),
  onDone: say,
  // Its database was killed, and the next client goes on.
  onCut: () => process.exit(0),
})
process.exit(0)
