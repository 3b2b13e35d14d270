/**
 * A stand-in for the server that models are downloaded from. It serves files by path, with ranges.
 * Each file can ask for failures.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { bzip2, tar } from '#test/tiny-archive.ts'

export interface HostedFile {
  bytes: Buffer
  /** Changes when the file does. */
  tag?: string
  /** The first requests are cut off, each after this many bytes. */
  breaksOffAfter?: number[]
  /** A cut waits for it; without it, for the 50 ms in which a client usually reads what came. */
  isRead?: (upTo: number) => Promise<unknown>
  /** The size that the headers claim. */
  claimsBytes?: number
  /** Answers with the whole file, also where only a part is asked for. */
  ignoresRanges?: boolean
  /** The first requests for a part get one of that length from the beginning of the file. */
  sendsOtherParts?: number
  /** Nobody is answered before this resolves. */
  after?: Promise<unknown>
  /** How many requests get headers and then nothing. */
  hangs?: number
  /** The first requests are answered with these statuses. */
  statuses?: number[]
  /** Every request is answered with this page, as networks do until somebody signs in to them. */
  page?: string
}

export interface ModelsHost {
  url: string
  files: Map<string, HostedFile>
  /** `GET /path bytes=…` of every request, in order. */
  asked: string[]
  close: () => Promise<void>
}

/** Offers a model, as a mirror with a list of its own does; a recogniser is recommended to every machine. */
export async function offerModel(
  { files }: ModelsHost,
  folder: string,
  { id, family, files: names }: { id: string; family: string; files: readonly string[] },
): Promise<HostedFile> {
  const entries = names.map(async (name) => ({
    name: `${id}/${name}`,
    bytes: await readFile(join(folder, name)),
  }))
  const archive = await bzip2(tar(await Promise.all(entries)))
  const path = `asr-models/${id}.tar.bz2`
  const line = {
    id,
    title: `The model ${id}`,
    family,
    languages: 'en',
    path,
    bytes: archive.length,
    sha256: createHash('sha256').update(archive).digest('hex'),
    files: names.join(' '),
    keptMB: 0.1,
    publishedWer: null,
    licence: { name: 'MIT', by: 'Nobody', url: 'https://licence.example' },
    about: '',
    ...(family === 'segmentation' || family === 'embedding'
      ? {}
      : { recommendedFrom: { cores: 1, memoryGB: 0.1 } }),
  }
  const offered: HostedFile = { bytes: archive }
  const others = (files.get('catalogue.jsonl')?.bytes.toString() ?? '')
    .split('\n')
    .filter((other) => other !== '' && (JSON.parse(other) as { id: string }).id !== id)
  const list = [...others, JSON.stringify(line)].join('\n')
  files.set('catalogue.jsonl', { bytes: Buffer.from(list) })
  files.set(path, offered)
  return offered
}

export async function modelsHost(): Promise<ModelsHost> {
  const files = new Map<string, HostedFile>()
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').slice(1)
    asked.push(`${request.method} /${path} ${request.headers.range ?? 'whole'}`)
    const file = files.get(path)
    if (file) void Promise.resolve(file.after).then(() => serve(file, request, response))
    else response.writeHead(404).end('not found')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function serve(file: HostedFile, request: IncomingMessage, response: ServerResponse): void {
  const status = file.statuses?.shift()
  if (status !== undefined) return void response.writeHead(status).end()
  if (file.page !== undefined)
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(file.page)
  const tag = `"${file.tag ?? 'one'}"`
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
  const condition = request.headers['if-range']
  const isPart = first !== undefined && !file.ignoresRanges && (!condition || condition === tag)
  const from = isPart ? Number(first) : 0
  const length = file.claimsBytes ?? file.bytes.length
  if (from >= length && isPart) {
    response.writeHead(416, { 'content-range': `bytes */${length}` }).end()
    return
  }
  if (isPart && file.sendsOtherParts) {
    file.sendsOtherParts -= 1
    response.writeHead(206, {
      etag: tag,
      'content-length': length - from,
      'content-range': `bytes 0-${length - from - 1}/${length}`,
    })
    return void response.end(file.bytes.subarray(0, length - from))
  }
  response.writeHead(isPart ? 206 : 200, {
    etag: tag,
    'content-length': length - from,
    ...(isPart ? { 'content-range': `bytes ${from}-${length - 1}/${length}` } : {}),
  })
  if (file.hangs) {
    file.hangs -= 1
    response.flushHeaders()
    return
  }
  const end = file.breaksOffAfter?.shift()
  if (request.method === 'HEAD') response.end()
  else if (end === undefined && length === file.bytes.length)
    response.end(file.bytes.subarray(from))
  // Waits until the bytes are read, because a client loses what it has not read when it is cut off.
  else {
    const part = file.bytes.subarray(from, end && from + end)
    const { isRead = () => sleep(TEAR_MS) } = file
    response.write(part, () => void isRead(from + part.length).finally(() => response.destroy()))
  }
}

const TEAR_MS = 50
