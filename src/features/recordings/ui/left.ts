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
}

const KEY = 'uploads-begun'
/** How many are remembered. Only two are sent at a time; the others were broken off before. */
const MOST = 20

const read = (): Left[] => {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(found) ? (found as Left[]) : []
  } catch {
    return [] // Written by nobody we know.
  }
}
const write = (all: Left[]) =>
  all.length > 0
    ? localStorage.setItem(KEY, JSON.stringify(all.slice(-MOST)))
    : localStorage.removeItem(KEY)

export const left = {
  read,
  keep: (upload: Left) => write([...read().filter(({ id }) => id !== upload.id), upload]),
  forget: (id: string) => write(read().filter((each) => each.id !== id)),
}

/** The upload that was begun of this very file; nothing when it is another file, or has changed since. */
export const leftOf = (file: File): Left | null =>
  read().find(
    ({ name, size, lastModified }) =>
      name === file.name && size === file.size && lastModified === file.lastModified,
  ) ?? null
