import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { Refusal } from '#shared/refusals.ts'
import { test } from '#test/database.ts'
import { aUser } from '#test/factories.ts'

import { vocabularies } from './tables.ts'
import * as vocabulary from './vocabulary.ts'
import { eraseVocabulary, vocabularyExporter } from './your-data.ts'

const oneWay = { matchCase: false, wholeWord: true }

test('a list that a change leaves out stays, and uses stay with their term', async ({ db }) => {
  const { id: userId } = await aUser(db)
  await vocabulary.set(db, {
    userId,
    terms: ['Okafor', ' Kendal ', 'okafor'],
    heardAs: [{ term: 'Okafor', as: ['Okafer', 'O’Cafor', 'Okafer'] }],
  })
  const [row] = await db.select().from(vocabularies).where(eq(vocabularies.userId, userId))
  const lastAt = new Date(0).toISOString()
  const terms = row!.terms.map((each) => ({ ...each, times: 3, lastAt }))
  await db.update(vocabularies).set({ terms }).where(eq(vocabularies.userId, userId))

  await vocabulary.set(db, { userId, replacements: [{ from: 'a  b', to: '', ...oneWay }] })
  await vocabulary.set(db, { userId, revision: 2, terms: ['OKAFOR', 'Ampex'] })
  expect(await vocabulary.get(db, userId)).toEqual({
    revision: 3,
    terms: ['OKAFOR', 'Ampex'],
    heardAs: [{ term: 'OKAFOR', as: ['Okafer', 'O’Cafor'] }],
    used: [{ term: 'OKAFOR', times: 3, lastAt }],
    replacements: [{ from: 'a b', to: '', ...oneWay }],
  })
})

test('a change over another one that was not seen is refused, and nothing is written', async ({
  db,
}) => {
  const { id: userId } = await aUser(db)
  await db.transaction((tx) => vocabulary.remember(tx, { userId, from: 'a', to: 'b', ...oneWay }))
  const named = { userId, terms: ['Ada', 'ada', ''], now: new Date(0) }
  await db.transaction((tx) => vocabulary.keepTerms(tx, named))
  const late = vocabulary.set(db, { userId, revision: 0, replacements: [], terms: [] })
  await expect(late).rejects.toThrow(new Refusal('edited_elsewhere'))
  const { replacements, terms } = await vocabulary.get(db, userId)
  expect([replacements.length, terms]).toEqual([1, ['Ada']])
})

test('the vocabulary is in a copy of all data, and ends with the account', async ({ db }) => {
  const { id: userId } = await aUser(db)
  const exporter = vocabularyExporter(db)
  expect(await exporter.sizeFor(userId)).toEqual({ files: 0, sizeBytes: 0 })
  await vocabulary.set(db, { userId, terms: ['Ampex'] })
  for await (const { path, content } of exporter.exportFor(userId)) {
    expect(path).toBe('vocabulary.json')
    expect(JSON.parse(String(content))).toMatchObject({ terms: ['Ampex'], replacements: [] })
  }
  expect(await exporter.sizeFor(userId)).toMatchObject({ files: 1 })
  const { counts } = await db.transaction((tx) => eraseVocabulary(tx, userId))
  expect(counts).toEqual({ terms: 1, replacements: 0 })
  expect(await vocabulary.get(db, userId)).toMatchObject({ revision: 0, terms: [] })
})
