import { formatBytes } from '#shared/format.ts'

/** How much of an upload is on its way. */
export interface Sent {
  sentBytes: number
  totalBytes: number
}

/** "12.4 of 38.2 MB"; both units where they differ. */
export function bytesSent({ sentBytes, totalBytes }: Sent): string {
  const [sent = '', unit = ''] = formatBytes(sentBytes).split(' ')
  const total = formatBytes(totalBytes)
  return total.endsWith(` ${unit}`) ? `${sent} of ${total}` : `${sent} ${unit} of ${total}`
}
