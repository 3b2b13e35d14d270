import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  cleanOriginalName,
  contentDisposition,
  downloadName,
  exportFileName,
  summaryFileName,
  transcriptionFileName,
} from './file-names.ts'

const bytes = (text: string) => Buffer.byteLength(text)

test('a stored name has no path, whichever way the slashes lean', () => {
  expect(cleanOriginalName('../../etc/passwd')).toBe('passwd')
  expect(cleanOriginalName('C:\\Users\\Ada\\talk.mp3')).toBe('talk.mp3')
  expect(cleanOriginalName('talk.mp3/')).toBe('talk.mp3')
  expect(cleanOriginalName('../..')).toBe('recording')
  expect(cleanOriginalName('')).toBe('recording')
})

test('a stored name stays readable: emoji and quotes stay, line breaks and overrides go', () => {
  expect(cleanOriginalName('my "best" talk 🎙️.mp3')).toBe('my "best" talk 🎙️.mp3')
  expect(cleanOriginalName('one\r\ntwo\u0000\u2028three.mp3')).toBe('one two three.mp3')
  expect(cleanOriginalName('song\u202e3pm.exe')).toBe('song3pm.exe')
  expect(cleanOriginalName('broken\ud800.mp3')).toBe('broken\ufffd.mp3')
})

test('a stored name that is far too long is cut and keeps its extension', () => {
  const name = cleanOriginalName(`${'ü'.repeat(400)}.mp3`)
  expect(bytes(name)).toBeLessThanOrEqual(255)
  expect(name).toMatch(/^ü+\.mp3$/)
})

test('downloads of text and summary are named after the original, extension and all', () => {
  expect(transcriptionFileName('interview.mp3')).toBe('transcription-interview.mp3.txt')
  expect(summaryFileName('Weekly sync 3.m4a')).toBe('summary-Weekly sync 3.m4a.txt')
})

test('exports take the base name of the recording', () => {
  expect(exportFileName('interview.mp3', 'srt')).toBe('interview.srt')
  expect(exportFileName('Dr. Smith, part two', 'vtt')).toBe('Dr. Smith, part two.vtt')
  expect(exportFileName('???.mp3', 'docx')).toBe('recording.docx')
  expect(exportFileName('***', 'docx')).toBe('recording.docx')
})

test('a download has nothing a file system refuses', () => {
  expect(downloadName('a/b\\c:d*e?f"g<h>i|j.txt')).toBe('abcdefghij.txt')
  expect(downloadName('...hidden.txt')).toBe('hidden.txt')
  expect(downloadName('name. . .')).toBe('name')
  expect(downloadName('CON')).toBe('_CON')
  expect(downloadName('lpt1.tar.gz')).toBe('_lpt1.tar.gz')
  expect(downloadName('console.txt')).toBe('console.txt')
  expect(downloadName('\u0007')).toBe('recording')
})

test('a long download is cut between characters, not inside an emoji', () => {
  const name = downloadName(`${'👩🏽‍🔬'.repeat(40)}.txt`)
  expect(bytes(name)).toBeLessThanOrEqual(120)
  expect(name).toBe(`${'👩🏽‍🔬'.repeat(7)}.txt`)
})

test('the header carries an ASCII name and the true one', () => {
  expect(contentDisposition('Grüße 100%.txt')).toBe(
    `attachment; filename="Gru_e 100_.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20100%25.txt`,
  )
  expect(contentDisposition(`it's (1)*!.txt`)).toBe(
    `attachment; filename="it's (1)!.txt"; filename*=UTF-8''it%27s%20%281%29%21.txt`,
  )
})

test('no name can break out of the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const header = contentDisposition(name)
      expect(header).toMatch(
        /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[\w.%$&+\-^`|~#]+$/,
      )
      const sent = decodeURIComponent(header.split(`UTF-8''`)[1]!)
      expect(sent).toBe(downloadName(name))
      expect(bytes(sent)).toBeLessThanOrEqual(120)
      expect(downloadName(sent)).toBe(sent)
    }),
  )
})

test('cleaning a name twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const once = cleanOriginalName(name)
      expect(once).not.toMatch(/[\p{Cc}/\\]/u)
      expect(once.length).toBeGreaterThan(0)
      expect(cleanOriginalName(once)).toBe(once)
    }),
  )
})
