/** Tests that the price that is shown is held and then taken, at the limits between two prices. */
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { transcriptions } from '#features/row/tables.ts'
import { holdCause } from '#features/transcriptions/transcriptions.ts'

import { anApp } from './app.ts'
import { test as base } from './database.ts'
import { aUser } from './factories.ts'
import { uploadOf } from './form.ts'
import { isLong } from './long.ts'

const test = base.extend('app', { scope: 'file' }, async ({ database }, { onCleanup }) => {
  const app = await anApp(database, { works: false })
  onCleanup(() => app.close())
  return app
})

const RATE = 8000

/** A quiet recording of exactly this length: 8 bits, one channel. */
function aWav(seconds: number): Uint8Array {
  const samples = Math.round(seconds * RATE)
  const bytes = Buffer.alloc(44 + samples, 128)
  bytes.write('RIFF', 0)
  bytes.writeUInt32LE(36 + samples, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36)
  bytes.writeUInt32LE(samples, 40)
  return bytes
}

const edges: [seconds: number, credits: number][] = [
  [0.2, 1],
  [120.9, 1],
  [121, 2],
  [900.1, 3],
  [901, 6],
]
if (isLong)
  edges.push(
    [119.9, 1],
    [120, 1],
    [420, 2],
    [421, 3],
    [899.9, 3],
    [900, 3],
    [1200, 7],
    [2700, 15],
    [3600, 20],
  )

for (const [seconds, price] of edges)
  test(`${seconds} seconds are quoted, held and taken at ${price}`, async ({ db, app }) => {
    const user = await aUser(db, { credits: 20 })
    const as = await app.as(user)
    const quote = (await as(await uploadOf([{ name: 'quiet.wav', bytes: aWav(seconds) }]))).json()
    expect(quote).toMatchObject({ creditsRequired: price, creditsAvailable: 20 })

    const id: string = quote.transcriptionId
    const url = `/api/transcriptions/${id}/confirm`
    const confirmed = await as({ method: 'POST', url, payload: { summaryLanguage: 'en' } })
    expect(confirmed.json()).toEqual({ creditsDeducted: price, creditsRemaining: 20 - price })
    expect(await credits.balance(db, user.id)).toEqual({ available: 20 - price, held: price })

    // As a job ends: at the price of its row.
    const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
    const cause = holdCause(id, row!.attempt)
    const settled = { userId: user.id, cause, credits: row!.creditsRequired }
    await db.transaction((tx) => credits.settle(tx, settled))
    const { lines } = (await as('/api/credits')).json()
    expect(lines[0]).toMatchObject({ what: 'Taken', change: -price, balance: 20 - price })
    expect(await credits.balance(db, user.id)).toEqual({ available: 20 - price, held: 0 })
  })
