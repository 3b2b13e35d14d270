/**
 * Every room that keeps something about a person owes them a copy of it, and its deletion. The root
 * hands both lists to the account's room, which knows no later one.
 */
import type { Readable } from 'node:stream'

import type { Tx } from './db.ts'

/** One file of an export: small as text, larger as bytes, or a stream, opened when its turn comes. */
export interface ExportFile {
  /** Inside the archive, for instance `recordings/interview.m4a`. */
  path: string
  content: string | Uint8Array | (() => Promise<Readable>)
  modifiedAt: Date
}

export interface Exporter {
  /** Its name for an owner: "recordings". */
  name: string
  /** How much it is, without reading it. */
  sizeFor(userId: string): Promise<{ files: number; sizeBytes: number }>
  exportFor(userId: string): AsyncIterable<ExportFile>
}

/** Exports the rows of a room as JSON, a file for each kind; a kind without rows has no file. */
export function jsonExporter(
  name: string,
  read: (
    userId: string,
  ) => Promise<{ path: string; rows: object[]; modifiedAt?: Date | undefined }[]>,
): Exporter {
  const filesFor = async (userId: string) =>
    (await read(userId))
      .filter(({ rows }) => rows.length > 0)
      .map(({ path, rows, modifiedAt = new Date() }) => ({
        path,
        content: JSON.stringify(rows, null, 2),
        modifiedAt,
      }))
  return {
    name,
    async sizeFor(userId) {
      const files = await filesFor(userId)
      const sizeBytes = files.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)
      return { files: files.length, sizeBytes }
    },
    async *exportFor(userId) {
      yield* await filesFor(userId)
    },
  }
}

/** How much a room has erased, by kind, for the receipt. */
interface Erased {
  counts: Record<string, number>
  /** Acts that cannot be undone, such as removing files: done once the transaction is. */
  afterwards?: () => Promise<void>
}

/**
 * Removes everything a room keeps about a user, inside the transaction that ends the account. Work that
 * is going on for them stops, and its held credits are given back.
 */
export type Erase = (tx: Tx, userId: string) => Promise<Erased>
