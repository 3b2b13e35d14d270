/**
 * The least that a server can do with an upload: it writes what comes over a socket to a file, and
 * flushes that before it answers. Prints its port.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.argv[2] ?? '.'
const server = createServer({ allowHalfOpen: true }, (socket) => {
  const path = join(folder, randomUUID())
  void pipeline(socket, createWriteStream(path, { flush: true }), { end: true })
    .then(() => socket.end('done'))
    .then(() => rm(path))
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
