/** A server of which only its PostgreSQL matters: it prints the address and waits to be killed. */
import { createLog } from '#server/log.ts'
import { startPostgres } from '#server/postgres.ts'

const [, , dataDir] = process.argv
if (!dataDir) throw new Error('usage: postgres-owner.ts DATA_DIR')
const postgres = await startPostgres({ dataDir, log: createLog({ level: 'silent' }) })
process.stdout.write(`${JSON.stringify({ url: postgres.url, pid: postgres.pid() })}\n`)
setInterval(() => {}, 60_000)
