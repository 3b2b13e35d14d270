import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { descendantsOf } from '#test/children.ts'
import { canMount, smallDisk } from '#test/small-disk.ts'

import { needProgram } from './programs.ts'
import { confinement, filtering, run as runToEnd, start, type StartOptions } from './sandbox.ts'
import { PERL, refusedHere } from './system-calls.ts'

const never = new AbortController().signal
const options: StartOptions = {
  signal: never,
  memoryBytes: 256 * 1024 * 1024,
  cpuSeconds: 20,
  // The shells below stand for a decoder that somebody has taken over.
  startsOthers: true,
}

const folder = aFolder('sandbox')

const at = (name: string) => join(folder, name)
async function write(name: string, content: string): Promise<string> {
  await writeFile(at(name), content)
  return at(name)
}

async function run(name: string, args: string[], more: Partial<StartOptions> = {}) {
  const program = name.startsWith('/') ? name : await needProgram(name)
  const { stdout, stderr, ended } = await start(program, args, { ...options, ...more })
  const [out, err, ending] = await Promise.all([text(stdout), text(stderr), ended])
  return { out, err, ...ending }
}
const shell = (script: string, more?: Partial<StartOptions>) => run('sh', ['-c', script], more)

/** Processes that are still there, zombies included, which run a command with this mark in it. */
async function marked(mark: string): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(mark)) found.push(command)
  }
  return found
}

/** Waits until the kernel has done something. */
async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

const isSandboxed = (await confinement()) === 'sandboxed'

describe('everywhere', () => {
  test('a child sees nothing of our environment', async () => {
    const { out } = await run('env', [])
    const names = out.trim().split('\n')
    expect(names.map((line) => line.split('=')[0]).toSorted()).toEqual([
      'HOME',
      'LANG',
      'LC_ALL',
      'PATH',
    ])
  })

  test('a child has limits and gains no privileges', async () => {
    const limits = await run('prlimit', ['--noheadings', '--output', 'RESOURCE,HARD'])
    const hard = Object.fromEntries(
      limits.out
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/)),
    ) as Record<string, string>
    const data = 256 * 1024 * 1024
    expect(hard).toMatchObject({ CORE: '0', CPU: '20', FSIZE: '0', NOFILE: '64' })
    expect(hard).toMatchObject({ DATA: String(data), AS: String(data + 2 ** 30) })
    // Outside the sandbox, whatever else the user runs would count too.
    if (isSandboxed) expect(hard).toMatchObject({ NPROC: '64' })
    const { out } = await run('setpriv', ['--dump'])
    expect(out).toContain('no_new_privs: 1')
  })

  test('a child cannot use more memory than is allowed', async () => {
    const { code, signal } = await run('awk', ['BEGIN { s = "x"; while (1) s = s s }'])
    expect({ code, signal }).not.toEqual({ code: 0, signal: null })
  })

  test('aborting ends the child and whatever it started, and leaves no zombie', async () => {
    const stop = new AbortController()
    const mark = '61.25'
    const { stdout, stderr, ended } = await start(
      await needProgram('sh'),
      ['-c', `sleep ${mark} & echo started; wait`],
      { ...options, signal: stop.signal, niceness: 10 },
    )
    stderr.resume()
    await once(stdout, 'data')
    stdout.resume()
    stop.abort()
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
    await eventually(async () => (await marked(mark)).length === 0)
    expect(await descendantsOf(process.pid)).toEqual([])
  })

  test('a child reads what it is given, as fast as it reads', async () => {
    let isTaken = false
    async function* input() {
      for (let block = 0; block < 64; block++) yield Buffer.alloc(64 * 1024)
      isTaken = true
    }
    const counting = await run('wc', ['-c'], { stdin: input() })
    expect(counting).toMatchObject({ out: `${64 * 64 * 1024}\n`, code: 0 })
    expect(isTaken).toBe(true)
  })

  test('a child that ends before it has read all ends as it says', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(64 * 1024)
    }
    expect(await shell('exit 3', { stdin: endless() })).toMatchObject({ code: 3 })
  })

  test('an input that fails ends the child, and is thrown', async () => {
    async function* broken() {
      yield Buffer.from('a')
      throw new Error('it broke')
    }
    const mark = '61.75'
    await expect(shell(`sleep ${mark}`, { stdin: broken() })).rejects.toThrow('it broke')
    await eventually(async () => (await marked(mark)).length === 0)
  })

  test('a child whose signal was aborted before never starts', async () => {
    const stopped = AbortSignal.abort(new Error('too late'))
    const sleeps = await needProgram('sleep')
    await expect(start(sleeps, ['60'], { ...options, signal: stopped })).rejects.toThrow('too late')
  })

  test('a child that does not end when asked is killed', async () => {
    const { stdout, stderr, ended, stop } = await start(
      await needProgram('sh'),
      ['-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'],
      options,
    )
    stderr.resume()
    await once(stdout, 'data')
    stdout.resume()
    stop(200)
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  })

  test('a child that crashes is seen to have crashed', async () => {
    const { signal } = await run(process.execPath, ['-e', 'process.abort()'], {
      memoryBytes: 2 ** 31,
    })
    expect(['SIGABRT', 'SIGSEGV', 'SIGTRAP', 'SIGILL']).toContain(signal)
  })

  test('when we are killed, so is the child', async () => {
    const mark = '62.25'
    const parent = spawn(process.execPath, ['--input-type=module', '-e', parentOf(mark)])
    await once(parent.stdout, 'data')
    await eventually(async () => (await marked(mark)).length > 0)
    parent.kill('SIGKILL')
    await eventually(async () => (await marked(mark)).length === 0)
  })

  test('a program that does not find its libraries inside runs without the sandbox', async () => {
    // The same holds for a program in a folder that is not one of the system's.
    await mkdir(at('own'))
    await writeFile(at('own/interpreter'), await readFile(await needProgram('dash')))
    await writeFile(at('own/program'), `#!${at('own/interpreter')}\necho it runs\n`)
    for (const name of ['own/interpreter', 'own/program']) await chmod(at(name), 0o755)
    expect(await run(at('own/program'), [])).toMatchObject({ out: 'it runs\n', code: 0 })
  })
})

