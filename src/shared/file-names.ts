/**
 * Names of files that come in and go out. A name is a stranger's text: a stored name has no path, no
 * control characters and nothing that turns the direction of reading; the name of a download can be
 * saved on every system, and no name can add a header or leave the quotes.
 */

import { acceptedExtensions } from './business.ts'

/** Longest name of a download in bytes of UTF-8, and the longest name that is stored. */
const DOWNLOAD_BYTES = 120
const STORED_BYTES = 255
const NAMELESS = 'recording'

/** Control characters and every kind of line break. */
const controls = /[\p{Cc}\u2028\u2029]/gu
/** Invisible characters that reorder text, so that `gpj.exe` can look like `exe.jpg`. */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g
/** Characters that Windows or a shell reads as something else than part of a name. */
const reserved = /[/\\:*?"<>|]/g
const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i

const encoder = new TextEncoder()
const sizeBytes = (text: string): number => encoder.encode(text).length
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** An extension is short and plain; in `Dr. Smith, part two` the last dot begins none. */
function split(name: string): { base: string; extension: string } {
  const extension = /(?<=.)\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? ''
  return { base: name.slice(0, name.length - extension.length), extension }
}

/** Whether a name ends like something the product takes; the server looks at the content. */
export function hasAcceptedExtension(name: string): boolean {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  return acceptedExtensions.some((accepted) => accepted === extension)
}

/** The title of a recording: its name without the ending of the file. */
export function titleOf(originalName: string): string {
  return hasAcceptedExtension(originalName) ? split(originalName).base : originalName
}

/** Cuts the base between characters as people see them, and keeps the extension. */
function cap(name: string, bytes: number): string {
  if (sizeBytes(name) <= bytes) return name
  const { base, extension } = split(name)
  let bytesLeft = bytes - sizeBytes(extension)
  let kept = ''
  for (const { segment } of graphemes.segment(base)) {
    bytesLeft -= sizeBytes(segment)
    if (bytesLeft < 0) break
    kept += segment
  }
  return kept.replace(/[.\s]+$/, '') + extension
}

/** The name under which an upload is stored and shown: readable, emoji and quotes as they were. */
export function cleanOriginalName(name: string): string {
  const cleaned = name
    .toWellFormed()
    .replace(controls, ' ')
    .replace(reordering, '')
    .split(/[/\\]/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => !/^\.*$/.test(part))
    .at(-1)
  return cleaned === undefined ? NAMELESS : cap(cleaned.normalize('NFC'), STORED_BYTES)
}

/** A name that can be saved on every system; never empty, at most 120 bytes. */
export function downloadName(name: string): string {
  const safe = name
    .toWellFormed()
    .normalize('NFC')
    .replace(controls, '')
    .replace(reordering, '')
    .replace(reserved, '')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '')
  if (safe === '') return NAMELESS
  // The mark takes a byte, so it comes before the cap.
  return cap(deviceName.test(safe) ? `_${safe}` : safe, DOWNLOAD_BYTES)
}

/** Name of the text of a recording; the original name keeps its extension. */
export const transcriptionFileName = (originalName: string): string =>
  downloadName(`transcription-${originalName}.txt`)

/** Name of the summary of a recording; the original name keeps its extension. */
export const summaryFileName = (originalName: string): string =>
  downloadName(`summary-${originalName}.txt`)

/** Name of the action items of a recording for a calendar. */
export const calendarFileName = (originalName: string): string =>
  downloadName(`action-items-${downloadName(split(originalName).base)}.ics`)

/** `interview.mp3` as `interview.srt`: media base name first, so that players pair the two. */
export function exportFileName(originalName: string, extension: string): string {
  return downloadName(`${downloadName(split(originalName).base)}.${extension}`)
}

/** `filename=` takes ASCII only; some browsers read percent signs in it as escapes. */
function asciiOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_')
    .replace(/["\\%]/g, '_')
    .trim()
  // A name of nothing but accents leaves nothing.
  return ascii === '' ? NAMELESS : ascii
}

/**
 * The header of a download, with an ASCII name for old clients and the true one for the rest
 * (RFC 6266). Any string may be given: it is made safe here.
 */
export function contentDisposition(name: string): string {
  const safe = downloadName(name)
  const encoded = encodeURIComponent(safe).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${asciiOf(safe)}"; filename*=UTF-8''${encoded}`
}
