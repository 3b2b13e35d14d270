/**
 * What can a hostile recording do? Playlists and containers that refer to our files and our
 * network, mutated recordings, bombs, decoders that are killed, and what the sandbox costs.
 *
 *     npm run bench -- hostile [references | mutations | bombs | kills | cost]… [--mutations N]
 *
 * Exits with 1 when something got out or broke; a time over its bar is only printed as such.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'

import { containerOf } from '#features/sound/container.ts'
import { decoderArguments, measure } from '#features/sound/decode.ts'
import { needProgram } from '#features/sound/sandbox/programs.ts'
import { confinement, start } from '#features/sound/sandbox/sandbox.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'
import { seeded } from '#shared/random.ts'
import { descendantsOf } from '#test/children.ts'
import * as hostile from '#test/hostile.ts'

import { median, megabytes, seconds } from './tools/report.ts'

const SEED = 20_261_121
const ROUNDS = 7
const hour = 3_600_000
const never = new AbortController().signal
const options = { signal: never, maxDurationMs: MAX_DURATION_HOURS * hour }

const problems: string[] = []
const require = (isSo: boolean, what: string) => {
  if (!isSo) problems.push(what)
}
const say = (line: string) => console.log(line)
const against = (value: number, bar: number) => (value <= bar ? 'within' : 'OVER')

/** Processor time of the children that have ended. A busy machine does not change it. */
async function processorMs(): Promise<number> {
  const fields = (await readFile('/proc/self/stat', 'utf8')).replace(/^.*\) /s, '').split(' ')
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

