/**
 * Are both people of a call told, and are their words as right as if each were alone? 20 calls are made
 * of the recordings of a samples folder that one person reads: a person on each channel, what they say
 * in turn or at the same time, and each 25 dB quieter on the channel of the other. Each call goes through
 * the product's measuring and the pipeline with the model that is installed, and so does each side alone.
 * The same seed makes the same calls.
 *
 *     npm run bench -- calls --samples DIR [--models DIR] [--only NAME] [--json FILE]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { measure } from '#features/sound/decode.ts'
import { type Side, sidesMeter } from '#features/sound/sides.ts'
import { chooseEngine, sidesHeard, transcribe } from '#features/speech/speech.ts'
import { seeded } from '#shared/random.ts'

import { totalWordErrors, type WordErrors, wordErrors } from './metrics.ts'
import { decoded, encode } from './tools/audio.ts'
import { printFigures, printMachine, printTable } from './tools/report.ts'
import { readSamples } from './tools/samples.ts'
import { inMemory } from './tools/stages.ts'

const CALLS = 20
const SEED = 7
const LEAK = 10 ** (-25 / 20)
const BYTES_PER_MS = 32
/** So much of each side is said, or all that there is of a reader: in a side of ten words, one is ten points. */
const SIDE_MS = 60_000
/** The next one speaks so much after the one before ends, or before that. */
const PAUSE_MS = { least: -2000, most: 800 }
/** Names of recordings that begin alike are of one person. */
const PEOPLE = ['librivox', 'lj', 'spk1', 'spk2', 'weather', 'dictation']

interface Clip {
  pcm: Buffer
  text: string
}
interface Heard {
  name: string
  speakers: number
  /** Of each side, in the call and alone. */
  sides: { call: WordErrors; alone: WordErrors }[]
}

const random = seeded(SEED)
const between = (least: number, most: number): number => least + random() * (most - least)
const { samples, modelsDir, json } = await readSamples()
printMachine()
const people = samples ? await peopleIn(samples.folder, samples.names) : []
if (people.length < 2)
  console.log(
    'There is nothing to measure with: say --samples DIR (or QUOTH_SAMPLES), a folder of NAME.flac with NAME.txt of several readers.',
  )
else await measureAll()

async function measureAll(): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const engine = await chooseEngine({ transcriber: 'auto', ...modelsDir })
  const hear = async (path: string, sides: readonly Side[] | null) => {
    const workDir = await mkdtemp(join(work, 'job-'))
    const said = await transcribe(
      { path, workDir, engine, sides },
      inMemory(),
      () => undefined,
      signal,
    )
    if (said.kind === 'refused') throw new Error(`${path} was refused: ${said.reason}`)
    return said.turns
  }
  const { signal } = new AbortController()
  const all: Heard[] = []
  try {
    for (let number = 0; number < CALLS; number++) {
      const name = `call-${String(number).padStart(2, '0')}`
      const call = madeCall(number)
      if (!samples?.isWanted(name)) continue
      const path = await encode(leaking(call), join(work, `${name}.wav`), [], 2)
      const { listen, finish } = sidesMeter()
      await measure(path, { signal, maxDurationMs: 3_600_000, onPairs: listen })
      const turns = await hear(path, sidesHeard(finish()))
      const numbers = [...new Set(turns.map(({ speaker }) => speaker))]
      const said = numbers.map((speaker) =>
        turns
          .filter((turn) => turn.speaker === speaker)
          .map(({ text }) => text)
          .join(' '),
      )
      const inOrder = said.length === 2 ? pairedWith(call, said) : [said.join(' '), '']
      const sides: Heard['sides'] = []
      for (const [at, side] of call.entries()) {
        const alonePath = await encode(side.pcm, join(work, `${name}-${at}.wav`))
        const alone = (await hear(alonePath, null)).map(({ text }) => text).join(' ')
        sides.push({
          call: wordErrors(side.text, inOrder[at] ?? ''),
          alone: wordErrors(side.text, alone),
        })
      }
      all.push({ name, speakers: numbers.length, sides })
      process.stderr.write(`${name}\n`)
    }
    if (json !== undefined) await writeFile(json, JSON.stringify(all))
    report(all)
  } finally {
    await engine.close?.()
    await rm(work, { recursive: true, force: true })
  }
}

