/** The `test` of tests that call the server: one in the same process, on the file's own database. */
import { anApp } from './app.ts'
import { test as base } from './database.ts'

export const test = base.extend(
  'server',
  { scope: 'file' },
  async ({ database }, { onCleanup }) => {
    const server = await anApp(database, { works: false })
    onCleanup(() => server.close())
    return server
  },
)
