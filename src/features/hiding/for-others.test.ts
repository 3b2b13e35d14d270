import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { hidings, veils } from '#features/row/tables.ts'
import { BAR } from '#shared/hidden-words.ts'
import { NAME, anOwner, answersOf, has, plant, test } from '#test/hiding.ts'

import type { Hidden, HiddenList } from './contract.ts'

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
  const before = await namedIn()
  expect(before.filter(isForOthers).length).toBeGreaterThan(30)

  const words = [NAME, 'Zerelda', 'Quimby']
  const hidden = await hide(words, forOthers)
  expect(hidden.json()).toMatchObject({ for: 'others', words, places: 1, sound: 'making' })
  const after = await namedIn()
  expect(after.filter(isForOthers)).toEqual([])
  const ofOwner = before.filter((name) => !isForOthers(name))
  expect(after.toSorted()).toEqual([...ofOwner, `${url}/hidden`].toSorted())
  expect((await call(url)).json()).toMatchObject({
    originalName: 'talkZereldaQuimby2.wav',
    hiddenForOthers: [{ words, mark: 'bar' }],
  })
  const txt = await call(`${url}/export?format=txt`)
  expect(txt.payload).toContain(`Here is ${BAR}, at last.`)

  const { id } = hidden.json<Hidden>()
  const back = await call({ method: 'DELETE', url: `${url}/hidden/${id}` })
  expect(back.statusCode).toBe(200)
  expect(await namedIn()).toEqual(before)
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

test('the same words that are hidden twice at once are hidden once', async ({ server }) => {
  const { db, id, hide } = await anOwner(server)
  const twice = await Promise.all([hide([NAME], forOthers), hide([NAME], forOthers)])
  const [first, second] = twice.map((answer) => answer.json<Hidden>().id)
  expect(first).toBe(second)
  expect(await db.$count(hidings, eq(hidings.transcriptionId, id))).toBe(1)
  expect(await db.$count(veils, eq(veils.transcriptionId, id))).toBe(1)
})
