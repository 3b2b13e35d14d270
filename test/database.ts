/** The `test` of every test that needs a database: each test file has one of its own. */
import { randomUUID } from 'node:crypto'

import { test as base, inject } from 'vitest'

import { openDatabase } from '#server/db.ts'

import { databaseUrl, onServer } from './global-setup.ts'

export const test = base
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
  .extend('database', { scope: 'file' }, async ({}, { onCleanup }) => {
    const serverUrl = inject('databaseServerUrl')
    const name = `quoth_test_${randomUUID().slice(0, 8)}`
    await onServer(serverUrl, `create database ${name} template ${inject('databaseTemplate')}`)
    const database = await openDatabase(databaseUrl(serverUrl, name))
    onCleanup(async () => {
      await database.close()
      await onServer(serverUrl, `drop database if exists ${name} with (force)`)
    })
    return database
  })
  .extend('db', ({ database }) => database.db)
