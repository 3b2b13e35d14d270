import { mkdir, readdir, rm, truncate } from 'node:fs/promises'
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
  // There is room for the trial, and for no job.
  await truncate(filling, 7_872 * 1024)
  expect(await hasRoom(disk)).toBe(false)
  await rm(filling)
  expect(await hasRoom(disk)).toBe(true)
})

test.runIf(canMount)('a disk that takes no more files is full', async () => {
  const disk = join(folder, 'no-files')
  await mkdir(disk)
  // Its root is the one.
  await using _ = await smallDisk(disk, '8m,nr_inodes=1')
  expect(await hasRoom(disk)).toBe(false)
})

test('of a folder that is not there nobody says that it is full', async () => {
  expect(await hasRoom(join(folder, 'nowhere'))).toBe(true)
})
