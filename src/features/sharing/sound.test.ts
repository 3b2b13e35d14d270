import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { test as base, expect } from 'vitest'

import { type SoundFiles, soundFiles } from './sound.ts'

const test = base
  .extend('work', () => ({ now: 0, most: 0, all: 0, order: new Array<string>() }))
  .extend('sounds', async ({ work }, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'quoth-sounds-'))
    const storage = {
      require: async () => {},
      open: async (key: string) => ({ path: key, release: async () => {} }),
    }
    const sounds = soundFiles(storage, folder, async (path, out) => {
      work.all += 1
      work.order.push(path)
      work.now += 1
      work.most = Math.max(work.most, work.now)
      await writeFile(out, `sound of ${path}`)
      work.now -= 1
      return path === 'broken' ? null : 'audio/mp4'
    })
    onCleanup(async () => {
      await sounds.close()
      await rm(folder, { recursive: true })
    })
    return sounds
  })

const played = async (sounds: SoundFiles, key: string, owner: string) => {
  const sound = await sounds.open(key, owner)
  return text(await sound.read({ start: 0, end: sound.sizeBytes - 1 }))
}

test('more sounds play at once than are kept, and one video is worked on at a time', async ({
  sounds,
  work,
}) => {
  const keys = Array.from({ length: 30 }, (_, at) => `video ${at}`)
  const all = keys.map((key, at) => played(sounds, key, `owner ${at % 10}`))
  await expect(sounds.open('broken', 'owner')).rejects.toThrow('cannot play')
  expect(await Promise.all(all)).toEqual(keys.map((key) => `sound of ${key}`))
  expect(work.most).toBe(1)
  const before = work.all
  expect(await played(sounds, 'video 29', 'owner 9')).toBe('sound of video 29')
  expect(work.all).toBe(before)
})

test('an account whose links ask for many sounds is refused more, and holds up no other', async ({
  sounds,
  work,
}) => {
  const ask = (key: string, owner: string) =>
    played(sounds, key, owner).then(
      () => null,
      (error: Error) => error.message,
    )
  const many = Array.from({ length: 8 }, (_, at) => ask(`${at}`, 'many'))
  const other = ask('other', 'somebody else')
  const answers = await Promise.all(many)
  await other
  expect(answers.filter((answer) => typeof answer === 'string')).toEqual([
    expect.stringContaining('several of these under way'),
    expect.stringContaining('several of these under way'),
  ])
  expect(work.order.indexOf('other')).toBeLessThan(3)
})
