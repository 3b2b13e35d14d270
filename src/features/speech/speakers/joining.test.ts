import fc from 'fast-check'
import { expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'

import type { SpeakerTurn } from '../contract.ts'
import type { Region, SpeakerBounds } from '../engines/engine.ts'
import { type LocalVoice, type Window, windowsOf } from '../engines/sherpa-diarize-host.ts'
import { joinWindows } from './joining.ts'

const SIZE = 192
const SAME_VOICE = 0.55

interface Said extends Region {
  who: string
}

/** One after the other, or at the times that are given. */
function talk(letters: string, { lengthMs = 1800, pauseMs = 200 } = {}): Said[] {
  return [...letters].map((who, index) => {
    const startMs = index * (lengthMs + pauseMs)
    return { who, startMs, endMs: startMs + lengthMs }
  })
}

/**
 * What models hear of it. Each letter is a voice; any two are `apart` alike, and of `noise` is chance.
 *
 * @param taken voices that the segmentation takes for one
 * @param near two voices that are more alike than others, and still two
 */
function heard(
  said: readonly Said[],
  { apart = 0.35, noise = 0.6, seed = 1, taken = '', near = '' } = {},
): Window[] {
  const random = seeded(seed)
  const direction = () => {
    // A sum of uniform numbers is nearly normal, so that no direction is preferred.
    const vector = Float32Array.from({ length: SIZE }, () => random() + random() + random() - 1.5)
    return scaled(vector, 1)
  }
  const common = direction()
  const letters = [...new Set(said.map(({ who }) => who))].sort()
  const voices = new Map(letters.map((letter) => [letter, direction()]))
  const [one = '', other = ''] = near
  const alike = voices.get(one)?.map((value, at) => 0.8 * value + (voices.get(other)?.[at] ?? 0))
  if (alike) voices.set(other, scaled(alike, 1))
  const soundOf = (who: string) => {
    const own = scaled(voices.get(who) ?? common, Math.sqrt(1 - apart))
    const chance = scaled(direction(), noise)
    return scaled(
      own.map((value, at) => value + Math.sqrt(apart) * (common[at] ?? 0) + (chance[at] ?? 0)),
      1,
    )
  }
  const lengthMs = Math.max(0, ...said.map(({ endMs }) => endMs))
  return windowsOf(lengthMs * 16).map((window) => {
    const inside = said
      .map(({ who, startMs, endMs }) => ({
        who,
        startMs: Math.max(startMs, window.startMs),
        endMs: Math.min(endMs, window.endMs),
      }))
      .filter(({ startMs, endMs }) => endMs > startMs)
    const local = Map.groupBy(inside, ({ who }) => (taken.includes(who) ? taken : who))
    const voices = [...local.values()].map((own): LocalVoice => {
      const alone = own.filter(
        (run) =>
          run.endMs - run.startMs >= 300 &&
          !inside.some(
            (other) =>
              !own.includes(other) && other.startMs < run.endMs && run.startMs < other.endMs,
          ),
      )
      const stretches = alone.length > 0 ? alone : own.slice(0, 1)
      return {
        runs: own,
        stretches: stretches.map((run) => ({ ...run, sound: soundOf(run.who) })),
        isMixed: alone.length === 0,
      }
    })
    return { ...window, voices }
  })
}

function scaled(vector: Float32Array, length: number): Float32Array {
  const now = Math.hypot(...vector)
  return vector.map((value) => (value * length) / now)
}

const join = (windows: readonly Window[], speakers: SpeakerBounds = {}): SpeakerTurn[] =>
  joinWindows({ windows, speakers, sameVoice: SAME_VOICE })

/** The letter of who speaks in the middle of each. */
const whoSays = (said: readonly Said[], turns: readonly SpeakerTurn[]): string =>
  said
    .map(({ startMs, endMs }) => {
      const at = (startMs + endMs) / 2
      const turn = turns.find((each) => each.startMs <= at && at < each.endMs)
      return turn ? 'abcdefghij'[turn.speaker] : '-'
    })
    .join('')
const countOf = (turns: readonly SpeakerTurn[]) => new Set(turns.map(({ speaker }) => speaker)).size

test.each(['aaaaaaaaaa', 'aabbaabbab', 'abcabcaabbcc', 'abcdeabcdeaabbccddee'])(
  'voices as different as people are told apart: %s',
  (letters) => {
    const said = talk(letters)
    expect(whoSays(said, join(heard(said)))).toBe(letters)
  },
)

test('two people whom the segmentation takes for one voice are told apart by their sound', () => {
  const said = talk('abbaabcbac')
  const turns = join(heard(said, { taken: 'ab' }))
  expect(whoSays(said, turns)).toBe('abbaabcbac')
})

test('two voices of one window are two people, however alike they are', () => {
  const said = talk('aabbabab')
  const alike = { apart: 0.78, noise: 0.5 }
  expect(countOf(join(heard(said, { ...alike, taken: 'ab' })))).toBe(1)
  expect(whoSays(said, join(heard(said, alike)))).toBe('aabbabab')
})

test('the similarity at which two voices count as one depends on the model', () => {
  const windows = heard(talk('aabbabab'), { apart: 0.7, noise: 0.3, taken: 'ab' })
  const found = (sameVoice: number) => countOf(joinWindows({ windows, speakers: {}, sameVoice }))
  expect([0.45, 0.75].map(found)).toEqual([1, 2])
})

test('two people who talk at once have turns that overlap', () => {
  const said = [
    { who: 'a', startMs: 0, endMs: 4000 },
    { who: 'b', startMs: 3000, endMs: 6000 },
    { who: 'a', startMs: 6500, endMs: 9000 },
    { who: 'b', startMs: 9300, endMs: 12_000 },
  ]
  // Where both speak, the models hear neither alone.
  const alone = [
    { who: 'a', startMs: 0, endMs: 3000 },
    { who: 'b', startMs: 4000, endMs: 6000 },
    ...said.slice(2),
  ]
  const windows = heard(alone).map((window) => ({
    ...window,
    voices: window.voices.map((voice, place) => ({
      ...voice,
      runs: said
        .filter(({ who }) => who === 'ab'[place])
        .map(({ startMs, endMs }) => ({
          startMs: Math.max(startMs, window.startMs),
          endMs: Math.min(endMs, window.endMs),
        }))
        .filter(({ startMs, endMs }) => endMs > startMs),
    })),
  }))
  expect(join(windows)).toEqual(
    said.map(({ who, ...times }) => ({ ...times, speaker: 'ab'.indexOf(who) })),
  )
})

test('who says a single second in half a minute is somebody, and a cough is nobody', () => {
  const others = talk('aabbaabbaabbaab')
  const last = (lengthMs: number) => ({ who: 'c', startMs: 30_500, endMs: 30_500 + lengthMs })
  const [second, cough] = [
    [...others, last(1100)],
    [...others, last(500)],
  ]
  expect(whoSays(second, join(heard(second)))).toBe('aabbaabbaabbaabc')
  expect(countOf(join(heard(cough)))).toBe(2)
})

test('as many people are found as there are said to be', () => {
  const said = talk('aabbccabcabc')
  const found = [1, 2, 3, 4, 5].map((count) => countOf(join(heard(said), { count })))
  expect(found).toEqual([1, 2, 3, 4, 5])
})

test('if fewer people speak than were found, one who was taken for two is one again', () => {
  const said = talk('aabbaabbaabbccccd')
  const windows = heard(said, { near: 'ac' })
  expect(whoSays(said, join(windows))).toBe('aabbaabbaabbccccd')
  expect(whoSays(said, join(windows, { count: 3 }))).toBe('aabbaabbaabbaaaac')
})

test('if more people speak than were found, one who is like nobody is one of them', () => {
  const said = [...talk('aaaabbbbaaaabbbb'), { who: 'c', startMs: 32_000, endMs: 32_500 }]
  const windows = heard(said)
  expect(countOf(join(windows))).toBe(2)
  expect(whoSays(said, join(windows, { count: 3 }))).toBe('aaaabbbbaaaabbbbc')
})

test('if more people speak than were found, one who is heard while others speak is one of them', () => {
  const said = talk('aabbaabbaabb', { lengthMs: 1800, pauseMs: 700 })
  const windows = heard([...said, { who: 'c', startMs: 16_850, endMs: 17_250 }])
  const isThird = ({ runs }: LocalVoice) => runs.some(({ startMs }) => startMs === 16_850)
  // Only the window from 15 s on hears the third voice, and once more while another speaks.
  for (const window of windows) {
    if (window.startMs === 15_000)
      window.voices.find(isThird)?.runs.push({ startMs: 20_500, endMs: 21_300 })
    else window.voices = window.voices.filter((voice) => !isThird(voice))
  }
  expect(countOf(join(windows))).toBe(2)
  const own = join(windows, { count: 3 }).filter(({ speaker }) => speaker === 2)
  expect(own).toEqual([{ startMs: 20_500, endMs: 21_300, speaker: 2 }])
})

test('if more people speak than were found, two who were taken for one are told apart', () => {
  const said = talk('aaaaaaaaabbbbbbbbb')
  const windows = heard(said, { apart: 0.64, noise: 0.3, taken: 'ab' })
  expect(countOf(join(windows))).toBe(1)
  expect(whoSays(said, join(windows, { count: 2 }))).toBe('aaaaaaaaabbbbbbbbb')
})

test('a number that is too high takes little from those who were found', () => {
  const said = talk('aabbaabbaabbaabb')
  const turns = join(heard(said), { count: 3 })
  const lengths = Map.groupBy(turns, ({ speaker }) => speaker)
  const spokenMs = [...lengths.values()].map((own) =>
    own.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
  )
  expect(Math.min(...spokenMs)).toBeLessThanOrEqual(2000)
  expect(spokenMs).toHaveLength(3)
})

test('never more people than the most, and fewer where fewer speak', () => {
  const windows = heard(talk('aabbccabcabc'))
  expect([1, 2, 3, 5].map((max) => countOf(join(windows, { max })))).toEqual([1, 2, 3, 3])
})

test('a long recording has the same voices from start to end', () => {
  const letters = 'aabbacabbc'.repeat(70)
  const said = talk(letters)
  expect(whoSays(said, join(heard(said)))).toBe(letters)
  expect(countOf(join(heard(said), { count: 2 }))).toBe(2)
})

test('two people who are a little alike stay two, however long they talk', () => {
  const letters = 'aabbabab'.repeat(12)
  const said = talk(letters)
  const windows = heard(said, { apart: 0.75, noise: 0.75, taken: 'ab' })
  expect(whoSays(said, join(windows))).toBe(letters)
})

test('who says little and is nearly like one who says much is the same person', () => {
  const said = talk('aaaabbbbaaaabbbb'.repeat(4) + 'cccc' + 'aabb'.repeat(4))
  const much = heard(said, { near: 'ac' })
  const little = much.slice(25)
  expect([little, much].map((windows) => countOf(join(windows)))).toEqual([3, 2])
})

test('silence is nobody, and a single word is one person', () => {
  expect(join([])).toEqual([])
  expect(join(windowsOf(30_000 * 16).map((window) => ({ ...window, voices: [] })))).toEqual([])
  expect(join(heard(talk('a', { lengthMs: 300 })))).toEqual([
    { speaker: 0, startMs: 0, endMs: 300 },
  ])
})

test('turns are in order, and of at most as many people as there may be, whatever was heard', () => {
  const lengths = fc.array(fc.integer({ min: 50, max: 3000 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 4 }), fc.nat(), (all, max, seed) => {
      let atMs = 0
      const said = all.map((lengthMs, index) => {
        const startMs = atMs
        // Every third begins before the end of the one before.
        atMs += index % 3 === 0 ? lengthMs / 2 : lengthMs
        return { who: 'abcde'[index % 5] ?? 'a', startMs, endMs: startMs + lengthMs }
      })
      const turns = join(heard(said, { seed }), { max })
      expect(countOf(turns)).toBeGreaterThan(0)
      expect(countOf(turns)).toBeLessThanOrEqual(max)
      expect(turns).toEqual(turns.toSorted((a, b) => a.startMs - b.startMs))
      for (const { startMs, endMs } of turns) expect(endMs).toBeGreaterThan(startMs)
    }),
    { numRuns: 50 },
  )
})
