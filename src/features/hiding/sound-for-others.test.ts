import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import { eq } from 'drizzle-orm'
import { expect } from 'vitest'

import { make as render } from '#features/cuts/renders.ts'
import { keptFiles, namedAmong } from '#features/recordings/kept-files.ts'
import { cover } from '#features/cuts/veiled-sound.ts'
import { renders, transcriptions, veils } from '#features/row/tables.ts'
import { turns } from '#features/text/tables.ts'
import { NotStored } from '#server/storage.ts'
import type { TestApp } from '#test/app.ts'
import { untilItWaits } from '#test/database.ts'
import { NAME, anOwner, besideTone, has, heard, test } from '#test/hiding.ts'
import { isLong } from '#test/long.ts'

import type { Hidden, HiddenList } from './contract.ts'
import { lookAgain, make, toMake } from './sound-for-others.ts'
import { hideJob } from './sound.ts'

const { signal } = new AbortController()

async function aSharer(server: TestApp, values: object = {}) {
  const owner = await anOwner(server, values)
  const { db, id, call, url, deps, hide } = owner
  const share = await call({
    method: 'POST',
    url: `${url}/shares`,
    payload: { includes: ['sound', 'summary', 'names'] },
  })
  const path = new URL(share.json<{ url: string }>().url).pathname
  const ask = server.aBrowser()
  const play = async (link = path) => {
    const found = await ask(`${link}/recording`)
    return found.statusCode === 302 ? ask(found.headers.location!) : found
  }
  async function toneIn(bytes: Buffer, stretch: [number, number] = [755, 1_545]) {
    const file = join(server.dataDir, crypto.randomUUID())
    await writeFile(file, bytes)
    return besideTone((await heard(file)).samples, stretch)
  }
  return {
    ...owner,
    path,
    play,
    toneIn,
    /** What is heard through the link. */
    async playedTone(stretch?: [number, number]) {
      const answer = await play()
      expect(answer.statusCode).toBe(200)
      return toneIn(answer.rawPayload, stretch)
    },
    hideForOthers: async (words: string[] = [NAME], more: object = {}) =>
      (await hide(words, { for: 'others', confirmation: undefined, ...more })).json<Hidden>(),
    write: (isLastAttempt = true) => make(deps, id, { isLastAttempt, signal }),
    state: async () => {
      const { hidden } = (await call(`${url}/hidden`)).json<HiddenList>()
      return hidden.map(({ sound }) => sound)
    },
    veil: async () => (await db.select().from(veils).where(eq(veils.transcriptionId, id)))[0],
    async correct(text: string) {
      const said = await db.select().from(turns).where(eq(turns.transcriptionId, id))
      const { id: turnId, revision } = said.find(({ position }) => position === 1)!
      const payload = { text, revision }
      await call({ method: 'PATCH', url: `${url}/turns/${turnId}`, payload })
    },
  }
}

test('a link plays the sound without what is hidden for others, and nothing before that is there', async ({
  server,
}) => {
  const owner = await aSharer(server)
  const { id, db, call, url, play, playedTone, toneIn, hideForOthers, write, path, now } = owner
  const list = [{ title: `About ${NAME}`, startMs: 0 }]
  await db
    .update(transcriptions)
    .set({ chapters: { by: 'own', list } })
    .where(eq(transcriptions.id, id))
  const saved = () => call(`${url}/export/sound?format=m4a`)
  expect(await playedTone()).toBeGreaterThan(0.01)
  const { id: hidden } = await hideForOthers()
  expect((await play()).statusCode).toBe(404)
  expect((await saved()).json().code).toBe('sound_being_hidden')
  expect((await server.aBrowser()(path)).payload).toContain('The recording is being made ready.')
  expect(await server.parts.queue.unfinished(db, hideJob)).toContainEqual({ veilOf: id })

  await write()
  expect(await owner.state()).toEqual(['made'])
  expect(await playedTone()).toBeLessThan(0.01)
  const sound = await saved()
  expect(sound.statusCode).toBe(200)
  expect(has(sound.rawPayload.toString('latin1') + JSON.stringify(sound.headers))).toBe(false)
  expect(await toneIn(sound.rawPayload)).toBeLessThan(0.01)
  // Its owner hears all of it.
  expect(await now()).toMatchObject({ storageKey: owner.storageKey })
  expect((await call(`${url}/media`)).statusCode).toBe(200)

  const { storageKey, sizeBytes } = (await owner.veil())!
  // Back-ups take it along, and it is no leftover.
  expect(await keptFiles(db)).toContainEqual({ key: storageKey, sizeBytes })
  expect(await namedAmong(db, [storageKey!])).toContain(storageKey)
  await call({ method: 'DELETE', url: `${url}/hidden/${hidden}` })
  expect(await playedTone()).toBeGreaterThan(0.01)
  expect(await owner.veil()).toBeUndefined()
  await expect(owner.storage.require(storageKey!)).rejects.toThrow(NotStored)
})

