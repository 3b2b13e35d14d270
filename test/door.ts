/** A TCP port that leads to another one, or to a socket in a folder, and that can be shut. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

import { Client } from 'pg'

interface Door {
  port: number
  /** Ends what goes through, and refuses what comes, until it is opened again on the same port. */
  close: () => Promise<void>
  /** The bytes that went through both ways, by the address that called. */
  bytes: ReadonlyMap<string, number>
}

type Target = { path: string } | { host: string; port: number }

export async function openDoor(
  to: Target,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<Door> {
  const open = new Set<Socket>()
  const bytes = new Map<string, number>()
  const server = createServer((outer) => {
    const inner = connect(to)
    const caller = outer.remoteAddress ?? ''
    const pairs = [
      [outer, inner],
      [inner, outer],
    ] as const
    for (const [from, into] of pairs) {
      open.add(from)
      from.on('error', () => into.destroy())
      from.on('close', () => open.delete(from) && into.destroy())
      from.on('data', ({ length }) => bytes.set(caller, (bytes.get(caller) ?? 0) + length))
      from.pipe(into)
    }
  }).listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    bytes,
    async close() {
      server.close()
      for (const each of open) each.destroy()
      await once(server, 'close')
    },
  }
}

/** The PostgreSQL of a test, which listens in its folder, by TCP: its address, and the door. */
export async function openPostgresDoor(
  serverUrl: string,
  { host = '127.0.0.1' } = {},
): Promise<{ url: string; door: Door }> {
  const { user, password, database, ...at } = new Client({ connectionString: serverUrl })
  const isFolder = at.host.startsWith('/')
  const to = isFolder ? { path: `${at.host}/.s.PGSQL.${at.port}` } : at
  const door = await openDoor(to, { host })
  const secret = encodeURIComponent(String(password))
  return { url: `postgres://${user}:${secret}@${host}:${door.port}/${database}`, door }
}
