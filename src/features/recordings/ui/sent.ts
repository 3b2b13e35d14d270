import { formatBytes } from '#shared/format.ts'

/** How much of an upload is on its way. */
export interface Sent {
  sentBytes: number
  totalBytes: number
  /** The connection broke: it is tried again, or `againBytes` are sent again. */
  trouble?: 'broken' | 'again'
  againBytes?: number
}

/** What to say of a connection that broke; null when it did not. */
export function troubleWith({ trouble, againBytes = 0 }: Sent): string | null {
  if (trouble === undefined) return null
  if (trouble === 'broken') return 'The connection broke. What has arrived is kept. Trying again…'
  return `The connection broke. ${formatBytes(againBytes)} are sent again; the rest has arrived.`
}

/** "12.4 of 38.2 MB"; both units where they differ. */
export function bytesSent({ sentBytes, totalBytes }: Sent): string {
  const [sent = '', unit = ''] = formatBytes(sentBytes).split(' ')
  const total = formatBytes(totalBytes)
  return total.endsWith(` ${unit}`) ? `${sent} of ${total}` : `${sent} ${unit} of ${total}`
}
