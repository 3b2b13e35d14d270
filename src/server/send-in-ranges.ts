import type { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

/** A file that a player asks for in stretches. */
export interface InRanges {
  type: string
  /** Whether it is shown in its page or saved, and as what. */
  disposition: string
  sizeBytes: number
  /** Lets a browser ask whether it has changed; it says nothing about where the file lies. */
  tag?: string
  /** Where the browser reads it by itself; null where it is read from here. */
  address: string | null
  read: (range: { start: number; end: number }) => Promise<Readable>
}

/** Sends the range that is asked for, or the whole, or where it is to be read. */
export async function sendInRanges(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
  { type, disposition, sizeBytes, tag, address, read }: InRanges,
): Promise<FastifyReply> {
  // The address is good for reading only: a HEAD there would be refused.
  if (address !== null && method !== 'HEAD') return reply.redirect(address)
  const { range: wanted, 'if-range': ifRange, 'if-none-match': known } = headers
  const isStale = tag !== undefined && ifRange !== undefined && ifRange !== tag
  const range = rangeOf(isStale ? undefined : wanted, sizeBytes)
  void reply.headers({
    'Accept-Ranges': 'bytes',
    'Content-Disposition': disposition,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(tag === undefined ? {} : { ETag: tag }),
  })
  if (tag !== undefined && known === tag && wanted === undefined) return reply.code(304).send()
  if (range === 'unsatisfiable')
    return reply.code(416).header('Content-Range', `bytes */${sizeBytes}`).send()
  const { start, end } = range === 'whole' ? { start: 0, end: sizeBytes - 1 } : range
  void reply.type(type).header('Content-Length', end - start + 1)
  if (range !== 'whole')
    void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${sizeBytes}`)
  return reply.send(method === 'HEAD' ? undefined : await read({ start, end }))
}

/** The same for whom it belongs to: kept by the browser at most, and never played without asking us first. */
export function sendToOwner(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  reply: FastifyReply,
  file: InRanges,
): Promise<FastifyReply> {
  void reply.header('Cache-Control', `private, ${file.address === null ? 'no-cache' : 'no-store'}`)
  return sendInRanges(request, reply, file)
}

type Range = { start: number; end: number } | 'whole' | 'unsatisfiable'

/**
 * The range that a Range header asks for, both ends included. Several ranges at once, and a header that
 * is not understood, are answered with the whole, as the standard allows.
 */
export function rangeOf(header: string | undefined, sizeBytes: number): Range {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= sizeBytes ? 'unsatisfiable' : { start, end }
}
