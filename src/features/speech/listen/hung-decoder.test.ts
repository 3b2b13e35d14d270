/** Decoders that hang, write too slowly, crash or are killed. A script stands in for ffmpeg. */
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'

import { type DecodeOptions, measure } from '#features/sound/decode.ts'
import { processorMsOf } from '#features/sound/sandbox/sandbox.ts'
import { aFolder } from '#test/folder.ts'
import { descendantsOf } from '#test/children.ts'

/** The script behaves as the name of the recording says. */
const standIn = `#!/usr/bin/perl
exit if !@ARGV;
$| = 1;
print STDERR "  Stream #0:0: Audio: mp3, 16000 Hz, mono\\n";
print STDERR "Output #0\\n  Stream #0:0: Audio: pcm_s16le, 16000 Hz, mono\\n";
$_ = "@ARGV";
sub nap { select(undef, undef, undef, shift) }
if (/silent.wav/) { nap(1) while 1 }
if (/deaf.wav/) { $SIG{TERM} = 'IGNORE'; nap(1) while 1 }
if (/dripping.wav/) { while (1) { print 'xx'; nap(0.05) } }
if (/talking.wav/) { print STDERR "Metadata\\n" while 1 }
if (/long-line.wav/) { print STDERR 'x' x 30_000_000 }
print "samples\\n";
if (/stuck.wav/) { nap(1) while 1 }
if (/burning.wav/) { 1 while 1 }
if (/crashing.wav/) { print unpack('p', pack('L!', 1)) }
`
const patience = { stallMs: 400, wallMs: 1500, graceMs: 200, processorSeconds: 30 }
const options: DecodeOptions = {
  signal: new AbortController().signal,
  maxDurationMs: 3_600_000,
  patience,
}
const refused = { kind: 'refused', reason: 'not_media' }
const hung = { kind: 'refused', reason: 'reading_stalled' }

const folder = aFolder('hung')
beforeAll(async () => {
  await writeFile(join(folder, 'ffmpeg'), standIn)
  await chmod(join(folder, 'ffmpeg'), 0o755)
  vi.stubEnv('PATH', `${folder}:/usr/local/bin:/usr/bin:/bin`)
})

async function recording(name: string): Promise<string> {
  const path = join(folder, `${name}.wav`)
  await writeFile(path, 'RIFF\0\0\0\0WAVEfmt ')
  return path
}
/** A process that only prepares the sandbox may have ended since it was seen. */
function stopIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}
const nobodyIsLeft = async () => expect(await descendantsOf(process.pid)).toEqual([])

test('the samples that a decoder puts out are counted', async () => {
  const measured = await measure(await recording('ordinary'), { ...options, patience: undefined })
  expect(measured).toMatchObject({ kind: 'audio', codec: 'mp3', sampleCount: 4 })
})

test('one that works for long on a small recording is ended: the file was made for that', async () => {
  const busy = { stallMs: 60_000, wallMs: 60_000, graceMs: 200, processorSeconds: 0 }
  const measured = await measure(await recording('burning'), { ...options, patience: busy })
  expect(measured).toEqual({ kind: 'refused', reason: 'too_slow' })
  await nobodyIsLeft()
})

test('one that the system kills while it works hard is an error: the file is not to blame', async () => {
  const busy = { stallMs: 60_000, wallMs: 60_000, graceMs: 200, processorSeconds: 0 }
  const isAtWork = Promise.withResolvers<void>()
  const onPcm = () => isAtWork.resolve()
  const measuring = measure(await recording('burning'), { ...options, onPcm, patience: busy })
  const killed = expect(measuring).rejects.toThrow('ffmpeg was ended by SIGKILL')
  await isAtWork.promise
  const script = (await descendantsOf(process.pid)).find(({ name }) => name === 'ffmpeg')
  // It may use a second, and has used a third of it.
  const often = { interval: 20 }
  await expect.poll(() => processorMsOf(script!.pid), often).toBeGreaterThan(300)
  process.kill(script!.pid, 'SIGKILL')
  await killed
  await nobodyIsLeft()
})

test.each([
  ['puts out nothing', 'silent'],
  ['does not end when it is asked to', 'deaf'],
  ['stops in the middle', 'stuck'],
  ['goes on and on at a crawl', 'dripping'],
  ['only talks', 'talking'],
])('one that %s is ended with all that it started', async (_, name) => {
  expect(await measure(await recording(name), options)).toEqual(hung)
  await nobodyIsLeft()
})

test('one that is stopped by a signal is ended too', async () => {
  // On a busy machine it takes a while until the process is seen.
  const patient = { ...options, patience: { ...patience, stallMs: 2_000, wallMs: 20_000 } }
  const measuring = measure(await recording('silent'), patient)
  const started = () => descendantsOf(process.pid)
  await expect
    .poll(started, { interval: 20 })
    .toContainEqual(expect.objectContaining({ name: 'ffmpeg' }))
  for (const { pid } of await started()) stopIfRunning(pid)
  expect(await measuring).toEqual(hung)
  await nobodyIsLeft()
})

test('the time that we take for its samples is not counted against the decoder', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = {
    patience: { ...patience, wallMs: 60_000 },
    onPcm: () => void vi.advanceTimersByTime(30_000),
  }
  const measured = await measure(await recording('ordinary'), { ...options, ...slow })
  expect(measured).toMatchObject({ kind: 'audio' })
})

test('one that crashes has been given a bad recording', async () => {
  const crashed = await measure(await recording('crashing'), { ...options, patience: undefined })
  expect(crashed).toEqual(refused)
})

test('one that the system kills is an error, and not the end of the recording', async () => {
  const isAtWork = Promise.withResolvers<void>()
  const onPcm = () => isAtWork.resolve()
  const measuring = measure(await recording('stuck'), { ...options, onPcm, patience: undefined })
  const killed = expect(measuring).rejects.toThrow('ffmpeg was ended by SIGKILL')
  await isAtWork.promise
  const script = (await descendantsOf(process.pid)).find(({ name }) => name === 'ffmpeg')
  process.kill(script!.pid, 'SIGKILL')
  await killed
  await nobodyIsLeft()
})

test('a line without an end is not kept', async () => {
  const before = process.memoryUsage().rss
  const measured = await measure(await recording('long-line'), { ...options, patience: undefined })
  expect(measured).toMatchObject({ kind: 'audio' })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})
