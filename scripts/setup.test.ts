import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
const at = (name: string) => join(folder, name)

function file(name: string, text: string): void {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
}

function program(name: string, script: string): void {
  file(name, `#!/bin/sh\necho "$(basename "$0") $*" >> ${at('called')}\n${script}\n`)
  chmodSync(at(name), 0o755)
}

/** A checkout with stand-ins for npm, the build and the package manager: they only log the call. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quoth-setup-'))
  mkdirSync(at('scripts'))
  copyFileSync(new URL('setup.mjs', import.meta.url), at('scripts/setup.mjs'))
  file('package-lock.json', '{}')
  file('scripts/set-up-model.ts', '')
  file('src/root/ui/root.tsx', 'export {}')
  for (const name of ['sh', 'env', 'basename', 'mkdir', 'touch', 'chmod', 'cp', 'dirname']) {
    mkdirSync(at('bin'), { recursive: true })
    symlinkSync(`/bin/${name}`, at(`bin/${name}`))
  }
  for (const name of ['bzip2', 'ffmpeg', 'ffprobe', 'pocketsphinx_batch'])
    program(`bin/${name}`, '')
  program('react-router', 'mkdir -p build/client')
  program(
    'npm',
    'mkdir -p node_modules/.bin; cp react-router node_modules/.bin/; touch node_modules/.package-lock.json',
  )
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function setUp(purpose = 'start') {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/setup.mjs', purpose], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: at('bin'), npm_execpath: at('npm') },
  })
  // Leaves out a line that depends on whether this machine has the speech model.
  const lines = stdout.split('\n').filter((line) => line && !line.includes('English model'))
  return { status, stderr, lines }
}

const called = () => (existsSync(at('called')) ? readFileSync(at('called'), 'utf8') : '')

test('a fresh checkout is made ready, and the second time nothing is done or said', () => {
  expect(setUp()).toMatchObject({ status: 0, stderr: '' })
  expect(called()).toBe('npm ci --include=dev\nreact-router build\n')
  expect(setUp()).toEqual({ status: 0, stderr: '', lines: [] })
  expect(called()).toBe('npm ci --include=dev\nreact-router build\n')
})

test('a changed source is built again, a changed test is not', () => {
  setUp()
  file('src/web/root.test.ts', 'export {}')
  expect(setUp().lines).toEqual([])
  file('src/root/ui/root.tsx', 'export const changed = true')
  expect(setUp().lines).toHaveLength(2)
})

test('a service is told what is missing after an upgrade, and nothing is changed for it', () => {
  setUp()
  const before = called()
  expect(setUp('look')).toEqual({ status: 0, stderr: '', lines: [] })
  const told = {
    status: 1,
    stderr: expect.stringMatching(/not those of this release\. Run .*node scripts/),
  }
  file('src/root/ui/root.tsx', 'export const changed = true')
  expect(setUp('look')).toMatchObject(told)
  setUp()
  file('package-lock.json', '{"changed":true}')
  expect(setUp('look')).toMatchObject(told)
  expect(called()).toBe(`${before}react-router build\n`)
})

test('a changed lockfile is installed again', () => {
  setUp()
  file('package-lock.json', '{"changed":true}')
  setUp()
  expect(called().match(/npm ci/g)).toHaveLength(2)
})

test('an installation that was interrupted is done again', () => {
  setUp()
  rmSync(at('node_modules/.package-lock.json'))
  setUp()
  expect(called().match(/npm ci/g)).toHaveLength(2)
})

test('two at once do the work once', async () => {
  program(
    'npm',
    'sleep 1; mkdir -p node_modules/.bin; cp react-router node_modules/.bin/; touch node_modules/.package-lock.json',
  )
  symlinkSync('/bin/sleep', at('bin/sleep'))
  const first = spawn(process.execPath, ['scripts/setup.mjs', 'start'], {
    cwd: folder,
    env: { PATH: at('bin'), npm_execpath: at('npm') },
  })
  const ended = once(first, 'exit')
  await once(first.stdout, 'data')
  const { status, lines } = setUp()

  expect(status).toBe(0)
  expect(lines).toEqual(['set-up: waiting for another set-up of this checkout …'])
  expect(await ended).toEqual([0, null])
  expect(called()).toBe('npm ci --include=dev\nreact-router build\n')
})

test('a lock that a dead process left behind keeps no later one waiting', () => {
  const { pid } = spawnSync('true')
  file('.set-up.lock', String(pid))
  expect(setUp().status).toBe(0)
  expect(existsSync(at('.set-up.lock'))).toBe(false)
})

test('a build that fails twice says why, and the next start builds again', () => {
  program('react-router', 'echo "routes.ts is wrong"; exit 1')
  expect(setUp()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('routes.ts is wrong'),
  })
  expect(called().match(/react-router build/g)).toHaveLength(2)
  setUp()
  expect(called().match(/react-router build/g)).toHaveLength(4)
})

test('a build that fails once, as on a busy machine, does not end the start', () => {
  program('react-router', `if mkdir ${at('tried')}; then exit 1; fi; mkdir -p build/client`)
  const { status, lines } = setUp()
  expect(status).toBe(0)
  expect(lines).toContain('set-up: the build failed, trying once more …')
})

test('before a check packages are installed, and nothing is built', () => {
  expect(setUp('check').status).toBe(0)
  expect(called()).toBe('npm ci --include=dev\n')
})

test('a missing program is installed from the distribution', () => {
  rmSync(at('bin/ffmpeg'))
  program('bin/sudo', 'shift; if [ "$1" = true ]; then exit 0; fi; exec "$@"')
  program(
    'bin/apt-get',
    `case "$*" in *install*) cp ${at('bin/ffprobe')} ${at('bin/ffmpeg')};; esac`,
  )
  const { status, lines } = setUp()
  expect(status).toBe(0)
  expect(lines).toContain('set-up: installing ffmpeg …')
  expect(called()).toMatch(/apt-get .*update\n(.*\n)*apt-get .*install -y .*ffmpeg/)
})

test('where nothing may be installed, one command is named and set-up goes on', () => {
  rmSync(at('bin/ffmpeg'))
  const { status, lines } = setUp()
  expect(status).toBe(0)
  expect(lines.join('\n')).toContain('ffmpeg not found. To install: ')
  expect(existsSync(at('build/client'))).toBe(true)
})

test('a Node that does not run on this system is set aside', () => {
  setUp()
  program('node_modules/.bin/node', 'exit 1')
  expect(setUp()).toMatchObject({ status: 0 })
  expect(existsSync(at('node_modules/.bin/node'))).toBe(false)
})
