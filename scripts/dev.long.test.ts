import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { expect, onTestFinished, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { freePort, inherited } from '#test/server.ts'

test('while developing, screens come from their sources, and calls reach the server', async () => {
  const port = await freePort()
  const dev = spawn(process.execPath, [fileURLToPath(new URL('dev.ts', import.meta.url))], {
    env: { ...inherited, PORT: String(port), DATA_DIR: aFolder('quoth-dev') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void dev.kill('SIGTERM'))
  let output = ''
  const ready = new Promise<void>((resolve) => {
    dev.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      if (/is ready/.test(output) && /Local:/.test(output)) resolve()
    })
  })
  const ended = once(dev, 'exit')
  await Promise.race([ready, ended])
  const get = (path: string) => fetch(`http://localhost:${port}${path}`)

  const screen = await get('/dashboard')
  expect(await screen.text()).toContain('src="/src/root/ui/entry.client.tsx"')
  expect(await (await get('/features')).text()).not.toContain('entry.client')
  expect((await get('/api/capabilities')).headers.get('content-type')).toContain('json')

  dev.kill('SIGTERM')
  await ended
  await expect(get('/dashboard')).rejects.toThrow('fetch failed')
  await expect(fetch(`http://localhost:${port + 1}/livez`)).rejects.toThrow('fetch failed')
  // On a busy machine Vite may need a minute for the first page alone.
}, 300_000)