function parentOf(mark: string): string {
  const [sandbox, programs] = ['sandbox', 'programs'].map((name) =>
    JSON.stringify(new URL(`./${name}.ts`, import.meta.url).href),
  )
  return `
    const { start } = await import(${sandbox})
    const { needProgram } = await import(${programs})
    const signal = new AbortController().signal
    const { stdout, stderr } = await start(await needProgram('sh'),
      ['-c', 'echo started; sleep ${mark}; true'],
      { signal, memoryBytes: 2 ** 28, cpuSeconds: 9, startsOthers: true })
    stderr.resume()
    stdout.pipe(process.stdout)`
}

test.runIf(isSandboxed)(
  'where the system refuses namespaces, programs run all the same, and it is told',
  async () => {
    const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
    const without = ['--user', '--map-root-user', 'sh', '-c', script, 'sh']
    const us = [process.execPath, '--input-type=module', '-e', await toldFrom()]
    const { stdout } = await promisify(execFile)('unshare', [...without, ...us])
    expect(stdout).toBe('unsandboxed\nit runs\n')
  },
)
const toldFrom = async () => `
  const { confinement, start } = await import(${JSON.stringify(new URL('./sandbox.ts', import.meta.url).href)})
  console.log(await confinement())
  const { stdout, stderr } = await start('${await needProgram('echo')}', ['it runs'],
    { signal: new AbortController().signal, memoryBytes: 2 ** 28, cpuSeconds: 9 })
  stderr.resume()
  stdout.pipe(process.stdout)`