if (isLong)
  test('of two names both are muted, and one that is put back is heard once the sound is anew', async ({
    server,
  }) => {
    const { hideForOthers, play, playedTone, write, call, url } = await aSharer(server)
    await hideForOthers(['Zerelda'])
    await write()
    const { id } = await hideForOthers(['Quimby'])
    expect((await play()).statusCode).toBe(404)
    await write()
    expect(await playedTone([755, 1_145])).toBeLessThan(0.01)
    expect(await playedTone([1_155, 1_545])).toBeLessThan(0.01)
    await call({ method: 'DELETE', url: `${url}/hidden/${id}` })
    expect(await playedTone([1_155, 1_545])).toBeLessThan(0.01)
    await write()
    expect(await playedTone([755, 1_145])).toBeLessThan(0.01)
    expect(await playedTone([1_205, 1_545])).toBeGreaterThan(0.01)
  })

test('a name that is written somewhere else later is hidden there at once, and not played', async ({
  server,
}) => {
  const owner = await aSharer(server)
  const { hideForOthers, play, write, correct, path, playedTone, state, veil } = owner
  await hideForOthers()
  await write()
  await correct('Nothing of this kind.')
  expect((await play()).statusCode).toBe(200)
  await correct('Zerelda Quimby of this kind.')
  expect((await play()).statusCode).toBe(404)
  expect(await state()).toEqual(['making'])
  expect(has((await server.aBrowser()(path)).payload)).toBe(false)
  await write()
  const [fromMs = 0, toMs = 0] = (await veil())!.times.slice(-2)
  expect(fromMs).toBeGreaterThan(2_000)
  expect(await playedTone([fromMs + 5, toMs - 5])).toBeLessThan(0.01)
})

if (isLong)
  test('a worker that dies in the middle leaves it to another', async ({ server }) => {
    const { id, deps, hideForOthers, write, playedTone } = await aSharer(server)
    await hideForOthers()
    const dead = AbortSignal.abort(new Error('the worker is gone'))
    await expect(make(deps, id, { isLastAttempt: true, signal: dead })).rejects.toThrow()
    await write()
    await write()
    expect(await playedTone()).toBeLessThan(0.01)
  })

if (isLong)
  test('a look at the sound says nothing of one that is written anew meanwhile', async ({
    server,
  }) => {
    const { db, id, hideForOthers, write, correct, veil } = await aSharer(server)
    await hideForOthers()
    await write()
    const { textRevision } = (await veil())!
    await correct('Nothing of this kind.')
    const anew = { storageKey: crypto.randomUUID(), times: [] }
    const { looking } = await db.transaction(async (tx) => {
      await tx.update(veils).set(anew).where(eq(veils.transcriptionId, id))
      const looking = cover(db, id)
      await untilItWaits(db, looking)
      return { looking }
    })
    await looking
    expect(await veil()).toMatchObject({ ...anew, textRevision })
  })

if (isLong)
  test('a sound that cannot be written is played by no link, and the recording stays', async ({
    server,
  }) => {
    const storageKey = crypto.randomUUID()
    await server.parts.storage.write(storageKey, Readable.from(['no sound']), { signal })
    const { hideForOthers, write, play, state, path, post, now } = await aSharer(server, {
      storageKey,
    })
    await hideForOthers()
    await expect(write(false)).rejects.toThrow('cannot be written anew')
    await write()
    expect(await state()).toEqual(['gone'])
    expect((await play()).statusCode).toBe(404)
    expect((await server.aBrowser()(path)).payload).toContain('The recording is not here')
    expect((await post('renders', { format: 'wav' })).json().code).toBe('sound_not_hidden')
    expect(await now()).toMatchObject({ storageKey, recordingDeletedAt: null })
  })

