/** The `test` of tests that call the server: one in the same process, on the file's own database. */
import { anApp } from './app.ts'
import { test as base } from './database.ts'

/** The address of the one operator. */
export const OPERATOR = 'operator@quoth.example'

const served = ({ works }: { works: boolean }) =>
  base.extend('server', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const settings = { ADMIN_EMAILS: OPERATOR }
    const server = await anApp(database, { settings, works })
    onCleanup(() => server.close())
    return server
  })

export const test = served({ works: false })
/** The same with a server that delivers its mails. */
export const testWithMails = served({ works: true })