/** Runs `work` and answers how long it took, and what the decoders took of processor and memory. */
async function watched<T>(
  work: () => Promise<T>,
): Promise<{ result: T; ms: number; processor: number; rss: number }> {
  let rss = 0
  const over = new AbortController()
  const looking = (async () => {
    while (!over.signal.aborted) {
      for (const { pid, name } of await descendantsOf(process.pid)) {
        if (name !== 'ffmpeg') continue
        const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
        rss = Math.max(rss, 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const before = await processorMs()
  const startedAt = performance.now()
  const result = await work().finally(() => over.abort())
  const ms = performance.now() - startedAt
  await looking
  return { result, ms, processor: (await processorMs()) - before, rss }
}

async function references(folder: string): Promise<void> {
  const trap = await hostile.setTrap(folder)
  const all = hostile.references(trap)
  let refused = 0
  let slowestMs = 0
  let leaks = 0
  for (const { name, bytes } of all) {
    const path = join(folder, name)
    await writeFile(path, bytes)
    const blocks: Buffer[] = []
    const onPcm = (block: Buffer) => void blocks.push(block)
    const startedAt = performance.now()
    const verdict = await measure(path, { ...options, onPcm })
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    if (verdict.kind === 'refused') refused += 1
    else problems.push(`${name} was decoded`)

    const recognised = await containerOf(path)
    if (recognised.kind === 'container') {
      const args = decoderArguments(path, recognised.container, options)
      const limits = { signal: never, memoryBytes: 2 ** 29, cpuSeconds: 20, reads: [path] }
      const { stdout, stderr, ended } = await start(await needProgram('ffmpeg'), args, limits)
      const [out, said] = await Promise.all([buffer(stdout), text(stderr), ended])
      blocks.push(out, Buffer.from(said))
    }
    if (Buffer.concat(blocks).includes(trap.mark)) leaks += 1
  }
  trap.close()
  require(leaks === 0, `${leaks} of the references gave the canary away`)
  require(trap.visitors() === 0, `${trap.visitors()} connections or datagrams reached the trap`)
  say(
    `references   ${all.length} files: ${refused} refused, ${leaks} with canary bytes, ` +
      `${trap.visitors()} packets at the trap, slowest verdict ${seconds(slowestMs)} ` +
      `(bar 5 s: ${against(slowestMs, 5000)})`,
  )
}

async function mutations(folder: string, count: number): Promise<void> {
  const random = seeded(SEED)
  await mkdir(join(folder, 'seeds'))
  const seeds = await Promise.all(
    (await hostile.seeds(join(folder, 'seeds'))).map((path) => readFile(path)),
  )
  const copies = Array.from({ length: count }, (_, index) => index)
  const verdicts: Record<string, number> = {}
  let slowestMs = 0
  const before = process.memoryUsage().rss

  const { ms, rss } = await watched(() =>
    Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        for (let index = copies.shift(); index !== undefined; index = copies.shift()) {
          const bytes = hostile.mutate(seeds[index % seeds.length]!, random)
          const path = join(folder, `mutated-${index}`)
          await writeFile(path, bytes)
          const startedAt = performance.now()
          const verdict = await measure(path, options).catch((error: unknown) => error)
          slowestMs = Math.max(slowestMs, performance.now() - startedAt)
          const kind =
            verdict instanceof Error
              ? `error: ${verdict.message}`
              : ((verdict as { reason?: string }).reason ?? 'audio')
          verdicts[kind] = (verdicts[kind] ?? 0) + 1
          require(!(verdict instanceof Error), `mutation ${index}: ${kind}`)
          await rm(path)
        }
      }),
    ),
  )
  const told = Object.entries(verdicts).map(([kind, times]) => `${times} ${kind}`)
  say(
    `mutations    ${count} files in ${seconds(ms)}: ${told.join(', ')}; slowest ${seconds(slowestMs)}, ` +
      `decoder ${megabytes(rss)} at most (bar 512 MB: ${against(rss, 2 ** 29)}), ` +
      `this process +${megabytes(process.memoryUsage().rss - before)}`,
  )
}

async function bombs(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name)
  const big = 100_000_000
  const all: [name: string, path: () => Promise<string>][] = [
    ['100 MB of constant FLAC', () => hostile.constantFlac(at('b.flac'), { sizeBytes: big })],
    ['37 h of 6 kbit/s Opus', () => hostile.longOpus(at('b.opus'), { folder, hours: 37 })],
    ['1,000 tracks', () => hostile.manyTracks(at('b.mkv'), { folder, tracks: 1000 })],
    ['1,000 tracks, MP4', () => hostile.manyTracks(at('b.mp4'), { folder, tracks: 1000 })],
    ['WAV of 0xFFFFFFFF bytes', () => hostile.endlessWav(at('b.wav'), { sizeBytes: big })],
    ['WAV of 1 Hz', () => hostile.endlessWav(at('c.wav'), { sizeBytes: big, rateHz: 1 })],
    ['endless Ogg chain, 100 MB', () => hostile.oggChain(at('b.ogg'), { folder, sizeBytes: big })],
  ]
  for (const [name, make] of all) {
    const path = await make()
    const { result, ms, processor, rss } = await watched(() => measure(path, options))
    const verdict =
      result.kind === 'refused'
        ? result.reason
        : `audio of ${(result.durationMs / hour).toFixed(2)} h`
    require(result.kind === 'refused' ||
      result.durationMs <= options.maxDurationMs, `${name} was decoded beyond the longest duration`)
    say(
      `bombs        ${name}: ${verdict} in ${seconds(ms)}, ${seconds(processor)} of ` +
        `processor time (bar 30 s: ${against(ms, 30_000)}), decoder ${megabytes(rss)} at most (bar 512 MB: ${against(rss, 2 ** 29)})`,
    )
    await rm(path)
  }
}

async function kills(folder: string): Promise<void> {
  const path = await hostile.constantFlac(join(folder, 'k.flac'), { sizeBytes: 1_000_000 })
  const random = seeded(SEED)
  const moments = Array.from({ length: 100 }, () => random() * 400)
  const { ms } = await watched(() =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let moment = moments.pop(); moment !== undefined; moment = moments.pop()) {
          const stop = new AbortController()
          const timer = setTimeout(() => stop.abort(new Error('killed')), moment)
          const ending = await measure(path, { ...options, signal: stop.signal }).then(
            ({ kind }) => kind,
            (error: Error) => error.message,
          )
          clearTimeout(timer)
          require(ending === 'killed', `a kill after ${moment} ms ended as ${ending}`)
        }
      }),
    ),
  )
  const left = await descendantsOf(process.pid)
  require(left.length === 0, `${left.length} processes were left behind`)
  say(
    `kills        100 decoders killed in ${seconds(ms)}: ${left.length} processes or zombies left`,
  )
}

