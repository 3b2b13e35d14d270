import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { expect, onTestFinished } from 'vitest'

/**
 * Until the test ends, Node's `fetch` gives up on a silent server within a second in the place of
 * five minutes. Returns a wait for the moment at which it has given up on all requests before.
 */
export async function impatientNode(): Promise<() => Promise<void>> {
  const usual = getGlobalDispatcher()
  setGlobalDispatcher(new Agent({ headersTimeout: 50, bodyTimeout: 50 }))
  const silent = createServer(() => undefined)
  silent.listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  onTestFinished(() => {
    setGlobalDispatcher(usual)
    silent.close()
    silent.closeAllConnections()
  })
  return async () => {
    const givenUp = { cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } }
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(givenUp)
  }
}
