/** What the drop area says to files it does not take. The server looks again, at the content. */
import {
  MAX_UPLOAD_BYTES,
  acceptedExtensions,
  tooLarge,
  unsupportedFormat,
} from '#shared/business.ts'
import { hasAcceptedExtension } from '#shared/file-names.ts'

/** What the browser's own window shows: every audio and video type, and our extensions by name. */
export const accept = [
  'audio/*',
  'video/*',
  ...acceptedExtensions.map((extension) => `.${extension}`),
].join(',')

/** Whether a file that is too large may be a video, whose sound alone would be smaller. */
export const isVideo = ({ name, type }: { name: string; type: string }): boolean =>
  type.startsWith('video/') || /\.(mp4|mov|m4v|webm|mkv)$/i.test(name)

export interface FileProblem {
  /** What is wrong and what to do about it. */
  message: string
  /** The same in the words of the browser's filter; null where the message says it all. */
  detail: string | null
}

/** What is wrong with the files that were chosen or dropped; null when there is one good file. */
export function problemWith(
  files: { name: string; type: string; size: number }[],
): FileProblem | null {
  const [file, ...more] = files
  if (!file) return null
  if (more.length > 0)
    return { message: 'Too many files', detail: 'Please choose exactly one file.' }
  if (!hasAcceptedExtension(file.name)) {
    const isMedia = /^(audio|video)\//.test(file.type)
    return {
      message: unsupportedFormat,
      detail: isMedia ? null : 'File type must be audio/*, video/*',
    }
  }
  if (file.size > MAX_UPLOAD_BYTES)
    return { message: tooLarge, detail: `File is larger than ${MAX_UPLOAD_BYTES} bytes` }
  if (file.size === 0)
    return {
      message: 'This file is empty. Please choose another file.',
      detail: 'File is smaller than 1 bytes',
    }
  return null
}
