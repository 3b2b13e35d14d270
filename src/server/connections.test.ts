import { Pool } from 'pg'
import { expect } from 'vitest'

import { test } from '#test/database.ts'

import { preparingClient } from './connections.ts'

test('what is asked often is prepared, until a connection turns out not to know it', async ({
  database,
}) => {
  const pool = new Pool({ connectionString: database.url, max: 1, Client: preparingClient() })
  try {
    const ask = async (n: number) =>
      (await pool.query<{ n: number }>('select $1::int as n', [n])).rows[0]?.n
    const askPrepared = async () =>
      (await pool.query<{ statement: string }>('select statement from pg_prepared_statements')).rows
    await ask(1)
    expect(await askPrepared()).toEqual([])
    for (let n = 0; n < 30; n++) expect(await ask(n)).toBe(n)
    expect(await askPrepared()).toEqual([{ statement: 'select $1::int as n' }])

    // Several statements in one text have no values, and cannot be prepared.
    for (let n = 0; n < 30; n++) await pool.query('select 1; select 2', [])

    // As behind a pooler that gives each transaction another connection.
    await pool.query('deallocate all')
    await expect(ask(31)).rejects.toThrow('does not exist')
    expect(await ask(32)).toBe(32)
    expect(await askPrepared()).toEqual([])
  } finally {
    await pool.end()
  }
})
