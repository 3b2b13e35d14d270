/**
 * Makes conversations with short turns of the voices in a folder of samples: two to six people, in
 * some of whom one says a single thing; a tenth of the turns begins while somebody else still speaks.
 * In turn they are clear, over a telephone and in noise. Nobody says anything twice. The same seed
 * makes the same conversations. `npm run bench -- speech` measures with them.
 *
 * A person is a name in the speaker turns, or a recording that has a text and no turns. Two people must
 * be two, and no words may be there twice: recordings whose names begin as `--without` says are left out.
 *
 *     node bench/tools/mixtures.ts --samples DIR --to DIR [--count 40] [--seed 1] [--without NAME,NAME]
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { energyRegions, loudnessMeter } from '#features/sound/loudness.ts'
import { seeded } from '#shared/random.ts'

import { type LabelledTurn, parseRttm } from '../metrics.ts'
import { decoded, encode } from './audio.ts'

const PER_MS = 16
const TURN_MS = { least: 1000, most: 3500 }
const FEWEST_MS = 2000
/** A voice is three: as it is, deeper and higher. Two of one person never meet. */
const PITCHES = [1, 0.87, 1.15]
const TURNS_EACH = 6
const OVERLAPPED = 0.1
const BANDS = ['clear', 'telephone', 'noise'] as const
const NOISE_DB = -10
const TELEPHONE = ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000']

const { values } = parseArgs({
  options: {
    samples: { type: 'string' },
    to: { type: 'string' },
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    without: { type: 'string', default: '' },
  },
})
if (values.samples === undefined || values.to === undefined)
  throw new Error('Say --samples DIR, a folder of NAME.flac with NAME.rttm, and --to DIR.')

const random = seeded(Number(values.seed))
const between = (least: number, most: number): number => least + random() * (most - least)
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

await mkdir(values.to, { recursive: true })
const people = await peopleIn(values.samples)
for (let place = 0; place < Number(values.count); place++) {
  const band = BANDS[place % BANDS.length] ?? 'clear'
  const voices = 2 + (place % 5)
  const name = `mix-${String(place).padStart(2, '0')}-${voices}-${band}`
  const { pcm, turns } = mixture(people, { voices, hasRare: voices > 2 && place % 4 === 0 })
  if (band === 'noise') addNoise(pcm)
  const sound = Buffer.from(
    Int16Array.from(pcm, (value) => Math.max(-1, Math.min(1, value)) * 32_767).buffer,
  )
  await encode(sound, join(values.to, `${name}.flac`), band === 'telephone' ? TELEPHONE : [])
  const lines = turns.map(
    ({ speaker, startMs, endMs }) =>
      `SPEAKER ${name} 1 ${startMs / 1000} ${(endMs - startMs) / 1000} <NA> <NA> ${speaker} <NA> <NA>\n`,
  )
  await writeFile(join(values.to, `${name}.rttm`), lines.join(''))
}

/** What each person says alone, in turns. Who has one name in several recordings is one person. */
async function peopleIn(folder: string): Promise<Map<string, Float32Array[]>> {
  const found = new Map<string, Float32Array[]>()
  const names = await readdir(folder)
  const without = values.without.split(',').filter(Boolean)
  const recordings = names
    .filter((name) => name.endsWith('.flac') && !without.some((each) => name.startsWith(each)))
    .map((name) => name.replace(/\.flac$/, ''))
  for (const recording of recordings.toSorted()) {
    const bytes = await decoded(join(folder, `${recording}.flac`))
    const pcm = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
    const said = names.includes(`${recording}.rttm`)
      ? parseRttm(await readFile(join(folder, `${recording}.rttm`), 'utf8'))
      : [{ speaker: recording, startMs: 0, endMs: pcm.length / PER_MS }]
    const { listen } = loudnessMeter()
    const sounding = energyRegions(listen(Float32Array.from(pcm, (value) => value / 32_768)))
    for (const turn of said) {
      const own = found.get(String(turn.speaker)) ?? []
      found.set(String(turn.speaker), own)
      for (const alone of sounding.flatMap((region) => aloneIn(region, turn, said)))
        for (let atMs = alone.startMs; alone.endMs - atMs >= TURN_MS.least;) {
          const endMs = Math.round(
            Math.min(alone.endMs, atMs + between(TURN_MS.least, TURN_MS.most)),
          )
          const piece = pcm.subarray(atMs * PER_MS, endMs * PER_MS)
          own.push(Float32Array.from(piece, (value) => value / 32_768))
          atMs = endMs
        }
    }
  }
  const lengthMs = (pieces: readonly Float32Array[]) =>
    pieces.reduce((sum, { length }) => sum + length / PER_MS, 0)
  return new Map([...found].filter(([, pieces]) => lengthMs(pieces) >= FEWEST_MS))
}

