import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

import { findProgram, MissingProgram, needProgram, start } from './programs.ts'

const signal = new AbortController().signal
const memoryBytes = 512 * 1024 * 1024

test('a program that is not there is named, with what to install', async () => {
  expect(await findProgram('no-such-program')).toBeNull()
  await expect(needProgram('no-such-program')).rejects.toThrow(MissingProgram)
  expect(new MissingProgram(['ffmpeg', 'pocketsphinx_batch']).message).toBe(
    'ffmpeg and pocketsphinx_batch were not found on this machine. ' +
      'On Debian or Ubuntu: sudo apt install ffmpeg pocketsphinx',
  )
})

test('a child sees nothing of our environment', async () => {
  const env = await needProgram('env')
  const { child, ended } = await start(env, [], { signal, memoryBytes })
  const seen = await text(child.stdout)
  await ended
  expect(
    seen
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
      .toSorted(),
  ).toEqual(['HOME', 'LANG', 'LC_ALL', 'PATH'])
})

test('a child has a limit on memory and gains no privileges', async () => {
  const cat = await needProgram('cat')
  const { child, ended } = await start(cat, ['/proc/self/limits', '/proc/self/status'], {
    signal,
    memoryBytes,
  })
  const seen = await text(child.stdout)
  await ended
  expect(seen).toMatch(/Max address space\s+536870912/)
  expect(seen).toMatch(/NoNewPrivs:\s+1/)
})

test('aborting ends the child and whatever it started', async () => {
  const shell = await needProgram('sh')
  const stop = new AbortController()
  const script = 'sleep 60 & echo $!; wait'
  const { child, ended } = await start(shell, ['-c', script], {
    signal: stop.signal,
    memoryBytes,
    niceness: 10,
  })
  const grandchild = await new Promise<string>((resolve) => {
    child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))
  })
  stop.abort()
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  // Gone, or a zombie that init has not collected yet.
  const state = await readFile(`/proc/${grandchild}/stat`, 'utf8').catch(() => 'Z')
  expect(state).toMatch(/^Z$|\) Z /)
})

test('what was aborted before never starts', async () => {
  const stopped = AbortSignal.abort(new Error('too late'))
  const sleep = await needProgram('sleep')
  await expect(start(sleep, ['60'], { signal: stopped, memoryBytes })).rejects.toThrow('too late')
})
