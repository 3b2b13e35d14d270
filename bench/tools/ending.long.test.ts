import { spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test } from 'vitest'

test('a bench that is asked to end takes its PostgreSQL along', async () => {
  const house = new URL('house.ts', import.meta.url).href
  const bench = `
    const { openBenchDatabase } = await import('${house}')
    const { postgres } = await openBenchDatabase()
    console.log(postgres.pid())
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', bench], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  const pid = Number(String(said))
  expect(() => process.kill(pid, 0)).not.toThrow()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
