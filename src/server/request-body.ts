/** What calls that take large bodies have in common. */
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How much the client says it will send; null when it does not say. */
export function announcedBytes({ headers }: FastifyRequest): number | null {
  return headers['content-length'] === undefined ? null : Number(headers['content-length'])
}

/** Aborts when the client goes away before it has its answer: while it sends, or while it waits. */
export function whileConnected({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) controller.abort(new Error('the client went away during the upload'))
  })
  return controller.signal
}

/**
 * After an early answer the client may still be sending. What comes is thrown away for a moment,
 * so that a browser gets to read the answer instead of a broken connection; then the line is cut.
 */
export function dropUnreadBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('finish', () => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
    const cut = setTimeout(() => raw.destroy(), 5_000)
    raw.once('close', () => clearTimeout(cut))
    raw.once('end', () => clearTimeout(cut))
  })
}