test('no code of ours starts a program by way of a shell', () => {
  const cwd = join(import.meta.dirname, '../../../..')
  const sources = globSync('{src,scripts,bench,test,e2e}/**/*.{ts,tsx}', { cwd })
  expect(sources).toContain('src/features/sound/sandbox/sandbox.ts')
  const byShell = sources.filter((name) => {
    if (/\.test\./.test(name)) return false
    const source = readFileSync(join(cwd, name), 'utf8')
    const [, imported] = /import \{([^}]*)\} from 'node:child_process'/.exec(source) ?? []
    return /\b(exec|execSync)\b/.test(imported ?? '') || /\bshell: (true|['"`])/.test(source)
  })
  expect(byShell).toEqual([])
})

describe.runIf(existsSync(PERL))('behind the filter of system calls', () => {
  test('this machine has it, and says so', async () => {
    expect(await filtering()).toBe('filtered')
  })

  test('the kernel refuses system calls that no decoder needs', async () => {
    const numbers = refusedHere()
    expect(numbers.length).toBeGreaterThan(50)
    // Without the filter, these arguments would be wrong, or ask for nothing.
    const ask = 'for (@ARGV) { syscall($_ + 0, 0, 0, 0, 0, 0, 0); print $! + 0, "\\n"; $! = 0 }'
    const alone = { startsOthers: false }
    const { out } = await run(PERL, ['-e', ask, ...numbers.map(String)], alone)
    const { EPERM } = constants.errno
    expect(out.trim().split('\n').map(Number)).toEqual(numbers.map(() => EPERM))
  })

  test('a program starts no other, whoever runs the server; threads it has', async () => {
    const alone = { startsOthers: false }
    expect(await shell('echo first; sleep 0; echo second', alone)).toMatchObject({
      out: 'first\n',
      err: expect.stringMatching(/fork/i),
    })
    const threads = 'new Worker("console.log(1 + 1)", { eval: true })'
    const node = [
      '--input-type=module',
      '-e',
      `import { Worker } from "worker_threads"; ${threads}`,
    ]
    const more = { ...alone, memoryBytes: 2 ** 31 }
    expect(await run(process.execPath, node, more)).toMatchObject({ out: '2\n', code: 0 })
  })
})

test.runIf(canMount)(
  'a program that found its work folder full has failed, whatever it says of that',
  async () => {
    const workDir = at('full')
    await mkdir(workDir)
    await using _ = await smallDisk(workDir, '256k')
    const sh = await needProgram('sh')
    const writes = (script: string) => runToEnd(sh, ['-c', script], { ...options, workDir })
    expect(await writes('echo some > of; echo enough')).toMatchObject({ code: 0 })
    const silent = writes('yes > all 2> said; exit 0')
    await expect(silent).rejects.toMatchObject({ code: 'ENOSPC' })
    const speaking = writes('yes > all; rm all; exit 1')
    await expect(speaking).rejects.toMatchObject({ code: 'ENOSPC' })
  },
)

describe.runIf(isSandboxed)('in the sandbox', () => {
  test('there is nothing but the system, what was given, and the work folder', async () => {
    const workDir = at('work')
    await mkdir(workDir)
    const given = await write('given', 'for your eyes')
    const hidden = await write('hidden', 'not for your eyes')
    const { out, err } = await shell(`ls /; ls ${folder}; cat ${given} ${hidden}; pwd; id -u`, {
      reads: [given],
      workDir,
    })
    const system = ['bin', 'dev', 'etc', 'lib', 'lib64', 'old', 'proc', 'tmp', 'usr']
    const [seen, rest] = out.split('given\nwork\nfor your eyes')
    expect(system).toEqual(expect.arrayContaining(seen!.trim().split('\n')))
    expect(rest).toBe(`${workDir}\n0\n`)
    expect(err).toContain('hidden: No such file')

    const { out: nothing } = await shell('ls -A /proc /old /dev', {})
    expect(nothing).toBe('/dev:\nnull\n\n/old:\n\n/proc:\n')
  })

  test('only the work folder can be written to', async () => {
    const workDir = at('work-2')
    await mkdir(workDir)
    const given = await write('given-2', 'as it was')
    const places = [given, at('new'), '/new', '/usr/bin/new', '/dev/new', '/etc/new', '/proc/new']
    const script = [...places, 'own'].map((path) => `echo changed > ${path};`).join(' ')
    await shell(script, { reads: [given], workDir })
    expect(await readdir(workDir)).toEqual(['own'])
    expect(await readFile(given, 'utf8')).toBe('as it was')
    expect((await readdir(folder)).includes('new')).toBe(false)

    await shell(`echo changed > ${given}; echo changed > own`, { reads: [given] })
    expect(await readFile(given, 'utf8')).toBe('as it was')
  })

  test('there is no network, loopback included', async () => {
    let visitors = 0
    const listener = createServer(() => (visitors += 1)).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const url = `tcp://127.0.0.1:${port}`
    const asking = ['-v', 'error', '-f', 's16le', '-i', url, '-f', 'null', '-']
    const { err, code } = await run('ffmpeg', asking)
    listener.close()
    expect(code).not.toBe(0)
    // The filter of system calls gives the first error; without a filter the network gives the
    // second.
    expect(err).toMatch(/Operation not permitted|Network is unreachable/)
    expect(visitors).toBe(0)
  })

  test('no power is left, and no namespace can be made to get some', async () => {
    const { out } = await run('setpriv', ['--dump'])
    expect(out).toMatch(/Capability bounding set: \[none\]/)
    expect(out).toMatch(/Inheritable capabilities: \[none\]/)
    for (const attempt of ['umount -l /usr/lib', 'mount -t tmpfs x /usr', 'unshare -U true'])
      expect((await shell(attempt)).code).not.toBe(0)
  })

  test('no other process is seen or reached', async () => {
    const { out } = await shell(`kill -0 ${process.pid} 2>/dev/null && echo reached; echo $$`)
    expect(out).toBe('1\n')
  })

  test('names with quotes, spaces, line breaks and emoji are only names', async () => {
    const names = ['a b', `"'$(id)`, 'new\nline', '🎙', '-rf', '*', '--']
    for (const name of names) {
      const given = await write(name, 'here')
      expect(await run('cat', [given], { reads: [given] })).toMatchObject({ out: 'here', code: 0 })
    }
  })

  test('a file that cannot be shown is an error of ours, not of the program', async () => {
    const cat = await needProgram('cat')
    const { stdout, stderr, ended } = await start(cat, [], { ...options, reads: [at('gone')] })
    stdout.resume()
    stderr.resume()
    await expect(ended).rejects.toThrow(/sandbox could not be put up.*gone/)
  })
})
