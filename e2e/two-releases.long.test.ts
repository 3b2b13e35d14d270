import { execFile } from 'node:child_process'
import { cp, mkdtempDisposable, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { type Page, expect, test } from '@playwright/test'

import { openDatabase } from '../src/server/db.ts'
import { type TestApp, anApp } from '../test/app.ts'
import { databaseOf } from '../test/server.ts'
import { haveAccount } from './steps.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'build/client')
const bin = join(root, 'node_modules/.bin')
const run = promisify(execFile)

const inBuild = ['src', 'public', 'scripts', 'package.json', 'tsconfig.base.json']
const configs = ['tsconfig.web.json', 'react-router.config.ts', 'vite.config.ts']

/**
 * Builds the next release from a copy of the sources, in which three things are others: a text of a
 * page that is loaded when it is opened, a style, and the name of a function that most files import.
 */
async function buildNext(dir: string): Promise<string> {
  for (const name of [...inBuild, ...configs])
    await cp(join(root, name), join(dir, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  const change = async (file: string, from: RegExp, to: string) => {
    const text = await readFile(join(dir, file), 'utf8')
    const changed = text.replace(from, to)
    await writeFile(join(dir, file), changed)
    return changed !== text
  }
  const page = 'src/features/library/ui/library-page.tsx'
  expect(await change(page, /(?<=^ +)Library$/m, 'Next library')).toBe(true)
  expect(await change('src/web/styles.css', /$/, ':root { --release: next; }\n')).toBe(true)
  let importers = 0
  for (const file of await readdir(join(dir, 'src'), { recursive: true }))
    if (/\.tsx?$/.test(file) && (await change(join('src', file), /\bsentenceOf\b/g, 'wordsOf')))
      importers += 1
  expect(importers).toBeGreaterThan(20)
  const PATH = `${bin}${delimiter}${process.env['PATH']}`
  const build = () =>
    run(join(bin, 'react-router'), ['build'], { cwd: dir, env: { ...process.env, PATH } })
  // React Router gives each page that it writes ten seconds, which can be too little beside other tests.
  await build().catch(build)
  return join(dir, 'build/client')
}

/** Gives each request to the next of the servers, as a proxy does while a release is replaced. */
function alternating(ports: () => number[]) {
  let turn = 0
  return createServer((asked: IncomingMessage, answer) => {
    const { url, method, headers } = asked
    const all = ports()
    const port = all[turn++ % all.length]
    const passed = request({ port, path: url, method, headers }, (theirs) => {
      answer.writeHead(theirs.statusCode ?? 502, theirs.headers)
      theirs.pipe(answer)
    })
    passed.on('error', () => answer.writeHead(502).end())
    asked.pipe(passed)
  })
}

const portOf = ({ app }: TestApp) => (app.server.address() as AddressInfo).port

const scriptOf = async (page: Page) =>
  (await page.locator('script[type=module][src]').getAttribute('src'))?.replace('/assets/', '')

async function openLibrary(page: Page): Promise<void> {
  const places = page.getByRole('navigation', { name: 'Main' })
  await places.getByRole('link', { name: 'Library', exact: true }).click()
}

test('no page breaks while one release replaces another behind one proxy', async ({ page }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'quoth-next-'))
  const next = await buildNext(folder.path)
  const [names, nextNames] = [
    await readdir(join(built, 'assets')),
    await readdir(join(next, 'assets')),
  ]
  // Most names are others, as after any change of what all pages share, and some stay.
  const common = names.filter((name) => nextNames.includes(name))
  expect(common.length).toBeGreaterThan(0)
  for (const part of [/^entry\.client-/, /^library-page-/, /^root-.*\.css$/, /^manifest-/])
    expect(common.filter((name) => part.test(name))).toEqual([])

  const database = await openDatabase(await databaseOf(process.env['E2E_DATA_DIR']!))
  const servers: TestApp[] = []
  let standing: TestApp[] = servers
  const proxy = alternating(() => standing.map(portOf))
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`
  try {
    for (const clientDir of [built, next]) {
      const parts = { clientDir, ...(servers[0] && { storage: servers[0].parts.storage }) }
      const server = await anApp(database, { settings: { PUBLIC_URL: url }, parts, works: false })
      await server.app.listen({ port: 0, host: '127.0.0.1' })
      servers.push(server)
    }
    const missed: string[] = []
    page.on('response', (answer) => {
      if (answer.status() >= 400) missed.push(`${answer.status()} ${answer.url()}`)
    })
    page.on('pageerror', (error) => missed.push(error.message))
    await haveAccount(page)
    // Otherwise later loads ask for nothing: the browser keeps built files for a year.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })

    const releases = new Set<boolean>()
    for (let time = 0; time < 6; time += 1) {
      await page.goto(`${url}/home`)
      await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
      const isNext = nextNames.includes((await scriptOf(page)) ?? '')
      releases.add(isNext)
      await expect(page.locator('html')).toHaveCSS('--release', isNext ? 'next' : '')
      await openLibrary(page)
      const name = isNext ? 'Next library' : 'Library'
      await expect(page.getByRole('heading', { name, level: 1, exact: true })).toBeVisible()
      await page.goto(`${url}/pricing`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    expect([...releases].toSorted()).toEqual([false, true])

    // A page that was opened before the upgrade.
    const [before, after] = servers as [TestApp, TestApp]
    standing = [before]
    await page.goto(`${url}/home`)
    await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
    standing = [after]
    await openLibrary(page)
    await expect(page.getByRole('heading', { name: 'Library', exact: true })).toBeVisible()
    expect(missed).toEqual([])
  } finally {
    proxy.closeAllConnections()
    proxy.close()
    for (const server of servers) await server.close()
    await database.close()
  }
})