function report(all: readonly Heard[]): void {
  printTable('Wrong words of each side, in the call and alone', [
    ['', 'speakers', 'words', 'left', 'alone', 'words', 'right', 'alone'],
    ...all.map(({ name, speakers, sides }) => [
      name,
      String(speakers),
      ...sides.flatMap(({ call, alone }) => [
        String(call.referenceWords),
        percent(call.rate),
        percent(alone.rate),
      ]),
    ]),
  ])
  const sides = all.flatMap((each) => each.sides)
  const inCall = totalWordErrors(sides.map(({ call }) => call)).rate
  const alone = totalWordErrors(sides.map((each) => each.alone)).rate
  const both = all.filter(({ speakers }) => speakers === 2).length
  const far = sides.filter((each) => each.call.rate > each.alone.rate + 0.02).length
  printFigures('In all', [
    {
      what: 'calls with two speakers',
      figure: `${both} of ${all.length}`,
      bar: 'all',
      isMet: both === all.length,
    },
    { what: 'wrong words of all sides alone', figure: percent(alone) },
    {
      what: 'the same in calls',
      figure: percent(inCall),
      bar: `≤ ${percent(alone + 0.02)}`,
      isMet: inCall <= alone + 0.02,
    },
    { what: 'sides more than 2 points worse than alone', figure: `${far} of ${sides.length}` },
  ])
}

function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)} %`
}

async function peopleIn(folder: string, names: readonly string[]): Promise<Clip[][]> {
  const clipsOf = (person: string) =>
    names
      .filter((name) => name.startsWith(person) && name.endsWith('.flac'))
      .map((name) => name.replace(/\.flac$/, ''))
      .filter((name) => names.includes(`${name}.txt`))
      .map(async (name) => ({
        pcm: await decoded(join(folder, `${name}.flac`)),
        text: (await readFile(join(folder, `${name}.txt`), 'utf8')).trim(),
      }))
  const all = await Promise.all(PEOPLE.map((person) => Promise.all(clipsOf(person))))
  return all.filter((clips) => clips.length > 0)
}

/** Two people say their clips in an order of chance, in turn, until both have said enough. */
function madeCall(number: number): Clip[] {
  const one = number % people.length
  const other =
    (one + 1 + (Math.floor(number / people.length) % (people.length - 1))) % people.length
  const sides = [one, other].map((person) => ({
    left: shuffled(people[person] ?? []),
    parts: [] as { at: number; clip: Clip }[],
    endMs: 0,
    saidMs: 0,
  }))
  let atMs = 500
  for (let turn = 0; ; turn++) {
    const open = sides.filter(({ left, saidMs }) => left.length > 0 && saidMs < SIDE_MS)
    const side = open.find((each) => each === sides[turn % 2]) ?? open[0]
    const clip = side?.left.pop()
    if (!side || !clip) break
    const startMs = Math.max(side.endMs + 300, atMs)
    const lengthMs = Math.floor(clip.pcm.length / BYTES_PER_MS)
    side.parts.push({ at: startMs, clip })
    side.saidMs += lengthMs
    side.endMs = startMs + lengthMs
    atMs = Math.max(500, Math.round(side.endMs + between(PAUSE_MS.least, PAUSE_MS.most)))
  }
  const bytes = (Math.max(...sides.map(({ endMs }) => endMs)) + 500) * BYTES_PER_MS
  return sides.map(({ parts }) => {
    const pcm = Buffer.alloc(bytes)
    for (const { at, clip } of parts) clip.pcm.copy(pcm, at * BYTES_PER_MS)
    return { pcm, text: parts.map(({ clip }) => clip.text).join(' ') }
  })
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Two channels in turn, each with the voice of the other in it. */
function leaking([one, other]: readonly Clip[]): Buffer {
  const length = (one?.pcm.length ?? 0) >> 1
  const both = Buffer.alloc(4 * length)
  for (let at = 0; at < length; at++) {
    const a = one?.pcm.readInt16LE(2 * at) ?? 0
    const b = other?.pcm.readInt16LE(2 * at) ?? 0
    both.writeInt16LE(inRange(a + LEAK * b), 4 * at)
    both.writeInt16LE(inRange(b + LEAK * a), 4 * at + 2)
  }
  return both
}

function inRange(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)))
}

/** Speakers are numbered by who speaks first: their texts in the order of the sides. */
function pairedWith(call: readonly Clip[], said: readonly string[]): string[] {
  const errors = (texts: readonly string[]) =>
    totalWordErrors(call.map(({ text }, at) => wordErrors(text, texts[at] ?? ''))).rate
  const turned = said.toReversed()
  return errors(said) <= errors(turned) ? [...said] : turned
}