if (isLong)
  test('the sound for others goes with the recording', async ({ server }) => {
    const { hideForOthers, write, veil, call, url, storage, state } = await aSharer(server)
    await hideForOthers()
    await write()
    const { storageKey } = (await veil())!
    await call({ method: 'DELETE', url: `${url}/recording` })
    await expect(storage.require(storageKey!)).rejects.toThrow(NotStored)
    expect(await state()).toEqual(['gone'])
    await write()
    expect((await veil())!.storageKey).toBeNull()
  })

test('a file that is made has nothing that is hidden, and no link shows one from before', async ({
  server,
}) => {
  const owner = await aSharer(server)
  const { db, id, hideForOthers, write, post, call, url, deps, play } = owner
  const order = async () => (await post('renders', { format: 'wav' })).json<{ id: string }>().id
  const made = (renderId: string) =>
    render({ ...deps, clock: () => new Date() }, { renderId }, { isLastAttempt: true, signal })
  const linkTo = async (renderId: string) => {
    const payload = { render: renderId, includes: ['names'] }
    return call({ method: 'POST', url: `${url}/shares`, payload })
  }
  await db
    .update(transcriptions)
    .set({ originalName: 'talk Zerelda.wav' })
    .where(eq(transcriptions.id, id))
  const before = await order()
  await made(before)
  const link = new URL((await linkTo(before)).json<{ url: string }>().url).pathname
  expect((await play(link)).statusCode).toBe(200)

  await hideForOthers([NAME, 'Zerelda'])
  expect((await play(link)).statusCode).toBe(404)
  expect((await post('renders', { format: 'wav' })).json().code).toBe('sound_being_hidden')
  expect((await linkTo(before)).json().code).toBe('render_not_made')
  expect((await call(`${url}/hidden`)).json()).toMatchObject({ olderFiles: [before] })
  await write()

  const after = await order()
  expect(after).not.toBe(before)
  await made(after)
  const [kept] = await db.select().from(renders).where(eq(renders.id, after))
  const { path, release } = await owner.storage.open(kept!.storageKey!)
  const { samples } = await heard(path)
  await release()
  expect(besideTone(samples, [755, 1_545])).toBeLessThan(0.01)
  const shared = await linkTo(after)
  const page = await server.aBrowser()(new URL(shared.json<{ url: string }>().url).pathname)
  expect(page.statusCode).toBe(200)
  expect(has(page.payload)).toBe(false)
  const saved = await call(`${url}/renders/${after}/file?download=1`)
  expect(has(JSON.stringify(saved.headers))).toBe(false)
  await call({ method: 'DELETE', url: `${url}/renders/${before}` })
  expect((await call(`${url}/hidden`)).json()).toMatchObject({ olderFiles: [] })
})

test('a link to a file plays no word of it that is hidden because the text was corrected since', async ({
  server,
}) => {
  const owner = await aSharer(server)
  const { hideForOthers, write, post, call, url, deps, correct } = owner
  await hideForOthers()
  await write()
  const { id: renderId } = (await post('renders', { format: 'wav' })).json<{ id: string }>()
  const delivery = { isLastAttempt: true, signal }
  await render({ ...deps, clock: () => new Date() }, { renderId }, delivery)
  const payload = { render: renderId, includes: [] }
  const link = await call({ method: 'POST', url: `${url}/shares`, payload })
  const ask = server.aBrowser()
  const found = await ask(`${new URL(link.json<{ url: string }>().url).pathname}/recording`)
  const address = found.headers.location!
  await correct('Nothing of this kind.')
  expect((await ask(address)).statusCode).toBe(200)
  // A recogniser wrote another word where this one is said.
  await correct('Zerelda Quimby of this kind.')
  expect((await ask(address)).statusCode).toBe(410)
})

