/** The `test` of tests that run programs of users: a server on a port, and a recording to send it. */
import { aRecording, anApi } from './api.ts'
import { test as base } from './database.ts'

export const test = base
  .extend('api', { scope: 'file' }, async ({ database }, { onCleanup }) => {
    const api = await anApi(database, { settings: { WEBHOOK_ALLOW: '127.0.0.1' } })
    onCleanup(() => api.close())
    return api
  })
  .extend('recording', { scope: 'file' }, () => aRecording())
