import { cp, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Page, expect, test } from '@playwright/test'

import { openDatabase } from '../src/server/db.ts'
import { type TestApp, anApp } from '../test/app.ts'
import { databaseOf } from '../test/server.ts'
import { haveAccount } from './steps.ts'

const built = join(import.meta.dirname, '../build/client')

/** The same pages as another release has them: every built file has another name. */
async function anotherRelease(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quoth-release-'))
  await cp(built, dir, { recursive: true })
  const assets = join(dir, 'assets')
  const all = await readdir(assets)
  for (const name of all.filter((one) => /\.(br|gz)$/.test(one))) await rm(join(assets, name))
  const names = all.filter((one) => !/\.(br|gz)$/.test(one))
  const renamed = new Map(names.map((name) => [name, name.replace(/\.(\w+)$/, '-next.$1')]))
  const files = (await readdir(dir, { recursive: true })).filter((file) =>
    /\.(html|js|css)$/.test(file),
  )
  for (const file of files) {
    const text = await readFile(join(dir, file), 'utf8')
    const pattern = /(?<=[/"'`])[\w.-]+\.(js|css|woff2?|m4a)/g
    await writeFile(
      join(dir, file),
      text.replace(pattern, (name) => renamed.get(name) ?? name),
    )
  }
  for (const [name, next] of renamed) await rename(join(assets, name), join(assets, next))
  return dir
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

const shown = (page: Page) => page.locator('script[type=module][src]').getAttribute('src')

test('no page breaks while two releases stand behind one proxy', async ({ page }) => {
  test.slow()
  const database = await openDatabase(await databaseOf(process.env['E2E_DATA_DIR']!))
  const next = await anotherRelease()
  const servers: TestApp[] = []
  const proxy = alternating(() => servers.map(portOf))
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

    const releases = new Set<boolean>()
    for (let time = 0; time < 6; time += 1) {
      await page.goto(`${url}/home`)
      await expect(page.getByRole('heading', { name: 'Transcribe a recording' })).toBeVisible()
      releases.add((await shown(page))?.includes('-next') ?? false)
      // A page of the app, whose code is loaded when it is opened.
      await page.getByRole('button', { name: /^Account menu/ }).click()
      await page.getByRole('menuitem', { name: 'Library', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Library', level: 1 })).toBeVisible()
      await page.goto(`${url}/pricing`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    expect([...releases].toSorted()).toEqual([false, true])
    expect(missed).toEqual([])
  } finally {
    proxy.closeAllConnections()
    proxy.close()
    for (const server of servers) await server.close()
    await database.close()
    await rm(next, { recursive: true })
  }
})

test('a page whose script does not come is loaded again once, and then says so', async ({
  page,
}) => {
  let loads = 0
  page.on('request', (asked) => (loads += asked.isNavigationRequest() ? 1 : 0))
  await page.route('**/assets/entry.client*', (route) => route.fulfill({ status: 404 }))
  await page.goto('/auth')
  await expect(page.getByRole('alert')).toHaveText(
    'A part of this page did not come. Please load it again in a minute.',
  )
  expect(loads).toBe(2)
})
