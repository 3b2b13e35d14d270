import { Readable } from 'node:stream'

import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'

import * as credits from '#features/credits/credits.ts'
import { saidIn } from '#features/cuts/clips.ts'
import { hidings, transcriptions, veils } from '#features/row/tables.ts'
import { turns } from '#features/text/tables.ts'
import { holdCause } from '#features/transcriptions/transcriptions.ts'
import { NotStored } from '#server/storage.ts'
import { BAR } from '#shared/hidden-words.ts'
import { aTranslation } from '#test/factories.ts'
import { NAME, anOwner, answersOf, has, plant, test } from '#test/hiding.ts'

import { type Hidden, type HiddenList, MOST_FOR_OTHERS } from './contract.ts'
import { hideJob } from './sound.ts'

const { signal } = new AbortController()

const forOthers = { for: 'others', confirmation: undefined }

/** What leaves for others: files that are saved, captions, and all forms of a link. */
const isForOthers = (name: string) =>
  /\/export\?|\/download\/|\.ics$|\/captions$|^\/s\/|^document |^archive /.test(name)

test('no file and no link has what is hidden for others, and its owner has all of it until it is put back', async ({
  server,
  clock,
}) => {
  const owner = await anOwner(server)
  const link = await plant(owner)
  const { call, url, hide } = owner
  const namedIn = async () => {
    const answers = await answersOf(owner, link, clock)
    return answers.filter(([, text]) => has(text)).map(([name]) => name)
  }
  const words = [NAME, 'Zerelda', 'Quimby']
  const hidden = await hide(words, forOthers)
  expect(hidden.json()).toMatchObject({ for: 'others', words, places: 1, sound: 'making' })
  const then = await namedIn()
  expect(then.filter(isForOthers)).toEqual([])
  expect((await call(url)).json()).toMatchObject({
    originalName: 'talkZereldaQuimby2.wav',
    hiddenForOthers: [{ words, mark: 'bar' }],
  })
  const txt = await call(`${url}/export?format=txt`)
  expect(txt.payload).toContain(`Here is ${BAR}, at last.`)

  const { id } = hidden.json<Hidden>()
  const back = await call({ method: 'DELETE', url: `${url}/hidden/${id}` })
  expect(back.statusCode).toBe(200)
  const now = await namedIn()
  expect(now.filter(isForOthers).length).toBeGreaterThan(30)
  const ofOwner = [...now.filter((name) => !isForOthers(name)), `${url}/hidden`]
  expect(then.toSorted()).toEqual(ofOwner.toSorted())
  expect((await call(`${url}/hidden`)).json()).toEqual({ hidden: [], olderFiles: [] })
})

test('what is hidden for good cannot be put back', async ({ server }) => {
  const { call, url, hide } = await anOwner(server)
  const { id } = (await hide()).json<Hidden>()
  const back = await call({ method: 'DELETE', url: `${url}/hidden/${id}` })
  expect(back.json()).toMatchObject({ code: 'hidden_for_good' })
  expect((await call(`${url}/hidden`)).json<HiddenList>().hidden).toMatchObject([
    { for: 'good', words: null },
  ])
})

test('a link without names has nothing of a name that is hidden in part', async ({ server }) => {
  const { db, id, hide, call, url } = await anOwner(server, {
    originalName: 'talk Zerelda Quimby.wav',
    turns: [{ speaker: 0, text: 'I am Zerelda.' }],
    speakers: [{ speaker: 0, name: NAME }],
    summary: 'Quimby said who she is.',
    summaryKind: 'summary',
    keyPoints: [],
    topics: [],
  })
  const list = [{ title: 'Quimby', startMs: 0 }]
  await db
    .update(transcriptions)
    .set({ chapters: { by: 'own', list } })
    .where(eq(transcriptions.id, id))
  await hide(['Zerelda'], forOthers)
  const payload = { includes: ['summary'] }
  const link = await call({ method: 'POST', url: `${url}/shares`, payload })
  const page = await server.aBrowser()(new URL(link.json<{ url: string }>().url).pathname)
  expect(page.payload).toContain('Speaker A said who she is.')
  expect(has(page.payload)).toBe(false)
})

test('a translation of what somebody has corrected since has no name in other letters', async ({
  server,
}) => {
  const { db, id, user, hide, call, url } = await anOwner(server)
  const of = { userId: user.id, transcriptionId: id, language: 'ru' }
  await aTranslation(db, { ...of, texts: ['Вот Зерельда Квимби.', 'Ничего такого.'] })
  const isIt = and(eq(turns.transcriptionId, id), eq(turns.position, 0))
  const [{ id: turnId, revision } = { id: '', revision: 0 }] = await db
    .select()
    .from(turns)
    .where(isIt)
  const payload = { text: 'Here she is.', revision }
  await call({ method: 'PATCH', url: `${url}/turns/${turnId}`, payload })
  const saved = async () => (await call(`${url}/export?format=txt&language=ru`)).payload
  expect(await saved()).toContain('Квимби')
  expect((await hide([NAME], forOthers)).statusCode).toBe(200)
  expect(await saved()).toMatch(/Here she is\.[^]*Ничего такого\./)
  expect(await saved()).not.toMatch(/Зерельда|Квимби/)
})