if (isLong) {
  test('a film is shown with its picture, or heard alone, without what is hidden and without its tags', async ({
    server,
  }) => {
    const file = join(server.dataDir, 'film.mp4')
    const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=25:d=4']
    const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=4:a=0.4:r=48000:seed=1']
    const tags = ['-metadata', `title=${NAME}`]
    await promisify(execFile)('ffmpeg', ['-v', 'error', ...picture, ...noise, ...tags, file])
    const storageKey = crypto.randomUUID()
    await server.parts.storage.write(storageKey, createReadStream(file), { signal })
    const { size: sizeBytes } = await stat(file)
    const film = { mediaType: 'video/mp4', picture: 'shown', originalName: 'talk.mp4' }
    const about = { storageKey, sizeBytes, ...film }
    const { hideForOthers, write, call, url, path, play, playedTone } = await aSharer(server, about)
    const shown = await call({
      method: 'POST',
      url: `${url}/shares`,
      payload: { includes: ['recording'] },
    })
    const { url: address } = shown.json<{ url: string }>()
    const withPicture = new URL(address).pathname
    expect(has((await play(withPicture)).rawPayload.toString('latin1'))).toBe(true)
    await hideForOthers()
    for (const link of [path, withPicture]) expect((await play(link)).statusCode).toBe(404)
    await write()
    expect(await playedTone()).toBeLessThan(0.01)
    const played = await play(withPicture)
    expect(played.headers['content-type']).toBe('video/mp4')
    expect(has(played.rawPayload.toString('latin1'))).toBe(false)
  })

  test('the sound for others ends when the time of the recording is over', async ({ server }) => {
    const owner = await aSharer(server)
    const { db, id, hideForOthers, write, veil, storage, deps, storageKey } = owner
    await hideForOthers()
    await write()
    const { storageKey: veiled } = (await veil())!
    const row = eq(transcriptions.id, id)
    await db
      .update(transcriptions)
      .set({ storageKey: null, recordingDeletedAt: new Date() })
      .where(row)
    await lookAgain(deps)
    await expect(storage.require(veiled!)).rejects.toThrow(NotStored)
    // An operator may take the recording back.
    await db.update(transcriptions).set({ storageKey, recordingDeletedAt: null }).where(row)
    expect(await toMake(db)).toContainEqual({ veilOf: id })
  })

  test('what is hidden while a file is made is not in one that others get', async ({ server }) => {
    const { db, id, hideForOthers, post, call, url, deps } = await aSharer(server)
    const { id: renderId } = (await post('renders', { format: 'wav' })).json<{ id: string }>()
    // When it is read, the words are not hidden yet; when it is stored, they are.
    const storage = {
      ...deps.storage,
      keep: async (...args: Parameters<typeof deps.storage.keep>) => {
        await hideForOthers()
        return deps.storage.keep(...args)
      },
    }
    const delivery = { isLastAttempt: true, signal }
    await render({ ...deps, storage, clock: () => new Date() }, { renderId }, delivery)
    expect((await call(`${url}/hidden`)).json()).toMatchObject({ olderFiles: [renderId] })
    const payload = { render: renderId, includes: [] }
    const link = await call({ method: 'POST', url: `${url}/shares`, payload })
    expect(link.json().code).toBe('render_not_made')
    expect(await db.$count(renders, eq(renders.transcriptionId, id))).toBe(1)
  })

  test('words that are hidden or put back while the sound is written are not passed over', async ({
    server,
  }) => {
    const { id, hideForOthers, write, deps, state, playedTone, call, url, veil } =
      await aSharer(server)
    const during = (act: () => Promise<unknown>) => {
      const keep = async (...args: Parameters<typeof deps.storage.keep>) => {
        await act()
        return deps.storage.keep(...args)
      }
      const storage = { ...deps.storage, keep }
      return make({ ...deps, storage }, id, { isLastAttempt: true, signal })
    }
    const { id: first } = await hideForOthers(['Zerelda'])
    await during(() => hideForOthers(['Quimby']))
    expect(await state()).toEqual(['making', 'making'])
    expect((await veil())!.storageKey).toBeNull()
    await write()
    expect(await playedTone([1_155, 1_545])).toBeLessThan(0.01)
    const back = () => call({ method: 'DELETE', url: `${url}/hidden/${first}` })
    await hideForOthers(['at last'])
    await during(back)
    expect(await state()).toEqual(['making', 'making'])
    await during(() => call({ method: 'DELETE', url: `${url}/recording` }))
    await write()
    expect((await veil())!.storageKey).toBeNull()
  })
}
