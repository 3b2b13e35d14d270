/**
 * Recordings in a bucket of any server that speaks S3. Each is one object under `files/`; it is there
 * completely or not at all. A file that was being written when a process died is an unfinished upload
 * in parts: it is listed like a file, and removed like one.
 *
 * The settings of the client are those that work beyond Amazon too: the bucket stands in the path,
 * and checksums are sent only where a call demands one.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type ListMultipartUploadsCommandOutput,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

import {
  type InParts,
  NotStored,
  PART_BYTES,
  PartsMissing,
  type Storage,
  type Stored,
  StorageAway,
  WrongSize,
  isKey,
  newWorkFolder,
  partOf,
  partsOf,
  requireKey,
} from './storage.ts'

export interface Bucket {
  name: string
  /** Null: Amazon's own. */
  endpoint: string | null
  region: string
  /** Null: found the way Amazon's clients find them (environment, files, the role of the machine). */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

const FOLDER = 'files/'
const MARK = '.installation'
/** How long an address is good for reading or writing by its holder. */
const ADDRESS_SECONDS = 6 * 3_600
const CONNECT_MS = 3_000
/** How long a connection may bring nothing. */
const SILENT_MS = 60_000

/** `scratchDir` is where programs such as ffmpeg find a recording while they need it. */
export function s3Storage(
  bucket: Bucket,
  { scratchDir }: { scratchDir: string },
): Storage & { letIn: (origins: readonly string[]) => Promise<boolean>; close: () => void } {
  const { name: Bucket } = bucket
  const client = clientOf(bucket)
  const place = { client, Bucket }
  const objectOf = (key: string) => ({ Bucket, Key: keyOf(key) })

  const partWith = ({ key, token, sizeBytes }: InParts, number: number) => ({
    ...objectOf(key),
    UploadId: token,
    PartNumber: number,
    ContentLength: partOf({ sizeBytes }, number).sizeBytes,
  })

  return {
    async beginParts(key) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand(objectOf(key)))
        .catch(inOurWords)
      if (!UploadId) throw new Error('the bucket began an upload without an id')
      return UploadId
    },

    partAddress: async (file, number) =>
      getSignedUrl(client, new UploadPartCommand(partWith(file, number)), {
        // Its length is signed too: a part of another size is refused by the bucket.
        expiresIn: ADDRESS_SECONDS,
      }),

    async putPart(file, { number, fromByte }, content, { signal }) {
      if (fromByte > 0) throw new WrongSize()
      const part = partWith(file, number)
      const Body = await buffer(addAbortSignal(signal, content))
      if (Body.length !== part.ContentLength) throw new WrongSize()
      await client
        .send(new UploadPartCommand({ ...part, Body }), { abortSignal: signal })
        .catch(inOurWords)
    },

    async keptParts(file) {
      const numbers = await whole(place, file).then(
        (parts) => parts.map(({ PartNumber = 0 }) => PartNumber),
        async (error: unknown) => {
          await this.require(file.key).catch(() => inOurWords(error))
          return partsOf(file).map(({ number }) => number)
        },
      )
      return new Map(numbers.map((number) => [number, partOf(file, number).sizeBytes]))
    },

    async joinParts(file) {
      const UploadId = file.token
      try {
        const Parts = await whole(place, file)
        if (Parts.length < partsOf(file).length) throw new PartsMissing()
        const MultipartUpload = { Parts }
        await client.send(
          new CompleteMultipartUploadCommand({ ...objectOf(file.key), UploadId, MultipartUpload }),
        )
      } catch (error) {
        if (error instanceof PartsMissing) throw error
        // Put anew at this very moment.
        if (error instanceof S3ServiceException && error.name === 'InvalidPart')
          throw new PartsMissing(error)
        // Joined before, perhaps by a call whose answer was lost.
        await this.require(file.key).catch(() => inOurWords(error))
      }
    },

    write: async (key, content, { signal }) => put(place, keyOf(key), content, signal),

    async open(key) {
      return written(await this.read(key), scratchDir)
    },

    workFolder: () => newWorkFolder(scratchDir),

    async keep(key, path, options) {
      await this.write(key, createReadStream(path), options)
    },

    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`
      const { Body } = await client
        .send(new GetObjectCommand({ ...objectOf(key), Range }))
        .catch(inOurWords)
      if (!(Body instanceof Readable)) throw new Error('the bucket answered without a stream')
      return Body
    },

    async require(key) {
      await client.send(new HeadObjectCommand(objectOf(key))).catch(inOurWords)
    },

    address: async (key, { type, disposition }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...objectOf(key),
          ResponseContentType: type,
          ResponseContentDisposition: disposition,
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: ADDRESS_SECONDS },
      ),

    async remove(key) {
      const { Key } = objectOf(key)
      await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(inOurWords)
      for await (const { id: UploadId } of unfinished(place, Key))
        await client
          .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
          .catch(inOurWords)
          .catch(unlessGone)
    },

    async mark() {
      const found = await client
        .send(new GetObjectCommand({ Bucket, Key: MARK }))
        .catch(inOurWords)
        .catch(unlessGone)
      return (await found?.Body?.transformToString()) ?? null
    },

    async setMark(text) {
      await client.send(new PutObjectCommand({ Bucket, Key: MARK, Body: text })).catch(inOurWords)
    },

    list: (after) => listed(place, after),

    /** A bucket has no end, but it may be away. */
    async space() {
      await this.mark()
      return { freeBytes: Infinity, totalBytes: Infinity }
    },

    letIn: (origins) => letIn(place, origins),

    close: () => client.destroy(),
  }
}

const clientOf = ({ endpoint, region, credentials }: Bucket) =>
  new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === null ? {} : { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  })

const keyOf = (key: string): string => FOLDER + requireKey(key)

interface S3Bucket {
  client: S3Client
  Bucket: string
}

/** Uploads that were begun in parts and are not joined. */
async function* unfinished(
  { client, Bucket }: S3Bucket,
  prefix: string,
  after?: string,
): AsyncIterable<{ key: string; id: string; at: Date }> {
  let marker: Pick<ListMultipartUploadsCommandOutput, 'NextKeyMarker' | 'NextUploadIdMarker'> = {
    NextKeyMarker: after,
  }
  for (;;) {
    const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = marker
    const found = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix: prefix, KeyMarker, UploadIdMarker }))
      .catch(inOurWords)
    for (const { Key, UploadId, Initiated } of found.Uploads ?? [])
      if (Key && UploadId)
        yield { key: Key.slice(FOLDER.length), id: UploadId, at: Initiated ?? new Date() }
    if (!found.IsTruncated) return
    marker = found
  }
}

/** The parts that came with the size they are to have. */
async function whole(
  { client, Bucket }: S3Bucket,
  { key, token, sizeBytes }: InParts,
): Promise<CompletedPart[]> {
  const sizes = new Map(partsOf({ sizeBytes }).map((part) => [part.number, part.sizeBytes]))
  // A page holds a thousand: no upload has more.
  const { Parts = [] } = await client.send(
    new ListPartsCommand({ Bucket, Key: keyOf(key), UploadId: token }),
  )
  return Parts.filter(({ PartNumber = 0, Size }) => Size === sizes.get(PartNumber)).map(
    ({ PartNumber, ETag }) => ({ PartNumber, ETag }),
  )
}

/** Puts one object from a stream, in parts where it is long. */
async function put(
  { client, Bucket }: S3Bucket,
  Key: string,
  content: Readable,
  signal: AbortSignal,
): Promise<{ sizeBytes: number }> {
  const object = { Bucket, Key }
  const parts: CompletedPart[] = []
  let UploadId: string | undefined
  let sizeBytes = 0
  try {
    for await (const { part, isLast } of inParts(content, signal)) {
      sizeBytes += part.length
      if (isLast && UploadId === undefined) {
        await client.send(new PutObjectCommand({ ...object, Body: part }), {
          abortSignal: signal,
        })
        return { sizeBytes }
      }
      UploadId ??= (await client.send(new CreateMultipartUploadCommand(object))).UploadId
      const PartNumber = parts.length + 1
      const { ETag } = await client.send(
        new UploadPartCommand({ ...object, UploadId, PartNumber, Body: part }),
        { abortSignal: signal },
      )
      parts.push({ PartNumber, ETag })
    }
    const MultipartUpload = { Parts: parts }
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }))
    return { sizeBytes }
  } catch (error) {
    content.destroy()
    // Where even that cannot be reached, the sweep finds the remains.
    if (UploadId !== undefined)
      await client
        .send(new AbortMultipartUploadCommand({ ...object, UploadId }))
        .catch(() => undefined)
    signal.throwIfAborted()
    return inOurWords(error)
  }
}

/** A file of a folder with the bytes of a stream, until it is released. */
async function written(content: Readable, folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const release = () => rm(path, { force: true })
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    return { path, release }
  } catch (error) {
    await release()
    return inOurWords(error)
  }
}

/** All objects and unfinished uploads, page by page, in order of their keys. */
async function* listed(place: S3Bucket, after?: string): AsyncIterable<Stored[]> {
  const { client, Bucket } = place
  const StartAfter = after === undefined ? undefined : FOLDER + after
  const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: FOLDER, StartAfter })[
    Symbol.asyncIterator
  ]()
  const uploads = unfinished(place, FOLDER, StartAfter)[Symbol.asyncIterator]()
  let upload = await uploads.next()
  for (;;) {
    const { value: page, done } = await pages.next().catch(inOurWords)
    if (done) return
    const found = (page.Contents ?? []).map(({ Key = '', LastModified }) => ({
      key: Key.slice(FOLDER.length),
      modifiedAt: LastModified ?? new Date(),
    }))
    const end = page.IsTruncated ? found.at(-1)?.key : undefined
    for (; !upload.done; upload = await uploads.next()) {
      const { key, at } = upload.value
      if (end !== undefined && key > end) break
      found.push({ key, modifiedAt: at })
    }
    const stored = found.filter(({ key }) => isKey(key))
    if (stored.length > 0) yield stored.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }
}

/**
 * Lets pages of these origins put parts and read recordings, unless an operator has said who may.
 * False where the bucket cannot be told: then it is to be set up by hand.
 */
async function letIn({ client, Bucket }: S3Bucket, origins: readonly string[]): Promise<boolean> {
  const found = await client.send(new GetBucketCorsCommand({ Bucket })).then(
    ({ CORSRules = [] }) => CORSRules.length > 0,
    ({ name }: Error) => (name === 'NoSuchCORSConfiguration' ? false : null),
  )
  if (found !== false) return found ?? false
  const rule = {
    AllowedOrigins: [...origins],
    AllowedMethods: ['GET', 'HEAD', 'PUT'],
    AllowedHeaders: ['*'],
    MaxAgeSeconds: 3_600,
  }
  const CORSConfiguration = { CORSRules: [rule] }
  return client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration })).then(
    () => true,
    () => false,
  )
}

/** Cuts a stream into parts of one size; the last one is smaller, and may be empty. */
async function* inParts(
  content: Readable,
  signal: AbortSignal,
): AsyncIterable<{ part: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of addAbortSignal(signal, content)) {
    const bytes = Buffer.from(chunk as Uint8Array)
    waiting.push(bytes)
    length += bytes.length
    while (length >= PART_BYTES) {
      const all = Buffer.concat(waiting)
      yield { part: all.subarray(0, PART_BYTES), isLast: false }
      waiting = [all.subarray(PART_BYTES)]
      length -= PART_BYTES
    }
  }
  yield { part: Buffer.concat(waiting), isLast: true }
}

/** Turns a failure into one of ours: the object is not there, or the bucket cannot be reached. */
function inOurWords(error: unknown): never {
  if (error instanceof S3ServiceException) {
    const { $metadata, name } = error
    const status = $metadata.httpStatusCode ?? 0
    if (name === 'NoSuchKey' || name === 'NotFound' || name === 'NoSuchUpload')
      throw new NotStored(error)
    if (status < 500 && status !== 429) throw error
    throw new StorageAway(error)
  }
  const { name, code } = error as { name?: string; code?: string }
  if (
    name === 'TimeoutError' ||
    /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/.test(code ?? '')
  )
    throw new StorageAway(error)
  throw error
}

function unlessGone(error: unknown): undefined {
  if (error instanceof NotStored) return undefined
  throw error
}
