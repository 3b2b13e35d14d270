/** One try of a delivery: signed by Standard Webhooks, to the address that was checked, and no further. */
import { createHmac } from 'node:crypto'
import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'

import { BRAND } from '#shared/business.ts'

import type { Target } from './addresses.ts'

export interface Sent {
  /** Null when there was no answer. */
  status: number | null
  problem: string | null
  durationMs: number
  retryAfterSeconds: number | null
}

const TIMEOUT_MS = 20_000
const SECRET_START = 'whsec_'

export interface Signed {
  messageId: string
  body: string
  secrets: readonly string[]
  now: Date
}

function signatureHeaders({ messageId, body, secrets, now }: Signed): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_START.length), 'base64')
    const signed = createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`)
    return `v1,${signed.digest('base64')}`
  })
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

/** Never throws: a failure is an answer too. A redirect is not followed, and is no success. */
export async function post(
  { url, address, family }: Target,
  message: Signed,
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<Sent> {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  const nothing = { status: null, retryAfterSeconds: null }
  const request = url.protocol === 'https:' ? overTls : overHttp
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        // The address that was checked, even if the name leads elsewhere by now.
        lookup: (_host, options, found) => {
          if (options.all) found(null, [{ address, family }])
          else found(null, address, family)
        },
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(message.body),
          'User-Agent': `${BRAND}-Webhooks`,
          ...signatureHeaders(message),
        },
      },
      (response) => {
        const { statusCode: status = 0, headers } = response
        const isGood = status >= 200 && status < 300
        // Nothing in the body is of interest; reading on would let it keep us busy.
        response.destroy()
        resolve({
          status,
          problem: isGood ? null : `It answered ${status}.`,
          durationMs: took(),
          retryAfterSeconds: secondsIn(headers['retry-after'], message.now),
        })
      },
    )
    // An answer of 101 comes by its own event, with a connection that is ours to end.
    outgoing.on('upgrade', ({ statusCode: status = 101 }, socket) => {
      socket.destroy()
      const problem = `It answered ${status}.`
      resolve({ status, problem, durationMs: took(), retryAfterSeconds: null })
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ ...nothing, problem: problemOf(error, timeoutMs), durationMs: took() })
    })
    // The try must end in any case: it holds one of few places.
    outgoing.on('close', () => {
      resolve({ ...nothing, problem: 'It broke off the connection.', durationMs: took() })
    })
    outgoing.end(message.body)
  })
}

function problemOf({ name, code }: NodeJS.ErrnoException, timeoutMs: number): string {
  if (name === 'TimeoutError' || name === 'AbortError')
    return `It did not answer within ${timeoutMs / 1000} seconds.`
  if (code === 'ECONNREFUSED') return 'It refused the connection.'
  if (code === 'ECONNRESET') return 'It broke off the connection.'
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code?.includes('SIGNATURE'))
    return 'Its certificate is not valid.'
  return `It could not be reached (${code ?? 'no answer'}).`
}

function secondsIn(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}