test('the list of credits as a file names no recording by what is hidden', async ({ server }) => {
  const { db, id, user, hide, call } = await anOwner(server, {
    originalName: 'talk Zerelda Quimby.wav',
  })
  const move = { userId: user.id, cause: holdCause(id, 1), credits: 1 }
  await db.transaction(async (tx) => {
    await credits.grant(tx, { ...move, cause: 'signup' })
    await credits.hold(tx, move)
  })
  await hide([NAME], forOthers)
  expect((await call('/api/credits.csv')).payload).toContain(`talk ${BAR}.wav`)
  expect((await call('/api/credits')).payload).toContain('talk Zerelda Quimby.wav')
})

test('the same words that are hidden twice at once are hidden once', async ({ server }) => {
  const { db, id, hide } = await anOwner(server)
  const twice = await Promise.all([hide([NAME], forOthers), hide([NAME], forOthers)])
  const [first, second] = twice.map((answer) => answer.json<Hidden>().id)
  expect(first).toBe(second)
  expect(await db.$count(hidings, eq(hidings.transcriptionId, id))).toBe(1)
  expect(await db.$count(veils, eq(veils.transcriptionId, id))).toBe(1)
})

test('what is hidden for good is hidden for others no more, and the rest of a name stays hidden', async ({
  server,
}) => {
  const owner = await anOwner(server)
  const { db, id, hide, run, call, url, storage } = owner
  const ofIt = eq(hidings.transcriptionId, id)
  await hide([NAME, 'Nothing'], forOthers)
  await hide(['Quimby'], forOthers)
  const storageKey = crypto.randomUUID()
  await storage.write(storageKey, Readable.from(['the sound for others']), { signal })
  await db.update(veils).set({ storageKey }).where(eq(veils.transcriptionId, id))
  const good = (await hide(['Quimby'])).json<Hidden>()
  // Its sound was that of the recording, which is no more.
  await expect(storage.require(storageKey)).rejects.toThrow(NotStored)
  const { hidden } = (await call(`${url}/hidden`)).json<HiddenList>()
  expect(hidden.map((each) => [each.for, each.words])).toEqual([
    ['good', null],
    ['others', ['Zerelda', 'Nothing']],
  ])
  await run(good)
  expect(JSON.stringify(await db.select().from(hidings).where(ofIt))).not.toMatch(/quimby/i)
  const txt = await call(`${url}/export?format=txt`)
  expect(txt.payload).toContain(`Here is ${BAR} ${BAR}, at last.`)
  expect(await server.parts.queue.unfinished(db, hideJob)).toContainEqual({ veilOf: id })
})

test('a clip has bars and letters in the place of names', async ({ server }) => {
  const { db, id, hide } = await anOwner(server, {
    turns: [
      { speaker: 0, text: 'Here is Zerelda' },
      { speaker: 1, text: 'Quimby, at last.' },
    ],
    speakers: [
      { speaker: 0, name: null },
      { speaker: 1, name: 'Mrs Quimby' },
    ],
  })
  await hide([NAME, 'Quimby'], forOthers)
  const [row] = await db.select().from(transcriptions).where(eq(transcriptions.id, id))
  const centre = { x: 0.5, y: 0.5 }
  const look = { shape: 'square', captions: 'words', centre, hasNames: true } as const
  // From between the two words on.
  const clip = { startMs: 1_200, endMs: 4_000, ...look }
  const { words, names } = await saidIn(db, row!, { clip, cuts: [] })
  expect(words.map(({ text }) => text).join(' ')).toBe(`${BAR}, at last.`)
  expect([...names.values()].filter(has)).toEqual([])
})

test('each name has the mark that was chosen for it', async ({ server }) => {
  const { hide, call, url } = await anOwner(server)
  await hide(['Zerelda'], { ...forOthers, mark: 'name' })
  await hide(['Quimby'], forOthers)
  const txt = await call(`${url}/export?format=txt`)
  expect(txt.payload).toContain(`Here is [name] ${BAR}, at last.`)
})

test('no more is hidden for others than can be looked for at each reading', async ({ server }) => {
  const { hide } = await anOwner(server)
  for (let at = 0; at < MOST_FOR_OTHERS; at += 50) {
    const many = Array.from({ length: 49 }, (_, each) => `Nobody ${at + each}`)
    expect((await hide([NAME, ...many], forOthers)).statusCode).toBe(200)
  }
  expect((await hide(['Zerelda'], forOthers)).json().code).toBe('too_much_hidden')
  expect((await hide(['Nowhere'], forOthers)).json().code).toBe('nothing_to_hide')
})
