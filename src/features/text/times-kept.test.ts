import fc from 'fast-check'
import { expect } from 'vitest'

import type { Word } from '#features/speech/contract.ts'
import type { Db } from '#server/db.ts'
import { systemClock } from '#shared/clock.ts'
import { test } from '#test/database.ts'
import { aTranscription, aUser } from '#test/factories.ts'
import { times } from '#test/long.ts'

import { type TurnRow, turnsOf } from './tables.ts'
import * as editing from './text.ts'

/** A transcription, and what its editor does to the turn at a place, as it is by then. */
async function aText(db: Db, texts: readonly string[]) {
  const user = await aUser(db)
  const said = texts.map((text, index) => ({ speaker: index % 2, text }))
  const { id } = await aTranscription(db, { userId: user.id, turns: said })
  const deps = { db, clock: systemClock }
  const all = () => turnsOf(db, id)
  const at = async (place: number) => {
    const turn = (await all())[place]!
    return { userId: user.id, id, turnId: turn.id, revision: turn.revision, turn }
  }
  return {
    all,
    type: async (place: number, text: string) =>
      editing.setText(deps, { ...(await at(place)), text }),
    cut: async (place: number, letters: number) =>
      editing.split(deps, { ...(await at(place)), at: letters }),
    join: async (place: number) => {
      const { turn } = await at(place - 1)
      return editing.merge(deps, { ...(await at(place)), previous: turn })
    },
    replace: (find: string, replaceWith: string) =>
      editing.replace(deps, {
        userId: user.id,
        id,
        find,
        replaceWith,
        matchCase: false,
        wholeWord: true,
      }),
    setTimes: async (place: number, startMs: number, endMs: number) =>
      editing.retime(deps, { ...(await at(place)), startMs, endMs }),
    restore: async (place: number) => editing.restore(deps, await at(place)),
  }
}

const edgesOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => [startMs, endMs]
const joined = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

test('a turn typed anew keeps its time, and typed back its words have theirs again', async ({
  db,
}) => {
  const heard = 'and mister john guess would have been at leisure to consider how much might be'
  const text = await aText(db, ['so it goes', heard, 'there was'])
  const before = await text.all()
  const [, turn] = before
  await text.type(1, 'We met yesterday evening.')
  const typed = (await text.all())[1]!
  expect(edgesOf(typed)).toEqual(edgesOf(turn!))
  // None of it was said, so the words share the whole time, the longer ones more of it.
  expect(typed.words[0]!.startMs).toBe(turn!.startMs)
  expect(typed.words.at(-1)!.endMs).toBe(turn!.endMs)
  const lengths = typed.words.map(({ startMs, endMs }) => endMs - startMs)
  expect(Math.min(...lengths)).toBeGreaterThan(500)

  await text.type(1, heard)
  expect((await text.all()).map(({ words }) => words)).toEqual(before.map(({ words }) => words))
  // By way of other corrections too, of which one stays.
  await text.type(1, 'We met Mister John Guest')
  await text.type(1, 'Guest met us')
  await text.type(1, heard.replace('guess', 'Guest'))
  expect((await text.all())[1]!.words).toEqual(
    turn!.words.map((word) =>
      word.text === 'guess' ? { ...word, text: 'Guest', confidence: 1 } : word,
    ),
  )
})

test('text that is typed on after a pause shares the time of the text before it', async ({
  db,
}) => {
  const text = await aText(db, ['one two three four five six eight nine'])
  await text.type(0, 'We met')
  await text.type(0, 'We met yesterday at seven.')
  const [turn] = await text.all()
  const lengths = turn!.words.map(({ startMs, endMs }) => endMs - startMs)
  expect(Math.min(...lengths)).toBeGreaterThan(100)
  expect(turn!.words.at(-1)!.endMs).toBe(turn!.endMs)
})

test('in a turn that was given other times, words stay and come back where they lie then', async ({
  db,
}) => {
  const text = await aText(db, ['one two three four five', 'six seven'])
  await text.setTimes(0, 100, 2_300)
  const [moved] = await text.all()
  await text.type(0, 'one four, five')
  const [shorter] = await text.all()
  expect(shorter!.words[1]).toMatchObject({ ...moved!.words[3], text: 'four,' })
  await text.type(0, 'one two three four five')
  expect((await text.all())[0]).toMatchObject({ words: moved!.words, startMs: 100, endMs: 2_300 })
})

test('an original lies in the turn, or takes its own time where there is room', async ({ db }) => {
  const text = await aText(db, ['one two three', 'four five six'])
  const [first, second] = await text.all()
  await text.type(1, 'something else')
  await text.restore(1)
  expect((await text.all())[1]).toMatchObject({ words: second!.words, ...timesOf(second!) })
  // Its neighbour has taken half of its time by then.
  await text.setTimes(1, second!.endMs, 9_000)
  await text.setTimes(0, first!.startMs, second!.startMs + 400)
  await text.type(1, 'something else')
  await text.restore(1)
  const [, restored] = await text.all()
  expect(edgesOf(restored!)).toEqual([second!.startMs + 400, second!.endMs])
  expect(joined(restored!.words)).toBe('four five six')
  expectInOrder(restored!)
})

