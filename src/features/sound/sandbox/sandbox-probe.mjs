/**
 * Tries, from inside the sandbox, what must not work there, and prints how it went:
 *
 *     node sandbox-probe.mjs GIVEN_FILE HIDDEN_FILE PORT
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import process from 'node:process'

const [given, hidden, port] = process.argv.slice(2)

const attempt = (deed) => {
  try {
    return deed()
  } catch (error) {
    return error.code
  }
}
const connected = await new Promise((resolve) => {
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  socket.once('connect', () => resolve('connected'))
  socket.once('error', (error) => resolve(error.code))
})
console.log(
  JSON.stringify({
    given: attempt(() => readFileSync(given, 'utf8')),
    hidden: attempt(() => readFileSync(hidden, 'utf8')),
    written: attempt(() => writeFileSync(`${hidden}-not`, 'written') ?? 'written'),
    connected,
    processId: process.pid,
    environment: Object.keys(process.env).toSorted(),
  }),
)
process.exit()
