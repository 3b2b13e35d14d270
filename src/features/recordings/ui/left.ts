/**
 * The upload that this browser has begun and not completed. After a reload the page no longer has the
 * file: when the same one is chosen again, only what is missing is sent.
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

const KEY = 'upload-begun'

export const left = {
  read: (): Left | null => {
    try {
      return JSON.parse(localStorage.getItem(KEY) ?? 'null') as Left | null
    } catch {
      return null // Written by nobody we know.
    }
  },
  keep: (upload: Left) => localStorage.setItem(KEY, JSON.stringify(upload)),
  forget: () => localStorage.removeItem(KEY),
}

/** What was begun of this very file; nothing when it is another, or has changed since. */
export function leftOf(file: File): Left | null {
  const found = left.read()
  const isSame =
    found?.name === file.name &&
    found.size === file.size &&
    found.lastModified === file.lastModified
  return isSame ? found : null
}
