import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { canMount, fill, smallDisk } from '#test/small-disk.ts'

import { hasRoom } from './own-disk.ts'

const folder = aFolder('own-disk')

test.runIf(canMount)('a disk has room until it is full, and again when that has gone', async () => {
  const disk = join(folder, 'disk')
  await mkdir(disk)
  await using _ = await smallDisk(disk, '8m')
  expect(await hasRoom(disk)).toBe(true)
  expect(await readdir(disk)).toEqual([])
  const filling = await fill(disk)
  expect(await hasRoom(disk)).toBe(false)
  await rm(filling)
  expect(await hasRoom(disk)).toBe(true)
})

test('of a folder that is not there nobody says that it is full', async () => {
  expect(await hasRoom(join(folder, 'nowhere'))).toBe(true)
})
