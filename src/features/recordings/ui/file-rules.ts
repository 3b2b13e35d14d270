/** The rules for files that the drop area takes. The server looks again, at the content. */
import {
  MAX_UPLOAD_BYTES,
  acceptedExtensions,
  tooLarge,
  unsupportedFormat,
} from '#shared/business.ts'
import { hasAcceptedExtension } from '#shared/file-names.ts'

/** The files that the browser's own window shows: every audio and video type, and our extensions by name. */
export const accept = [
  'audio/*',
  'video/*',
  ...acceptedExtensions.map((extension) => `.${extension}`),
].join(',')

/** Whether a file that is too large may be a video, whose sound alone would be smaller. */
export const isVideo = ({ name, type }: { name: string; type: string }): boolean =>
  type.startsWith('video/') || /\.(mp4|mov|m4v|webm|mkv)$/i.test(name)

/** What is wrong with a file, in one message that says what to do; null when nothing is. */
export function problemWith(file: { name: string; size: number }): string | null {
  if (!hasAcceptedExtension(file.name)) return unsupportedFormat
  if (file.size > MAX_UPLOAD_BYTES) return tooLarge
  if (file.size === 0)
    return 'File is smaller than 1 bytes: it is empty. Please choose another file.'
  return null
}