async function cost(folder: string): Promise<void> {
  const ffmpeg = await needProgram('ffmpeg')
  const limits = { signal: never, memoryBytes: 2 ** 29, cpuSeconds: 60 }
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  const plainly = async (program: string, args: string[]) => {
    // In its own session, as the product starts it: Linux divides the processor among sessions.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    child.stdout.resume()
    child.stderr.resume()
    await once(child, 'close')
  }
  const confined = async (program: string, args: string[]) => {
    const { stdout, stderr, ended } = await start(program, args, limits)
    stdout.resume()
    stderr.resume()
    await ended
  }
  const nothing = await needProgram('true')
  const starts: { plain: number; confined: number }[] = []
  for (let round = 0; round < 20; round++)
    starts.push({
      plain: await timed(() => plainly(nothing, [])),
      confined: await timed(() => confined(nothing, [])),
    })
  const extraMs = median(starts.map((one) => one.confined - one.plain))
  const leastMs = Math.min(...starts.map((one) => one.confined))
  say(
    `cost         to start a program: ${extraMs.toFixed(0)} ms more than without, ` +
      `at best ${leastMs.toFixed(0)} ms in all (bar 60 ms: ${against(extraMs, 60)})`,
  )

  const tenMinutes = ['-f', 'lavfi', '-i', 'anoisesrc=d=600:c=pink:r=44100:a=0.2', '-ac', '2']
  for (const [name, codec] of [
    ['ten.mp3', ['-b:a', '128k']],
    ['ten.m4a', ['-b:a', '128k']],
    ['ten.opus', ['-b:a', '64k']],
  ] as const) {
    const path = await hostile.make(join(folder, name), ...tenMinutes, ...codec)
    const args = ['-v', 'error', '-threads', '1', '-i', path, '-vn', '-ac', '1', '-ar', '16000']
    const plain = () => plainly(ffmpeg, [...args, '-f', 's16le', 'pipe:1'])
    const ours = () => measure(path, options)
    const rounds: Record<'ratio' | 'processorRatio' | 'plainMs' | 'oursMs', number>[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const atFirst = await processorMs()
      const plainMs = await timed(plain)
      const between = await processorMs()
      const oursMs = await timed(ours)
      const processorRatio = ((await processorMs()) - between) / (between - atFirst)
      rounds.push({ ratio: oursMs / plainMs, processorRatio, plainMs, oursMs })
    }
    const ratio = median(rounds.map((round) => round.ratio))
    const worst = Math.max(...rounds.map((round) => round.ratio))
    const leastMs = (which: 'plainMs' | 'oursMs') => Math.min(...rounds.map((one) => one[which]))
    const best = leastMs('oursMs') / leastMs('plainMs')
    const processorRatio = median(rounds.map((round) => round.processorRatio))
    say(
      `cost         ten minutes of ${name.slice(4)}, times plain ffmpeg: ${ratio.toFixed(2)} ` +
        `(worst ${worst.toFixed(2)}, best against best ${best.toFixed(2)}, ` +
        `processor time ${processorRatio.toFixed(2)}; bar 1.10: ${against(ratio, 1.1)}); ` +
        `${(600_000 / leastMs('oursMs')).toFixed(0)} times real time`,
    )
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { mutations: { type: 'string', default: '2000' } },
})
const parts: Record<string, (folder: string) => Promise<void>> = {
  references,
  mutations: (folder) => mutations(folder, Number(values.mutations)),
  bombs,
  kills,
  cost,
}
const folder = await mkdtemp(join(tmpdir(), 'quoth-hostile-'))
try {
  say(`the decoder is ${await confinement()}; seed ${SEED}`)
  for (const name of positionals.length > 0 ? positionals : Object.keys(parts))
    await (parts[name] ?? (() => Promise.reject(new Error(`There is no part ${name}.`))))(folder)
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) say(`PROBLEM      ${problem}`)
process.exitCode = problems.length > 0 ? 1 : 0
