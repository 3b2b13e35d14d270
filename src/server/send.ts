import type { FastifyReply } from 'fastify'

import { contentDisposition } from '#shared/file-names.ts'

/**
 * Sends the JSON that a thread has written. It is not checked against a schema: that would take
 * the event loop as long as the thread took.
 */
export function sendJson(reply: FastifyReply, body: Uint8Array): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .send(Buffer.from(body.buffer, body.byteOffset, body.byteLength))
}

export function sendFile(
  reply: FastifyReply,
  { name, type, content }: { name: string; type: string; content: Uint8Array },
): FastifyReply {
  return reply
    .header('Content-Disposition', contentDisposition(name))
    .header('Content-Security-Policy', "default-src 'none'; sandbox")
    .type(type)
    .send(Buffer.from(content.buffer, content.byteOffset, content.byteLength))
}
