import { describe, expect, test } from 'vitest'

import { MAX_UPLOAD_BYTES, acceptedExtensions } from '#shared/business.ts'

import { isVideo, problemWith } from './file-rules.ts'

const file = (name: string, { size = 1000, type = 'audio/mpeg' } = {}) => ({ name, size, type })

describe('files for upload', () => {
  test.each(acceptedExtensions)('one .%s file is taken', (extension) => {
    expect(problemWith(file(`talk.${extension}`))).toBeNull()
    expect(problemWith(file(`TALK.${extension.toUpperCase()}`, { type: '' }))).toBeNull()
  })

  test('exactly 100 MB is taken, one byte more is not', () => {
    expect(problemWith(file('a.wav', { size: MAX_UPLOAD_BYTES }))).toBeNull()
    expect(problemWith(file('a.wav', { size: MAX_UPLOAD_BYTES + 1 }))).toBe(
      'File size must be less than 100MB. Large files are automatically processed in chunks for optimal performance.',
    )
  })

  test.each(['notes.txt', 'song.aiff', 'recording', 'mp3', 'talk.mp3.exe', 'talk.'])(
    '%s has no accepted ending',
    (name) => {
      expect(problemWith(file(name))).toBe(
        'File format not supported. Please use: FLAC, M4A, MP3, MP4, MPEG, OGG, OPUS, WAV, or WebM.',
      )
    },
  )

  test('an empty file is refused', () => {
    expect(problemWith(file('a.mp3', { size: 0 }))).toMatch(/^File is smaller than 1 bytes/)
  })
})

test('a video is known by its type, or by its name where there is none', () => {
  expect(isVideo(file('talk.mov', { type: 'video/quicktime' }))).toBe(true)
  expect(isVideo(file('TALK.MOV', { type: '' }))).toBe(true)
  expect(isVideo(file('talk.wav', { type: 'audio/wav' }))).toBe(false)
})