interface Stretch {
  startMs: number
  endMs: number
}

/** The moments of a turn and of a sound without a pause in which nobody else speaks. */
function aloneIn(sound: Stretch, turn: LabelledTurn, said: readonly LabelledTurn[]): Stretch[] {
  const isSome = ({ startMs, endMs }: Stretch) => endMs > startMs
  let alone = [
    { startMs: Math.max(sound.startMs, turn.startMs), endMs: Math.min(sound.endMs, turn.endMs) },
  ].filter(isSome)
  for (const other of said.filter((each) => each !== turn))
    alone = alone.flatMap(({ startMs, endMs }) =>
      [
        { startMs, endMs: Math.min(endMs, other.startMs) },
        { startMs: Math.max(startMs, other.endMs), endMs },
      ].filter(isSome),
    )
  return alone
}

function mixture(
  people: ReadonlyMap<string, readonly Float32Array[]>,
  { voices, hasRare }: { voices: number; hasRare: boolean },
): { pcm: Float32Array; turns: LabelledTurn[] } {
  const there = shuffled([...people]).slice(0, voices)
  const queues = there.map(([speaker, pieces], place) => {
    const pitch = PITCHES[Math.floor(random() * PITCHES.length)] ?? 1
    const gain = 10 ** (between(-8, 0) / 20) * 0.1
    const turns = hasRare && place === 0 ? 1 : TURNS_EACH
    return shuffled(pieces)
      .slice(0, turns)
      .map((piece) => ({ speaker, sound: atPitch(piece, pitch, gain) }))
  })
  const order = shuffled(queues.flat())
  const placed: { speaker: string; sound: Float32Array; startMs: number }[] = []
  let endMs = 500
  for (const { speaker, sound } of order) {
    const before = placed.at(-1)
    const isOver = before && before.speaker !== speaker && random() < OVERLAPPED * 1.3
    const startMs = Math.round(isOver ? endMs - between(300, 1000) : endMs + between(50, 600))
    placed.push({ speaker, sound, startMs })
    endMs = Math.max(endMs, startMs + sound.length / PER_MS)
  }
  const pcm = new Float32Array(Math.ceil(endMs + 500) * PER_MS)
  for (const { sound, startMs } of placed)
    for (const [at, value] of sound.entries()) pcm[startMs * PER_MS + at]! += value
  const turns = placed.map(({ speaker, sound, startMs }) => ({
    speaker,
    startMs,
    endMs: Math.round(startMs + sound.length / PER_MS),
  }))
  return { pcm, turns }
}

/** At the loudness that `gain` says, whatever it was before. */
function atPitch(piece: Float32Array, pitch: number, gain: number): Float32Array {
  const factor = gain / (rmsOf(piece) || 1)
  return Float32Array.from({ length: Math.floor((piece.length - 1) / pitch) }, (_, index) => {
    const at = index * pitch
    const [low, share] = [Math.floor(at), at % 1]
    return factor * ((piece[low] ?? 0) * (1 - share) + (piece[low + 1] ?? 0) * share)
  })
}

function rmsOf(sound: Float32Array): number {
  return Math.sqrt(sound.reduce((sum, value) => sum + value * value, 0) / sound.length)
}

/** Noise that falls off towards high sounds, as that of rooms and streets does. */
function addNoise(pcm: Float32Array): void {
  let last = 0
  const noise = Float32Array.from(pcm, () => (last = 0.9 * last + random() - 0.5))
  const factor = (rmsOf(pcm) / rmsOf(noise)) * 10 ** (NOISE_DB / 20)
  for (const [at, value] of noise.entries()) pcm[at]! += factor * value
}
