import { sql } from 'drizzle-orm'
import { expect } from 'vitest'

import { summaryOf } from '#features/sharing/sharing.ts'
import { markSpeakers } from '#features/text/speaker-marks.ts'
import { WRITTEN_BY_AI } from '#features/writing/writing.ts'
import { test as base } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { openJobs } from '#test/jobs.ts'
import { aChatServer } from '#test/models.ts'

import { summaryJob, write } from './later-summary.ts'
import * as own from './own-summary.ts'
import { summaryFile } from './results.ts'
import { recordings } from './said.ts'
import * as again from './summary-again.ts'
import * as room from './transcriptions.ts'

const { aModel } = await aChatServer()

const test = base.extend('deps', { scope: 'file' }, async ({ database }, { onCleanup }) =>
  openJobs(database, onCleanup),
)
type Deps = Awaited<ReturnType<typeof openJobs>>

const FERRY = 'The ferry runs every ten minutes while the bridge is closed.'
const turns = [
  { speaker: 0, text: 'The harbour bridge will be closed for repairs until October.' },
  { speaker: 1, text: FERRY },
  { speaker: 0, text: 'We have decided to extend the ferry until midnight on Fridays.' },
]
const written = {
  summary: 'The bridge is closed. A ferry runs in its place.',
  summaryNote: WRITTEN_BY_AI,
  summaryLanguage: 'en',
  summaryKind: 'summary' as const,
  keyPoints: [
    { text: 'The bridge is closed until October.', startMs: 0, quote: turns[0]!.text },
    { text: 'The ferry runs every ten minutes.', startMs: 4_000, quote: FERRY },
  ],
  topics: ['Bridge'],
}
const [bridge, ferry] = written.keyPoints.map(({ text, quote }) => ({ text, quote, time: null }))

async function anOwner({ db }: Deps) {
  const { id: userId } = await aUser(db)
  const { id } = await aTranscription(db, { userId, turns, ...written })
  return { userId, id }
}

test('what its owner wrote stands wherever the summary is read, and stays when it is written again', async ({
  deps,
}) => {
  const owned = await anOwner(deps)
  const changed = {
    ...owned,
    summary: 'Closed till October.\n\nTake the ferry.',
    keyPoints: [bridge!],
  }
  expect(await own.change(deps.db, changed)).toMatchObject({
    summary: changed.summary,
    keyPoints: [bridge!.text],
    summaryChanged: ['summary', 'keyPoints'],
  })

  await again.order(deps, { ...owned, language: 'en', length: 'long' })
  const [job] = await deps.queue.unfinished(deps.db, summaryJob)
  const { writer } = aModel('obedient')
  const { signal } = new AbortController()
  const work = { ...deps, writer, whole: recordings(deps.db) }
  await write(work, job!, { attempt: 1, isLastAttempt: false, signal })

  const now = await room.get(deps, owned)
  expect(now.summaryAgain?.status).toBe('written')
  expect(now).toMatchObject({ summary: changed.summary, keyPoints: [bridge!.text] })
  const { row } = await room.getFinished(deps, owned)
  expect(summaryFile(row)).toContain(changed.summary)
  expect(summaryOf(row)).toMatchObject({ text: changed.summary })

  // What was written lies under it.
  const shown = await own.change(deps.db, { ...owned, summary: null, keyPoints: null })
  expect(shown.summaryChanged).toEqual([])
  expect(shown.summary).not.toBe(changed.summary)
  expect(shown.summary).not.toBe(written.summary)
})

test('a speaker in it is called as the summary calls them, whatever their name is by then', async ({
  deps,
}) => {
  const owned = await anOwner(deps)
  const named = (name: string) =>
    deps.db.execute(
      sql`update transcriptions set speakers = ${JSON.stringify([{ speaker: 0, name }])}::jsonb,
        speaker_count = 1 where id = ${owned.id}`,
    )
  await named('Ada')
  const { row } = await room.getFinished(deps, owned)
  const summary = markSpeakers('Ada closes the bridge.', row)
  await deps.db.execute(sql`update transcriptions set summary = ${summary} where id = ${owned.id}`)
  await own.change(deps.db, { ...owned, summary: 'It is Ada who closes it.' })
  await named('Eva')
  expect((await room.get(deps, owned)).summary).toBe('It is Eva who closes it.')
})

test('a key point that was changed keeps its place, and its quote only while that proves it', async ({
  deps,
}) => {
  const owned = await anOwner(deps)
  const worded = (text: string) =>
    own.change(deps.db, { ...owned, keyPoints: [{ ...ferry!, text, time: null }] })
  expect(await worded('A ferry runs every ten minutes.')).toMatchObject({
    keyPointTimes: [4],
    keyPointQuotes: [FERRY],
    keyPointsOwn: [true],
  })
  const unproven = { keyPointTimes: [4], keyPointQuotes: [null], keyPointsOwn: [true] }
  expect(await worded('The ferry runs every twenty minutes.')).toMatchObject(unproven)
  // Changed once more it has no quote to be known by.
  const again = { text: 'The ferry runs every half hour.', quote: null, time: 4 }
  expect(await own.change(deps.db, { ...owned, keyPoints: [again] })).toMatchObject(unproven)
  // A quote or a time that is no key point's is not taken.
  const invented = { text: 'The bridge will be closed.', quote: turns[2]!.text, time: 3 }
  expect(await own.change(deps.db, { ...owned, keyPoints: [invented] })).toMatchObject({
    keyPointTimes: [null],
    keyPointQuotes: [null],
  })
})

test('key points are moved, deleted, added, and brought back as they were written', async ({
  deps,
}) => {
  const owned = await anOwner(deps)
  const mine = { text: '  Ask for   the time table. ', quote: null, time: null }
  const moved = { ...owned, keyPoints: [mine, ferry!, bridge!] }
  expect(await own.change(deps.db, moved)).toMatchObject({
    keyPoints: ['Ask for the time table.', ferry!.text, bridge!.text],
    keyPointTimes: [null, 4, 0],
    keyPointsOwn: [true, false, false],
  })
  expect((await own.change(deps.db, { ...owned, keyPoints: [] })).keyPoints).toEqual([])
  const back = await own.change(deps.db, { ...owned, keyPoints: [bridge!, ferry!] })
  expect(back).toMatchObject({ keyPointTimes: [0, 4], summaryChanged: [] })
})

test('nobody writes over what they have not seen, or in another account', async ({ deps }) => {
  const owned = await anOwner(deps)
  const was = { summary: written.summary, keyPoints: [bridge!.text, ferry!.text] }
  const first = { ...owned, summary: 'The first.', was }
  await own.change(deps.db, first)
  // An answer that was lost is asked for again.
  expect(await own.change(deps.db, first)).toMatchObject({ summary: 'The first.' })
  const second = own.change(deps.db, { ...owned, summary: 'The second.', was })
  await expect(second).rejects.toMatchObject({ code: 'summary_changed' })
  const { id: userId } = await aUser(deps.db)
  const others = own.change(deps.db, { ...owned, userId, summary: 'Mine now.' })
  await expect(others).rejects.toMatchObject({ code: 'not_found' })
})
