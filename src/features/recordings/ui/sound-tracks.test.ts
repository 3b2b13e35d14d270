import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'

import { soundTracksIn } from './sound-tracks.ts'

const folder = aFolder('tracks')
const picture = ['-f', 'lavfi', '-i', 'color=s=64x64:r=5:d=1']
const tone = ['-f', 'lavfi', '-i', 'sine=d=1']

test.for(['mp4', 'mov', 'mkv', 'webm'])(
  'the tracks of sound in a film are counted: %s',
  async (kind) => {
    const codecs = kind === 'webm' ? ['-c:v', 'libvpx'] : ['-c:v', 'mpeg4']
    const tracksOf = async (...maps: string[]) => {
      const path = join(folder, `${maps.length}.${kind}`)
      const from = ['-v', 'error', '-y', ...picture, ...tone]
      const all = ['0:v', ...maps].flatMap((map) => ['-map', map])
      await promisify(execFile)('ffmpeg', [...from, ...all, ...codecs, path])
      return soundTracksIn(await openAsBlob(path))
    }
    expect(await tracksOf('1:a')).toBe(1)
    expect(await tracksOf('1:a', '1:a', '1:a')).toBe(3)
  },
)

test('a file without a list of tracks has none that are counted', async () => {
  expect(await soundTracksIn(new Blob(['ID3 and so on']))).toBeNull()
  expect(await soundTracksIn(new Blob([]))).toBeNull()
})
