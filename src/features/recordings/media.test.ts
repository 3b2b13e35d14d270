import { expect, test } from 'vitest'

import { mediaTypeOf, pictureOf } from './media.ts'

test('browsers are promised only what they play', () => {
  const type = (
    container: Parameters<typeof mediaTypeOf>[0]['container'],
    codec: string,
    isVideo = false,
  ) => mediaTypeOf({ container, codec, isVideo })
  expect(type('mp3', 'mp3')).toBe('audio/mpeg')
  expect(type('mov', 'aac')).toBe('audio/mp4')
  expect(type('mov', 'aac', true)).toBe('video/mp4')
  expect(type('matroska', 'opus', true)).toBe('video/webm')
  expect(type('ogg', 'opus')).toBe('audio/ogg')
  expect(type('wav', 'pcm_s16le')).toBe('audio/wav')
  expect(type('flac', 'flac')).toBe('audio/flac')
  for (const [container, codec] of [
    ['avi', 'mp3'],
    ['mpeg', 'mp2'],
    ['mov', 'alac'],
    ['matroska', 'ac3'],
    ['ogg', 'speex'],
    ['wav', 'adpcm_ms'],
  ] as const)
    expect(type(container, codec)).toBeNull()
})

test('a picture is promised only where browsers show it beside a sound that they play', () => {
  const picture = (container: 'mov' | 'matroska' | 'avi' | 'mp3', codec: string, video?: string) =>
    pictureOf({ container, codec, isVideo: video !== undefined, videoCodec: video ?? null })
  for (const video of ['h264', 'vp9', 'av1']) expect(picture('mov', 'aac', video)).toBe('shown')
  expect(picture('matroska', 'opus', 'vp8')).toBe('shown')
  expect(picture('mov', 'aac', 'hevc')).toBe('cannot')
  expect(picture('mov', 'alac', 'h264')).toBe('cannot')
  expect(picture('avi', 'mp3', 'h264')).toBe('cannot')
  expect(picture('mp3', 'mp3')).toBeNull()
})
