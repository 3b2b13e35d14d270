/**
 * The uploads that this browser has begun and not completed. After a reload the page no longer has the
 * files: when the same one is chosen again, only what is missing is sent.
 */
import type { OrderDocument } from '#features/documents/contract.ts'
import type { SummaryLanguage } from '#shared/business.ts'

import type { LastOptions } from '../contract.ts'

export interface Left {
  id: string
  name: string
  size: number
  lastModified: number
  summaryLanguage: SummaryLanguage
  options: LastOptions
  document: OrderDocument | null
  /** All of it is at the server, which measures it. */
  hasArrived?: boolean
}

/** How many are remembered. Only two are sent at a time; the others were broken off before. */
const MOST = 20

/** Those of one account: nobody else who uses this browser goes on with them. */
export function leftBy(userId: string) {
  const key = `uploads-begun:${userId}`
  const read = (): Left[] => {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
      return Array.isArray(found) ? (found as Left[]) : []
    } catch {
      return [] // Written by nobody we know.
    }
  }
  const write = (all: Left[]) =>
    all.length > 0
      ? localStorage.setItem(key, JSON.stringify(all.slice(-MOST)))
      : localStorage.removeItem(key)
  return {
    read,
    keep: (upload: Left) => write([...read().filter(({ id }) => id !== upload.id), upload]),
    forget: (id: string) => write(read().filter((each) => each.id !== id)),
    /** The one that was begun of this very file; null for another file, and one that has changed since. */
    of: (file: File): Left | null =>
      read().find(
        ({ name, size, lastModified }) =>
          name === file.name && size === file.size && lastModified === file.lastModified,
      ) ?? null,
  }
}