const timesOf = ({ startMs, endMs }: TurnRow) => ({ startMs, endMs })

function expectInOrder({ words, startMs, endMs }: TurnRow): void {
  let reachedMs = startMs
  for (const word of words) {
    expect(word.startMs).toBeGreaterThanOrEqual(reachedMs)
    expect(word.endMs).toBeGreaterThanOrEqual(word.startMs)
    reachedMs = word.startMs
    expect(word.endMs).toBeLessThanOrEqual(endMs)
  }
}

const word = fc.constantFrom('a', 'the', 'that', 'there', 'seven', 'evening', 'even,', 'Noon')
const some = (min: number, max: number) =>
  fc.array(word, { minLength: min, maxLength: max }).map((words) => words.join(' '))
const place = fc.nat(1_000)
const step = fc.oneof(
  fc.record({ kind: fc.constant('type' as const), place, text: some(1, 8) }),
  fc.record({
    kind: fc.constant('amend' as const),
    place,
    from: place,
    to: place,
    text: some(0, 3),
  }),
  fc.record({ kind: fc.constant('cut' as const), place, at: place }),
  fc.record({ kind: fc.constant('join' as const), place }),
  fc.record({ kind: fc.constant('replace' as const), find: word, text: some(0, 2) }),
)

test(
  'no edit moves the edges of a turn, and the engine’s words typed back lie as they did',
  async ({ db }) => {
    const run = async (
      texts: string[],
      steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
    ) => {
      const text = await aText(db, texts)
      const before = await text.all()
      const heard = before.flatMap(({ words }) => words)
      let now = before
      for (const one of steps) {
        const was = now.map(edgesOf)
        const at = 'place' in one ? one.place % now.length : 0
        const words = now[at]!.text.split(' ')
        if (one.kind === 'type') await text.type(at, one.text)
        if (one.kind === 'amend') {
          const from = one.from % words.length
          const to = from + (one.to % (words.length - from + 1))
          await text.type(at, [...words.slice(0, from), one.text, ...words.slice(to)].join(' '))
        }
        if (one.kind === 'replace') await text.replace(one.find, one.text)
        if (one.kind === 'cut') {
          const letters = one.at % Math.max(1, now[at]!.text.length)
          const halves = [now[at]!.text.slice(0, letters), now[at]!.text.slice(letters)]
          if (halves.some((half) => half.trim() === '')) continue
          await text.cut(at, letters)
        }
        if (one.kind === 'join') {
          if (at === 0) continue
          await text.join(at)
        }
        now = await text.all()
        now.forEach(expectInOrder)
        const is = now.map(edgesOf)
        if (one.kind === 'cut') {
          const [[startMs, cutMs], [nextMs, endMs]] = is.splice(at, 2, was[at]!) as [
            number[],
            number[],
          ]
          expect([startMs, endMs]).toEqual(was[at])
          expect(nextMs).toBeGreaterThanOrEqual(cutMs!)
        }
        if (one.kind === 'join') was.splice(at - 1, 2, [was[at - 1]![0]!, was[at]![1]!])
        expect(is).toEqual(was)
      }
      for (const [at, turn] of now.entries()) {
        const original = heard.slice(turn.originalFrom ?? 0, turn.originalTo ?? heard.length)
        if (original.length === 0 || turn.originalFrom === null) continue
        await text.type(at, 'elsewhere')
        await text.type(at, joined(original))
        const { startMs, endMs } = turn
        // A word that a cut goes through ends there.
        const expected = original.map((each) => ({
          ...each,
          startMs: Math.max(startMs, each.startMs),
          endMs: Math.min(endMs, each.endMs),
        }))
        expect((await text.all())[at]).toMatchObject({ words: expected, startMs, endMs })
      }
      for (let left = now.length - 1; left > 0; left -= 1) await text.join(1)
      await text.type(0, 'elsewhere')
      await text.type(0, joined(heard))
      const [whole] = await text.all()
      expect(whole!.words).toEqual(heard)
      expect(edgesOf(whole!)).toEqual([heard[0]!.startMs, heard.at(-1)!.endMs])
    }
    const texts = fc.array(some(1, 12), { minLength: 1, maxLength: 4 })
    await fc.assert(fc.asyncProperty(texts, fc.array(step, { minLength: 4, maxLength: 10 }), run), {
      seed: 41,
      numRuns: times(15, 400),
    })
  },
  times(60_000, 900_000),
)
