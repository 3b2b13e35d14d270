/** What deploy/ says of the product is true of it. */
import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import type { Container } from '#features/speech/listen/container.ts'
import { decoderArguments } from '#features/speech/listen/decode.ts'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')

describe('the ffmpeg of the image', () => {
  const listOf = (name: string) =>
    new RegExp(`^${name}='([^']+)'`, 'm').exec(read('build-ffmpeg.sh'))?.[1]?.split(/\s+/)

  test('decodes the codecs that recordings may have, and no others', () => {
    const args = decoderArguments('x', 'wav', { maxDurationMs: 1 })
    const allowed = args[args.indexOf('-codec_whitelist') + 1]?.split(',') ?? []
    // Its build knows one of them by another name.
    const names = allowed.map((name) => (name === 'g722' ? 'adpcm_g722' : name))
    expect(listOf('decoders')?.toSorted()).toEqual(names.toSorted())
  })

  test('reads the containers that recordings may have, and samples that were decoded', () => {
    const demuxers: Record<Container, string> = {
      flac: 'flac',
      mp3: 'mp3',
      ogg: 'ogg',
      wav: 'wav',
      mov: 'mov',
      matroska: 'matroska',
      avi: 'avi',
      mpeg: 'mpegps',
      mpegts: 'mpegts',
    }
    const wanted = [...Object.values(demuxers), 'pcm_s16le']
    expect(listOf('demuxers')?.toSorted()).toEqual(wanted.toSorted())
  })
})
