import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

import { chapterFormats, cutFormats, endingOf, formatNames } from '#features/exports/formats.ts'
import { descendantsOf } from '#test/children.ts'
import { type TranscriberFake, transcriberFake } from '#test/fakes/transcriber.ts'
import { isLong, times } from '#test/long.ts'
import { spokenTones } from '#test/tiny-model.ts'

import { wordErrors } from '../bench/metrics.ts'
import { run } from './transcribe.ts'

const fixture = (name: string) =>
  join(import.meta.dirname, '../src/features/transcriptions/sample', name)
const sample = fixture('sample.m4a')
const LONG_MS = times(60_000, 180_000)

/** A recogniser that costs nothing and hears words in tones, for tests of the command around it. */
let server: TranscriberFake
let folder: string
let env: Record<string, string>
beforeEach(async () => {
  server = await transcriberFake()
  folder = await mkdtemp(join(tmpdir(), 'transcribe-test-'))
  env = { OPENAI_BASE_URL: server.url, DATA_DIR: folder }
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** The command as in a shell, in a folder of its own, with both outputs kept. */
async function command(
  args: string[],
  { env = {}, signal = new AbortController().signal, isTTY = false } = {},
) {
  const said = { stdout: '', stderr: '' }
  const code = await run(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text), isTTY, columns: 60 },
    env,
    cwd: folder,
    signal,
  })
  return { code, ...said }
}

/** Reads captions with another project's parser, which reports every breach of the format. */
async function readStrictly(text: string, type: 'srt' | 'vtt') {
  // The types of this package do not work with Node's module rules, so they are given here.
  const { parseText } = (await import('media-captions')) as unknown as {
    parseText(
      text: string,
      options: { type: 'srt' | 'vtt'; strict: boolean; errors: boolean },
    ): Promise<{
      cues: { id: string; startTime: number; endTime: number; text: string }[]
      errors: Error[]
    }>
  }
  return parseText(text, { type, strict: true, errors: true })
}

const Transcript = z.object({
  title: z.string(),
  language: z.string(),
  duration: z.number(),
  engine: z.string(),
  text: z.string(),
  turns: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      speaker: z.string(),
      words: z.array(
        z.object({ text: z.string(), start: z.number(), confidence: z.number().nullable() }),
      ),
    }),
  ),
})
/** A stretch of the sample as a file of its own. */
async function clip(
  name: string,
  { fromSeconds, seconds }: { fromSeconds: number; seconds: number },
): Promise<string> {
  const path = join(folder, name)
  await ffmpeg(['-ss', `${fromSeconds}`, '-t', `${seconds}`, '-i', sample, '-ac', '1', path])
  return path
}
const ffmpeg = (args: string[]) => promisify(execFile)('ffmpeg', ['-v', 'error', ...args])

const isRunning = (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => !/\) Z /.test(stat),
    () => false,
  )

const spoken = async () =>
  (await readFile(fixture('sample.txt'), 'utf8')).replace(/^\w+: /gm, '').replace(/\n/g, ' ')

/** It finds no chapters, and cuts nothing. */
const isWritten = (format: (typeof formatNames)[number]) =>
  ![...chapterFormats, ...cutFormats].includes(format)

describe('the sample', () => {
  test(
    'becomes files beside each other that say the same',
    async () => {
      const formats = formatNames.filter(isWritten)
      const all = [...formats.map((format) => `--${format}`), '--speakers', '2']
      const beginning = () => clip('sample.m4a', { fromSeconds: 0, seconds: 13 })
      const file = isLong ? sample : await beginning()
      const { code, stdout, stderr } = await command([file, ...all, '--out', 'texts'])
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
      expect(stderr).toMatch(
        /: done: \d+ words, 2 speakers, (0:13|1:11) of sound, in sample\.srt and /,
      )
      expect((await readdir(join(folder, 'texts'))).toSorted()).toEqual(
        formats.map((format) => `sample.${endingOf(format)}`).toSorted(),
      )
      const text = (format: string) => readFile(join(folder, 'texts', `sample.${format}`), 'utf8')

      const json = Transcript.parse(JSON.parse(await text('json')))
      expect(json).toMatchObject({ title: 'sample', language: 'en' })
      expect(json.duration).toBeCloseTo(times(13, 71.7), 0)
      const said = isLong ? await spoken() : (await spoken()).slice(0, json.text.length)
      expect(wordErrors(said, json.text).rate).toBeLessThan(times(0.35, 0.25))
      expect(new Set(json.turns.map(({ speaker }) => speaker))).toEqual(
        new Set(['Speaker A', 'Speaker B']),
      )

      for (const format of ['srt', 'vtt'] as const) {
        const { cues, errors } = await readStrictly(await text(format), format)
        expect(errors).toEqual([])
        // The parser silently drops a cue that it cannot read, so they are counted.
        expect(cues).toHaveLength((await text(format)).split(' --> ').length - 1)
        expect(cues.length).toBeGreaterThan(times(2, 10))
        for (const [index, cue] of cues.entries()) {
          if (format === 'srt') expect(cue.id).toBe(String(index + 1))
          expect(cue.endTime).toBeGreaterThan(cue.startTime)
          expect(cue.startTime).toBeGreaterThan(cues[index - 1]?.endTime ?? -1)
        }
        const read = cues.map((cue) => cue.text.replace(/^(Speaker [AB]:\s|<v Speaker [AB]>)/, ''))
        expect(read.join(' ').replaceAll('\n', ' ')).toBe(json.text)
      }
      expect(await text('txt')).toMatch(/^\[00:00:00\] Speaker A\nLast month we decided/)
      expect(await text('md')).toMatch(
        /\n---\n\n# sample\n\nEnglish · (0:13|1:11) · written by .+\n/,
      )
    },
    LONG_MS,
  )
})

describe('several files', () => {
  test('are done one after the other, and one that is missing stops none', async () => {
    await writeFile(join(folder, 'first turn.wav'), await spokenTones(['hello', 'world']))
    await writeFile(join(folder, 'second.wav'), await spokenTones(['this', 'is', 'a', 'test']))
    const files = [join(folder, 'first turn.wav'), 'missing.mp3', 'second.wav']
    const args = [...files, '--json', '--language', 'de-DE']
    const { code, stdout, stderr } = await command(args, { env })
    expect(code).toBe(1)
    const told = stdout.trimEnd().split('\n')
    const texts = told.map((line) => Transcript.parse(JSON.parse(line)))
    expect(texts.map(({ title }) => title)).toEqual(['first turn', 'second'])
    expect(texts.map(({ text }) => text)).toEqual(['Hello world.', 'This is a test.'])
    // An engine that takes a language is told which.
    expect(server.asked.map(({ language }) => language)).toEqual(['de', 'de'])

    const lines = stderr.trimEnd().split('\n')
    expect(lines).toContain('missing.mp3: There is no such file.')
    expect(lines).toContain(`${files[0]}: measuring`)
    expect(lines.at(-1)).toMatch(/^second\.wav: done: 4 words, 1 speaker, 0:0\d of sound$/)
  })

  if (isLong)
    test(
      'that cannot be transcribed are told apart by their reasons',
      async () => {
        await writeFile(join(folder, 'empty.mp3'), '')
        await writeFile(
          join(folder, 'letter.mp3'),
          'Dear all, this is no recording at all.\n'.repeat(9),
        )
        await ffmpeg([
          '-f',
          'lavfi',
          '-i',
          'anullsrc=r=16000',
          '-t',
          '5',
          join(folder, 'quiet.wav'),
        ])
        const files = ['empty.mp3', 'letter.mp3', 'quiet.wav', '.']
        const { code, stdout, stderr } = await command([...files, '--srt'])
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        const ends = files.map((file) =>
          stderr.split('\n').findLast((line) => line.startsWith(`${file}:`)),
        )
        expect(ends).toEqual([
          'empty.mp3: The file is empty.',
          'letter.mp3: This is not a recording that can be read.',
          'quiet.wav: Nobody speaks in this recording.',
          '.: This is not a file.',
        ])
      },
      LONG_MS,
    )
})

describe('on a terminal', () => {
  test(
    'one line is rewritten, never longer than the terminal is wide',
    async () => {
      const file = `${'long '.repeat(12)}name.wav`
      await writeFile(join(folder, file), await spokenTones(['hello', 'world']))
      const { code, stdout, stderr } = await command([file], { env, isTTY: true })
      expect(code).toBe(0)
      expect(stdout).toMatch(/^\[00:00:0\d\] Hello world\.\n$/)
      expect(stderr.split('\n')).toHaveLength(2)
      const [begin, ...shown] = stderr.split('\r\u001B[K')
      expect(begin).toBe('')
      const end = shown.pop()
      expect(shown.length).toBeGreaterThan(2)
      expect(shown.every((line) => line.length < 60)).toBe(true)
      expect(end).toMatch(/name\.wav: done: \d+ words, 1 speaker, 0:0\d of sound\n$/)
    },
    LONG_MS,
  )

  if (isLong)
    test(
      'Ctrl+C ends everything it started and leaves nothing behind',
      async () => {
        const script = join(import.meta.dirname, 'transcribe.ts')
        const child = spawn(process.execPath, [script, sample], {
          env: { ...process.env, TMPDIR: folder, TRANSCRIBER: 'pocketsphinx' },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        const exit = once(child, 'exit')
        let said = ''
        child.stderr.on('data', (piece) => (said += String(piece)))
        let started = await descendantsOf(child.pid!)
        while (!started.some(({ name }) => name.startsWith('pocketsphinx'))) {
          expect(child.exitCode).toBe(null)
          await setTimeout(20)
          started = await descendantsOf(child.pid!)
        }
        child.kill('SIGINT')
        expect(await exit).toEqual([130, null])
        expect(said).toMatch(/\/sample\.m4a: stopped\n$/)
        for (const { pid } of started) await expect.poll(() => isRunning(pid)).toBe(false)
        expect(await readdir(folder)).toEqual([])
      },
      LONG_MS,
    )
})

/** Each is a process of its own, so `npm test` takes every third. */
const wrong: [args: string[], sentence: string][] = [
  [['--loud', 'a.mp3'], "Unknown option '--loud'. --help lists what there is."],
  [[], 'Say which file to transcribe.'],
  [['a.mp3', '--json', '--srt'], '--srt and --json cannot both go to stdout.'],
  [['a.mp3', '--pdf'], '--pdf cannot go to stdout. Say --out DIR for a file.'],
  [['a.mp3', '--speakers', 'two'], '--speakers two is not a number from 1 to 50.'],
  [['a.mp3', '--speakers', '0'], '--speakers 0 is not a number from 1 to 50.'],
  [['a.mp3', '--speakers'], "Option '--speakers <value>' argument missing."],
  [['a.mp3', '--language', 'de'], ' understands only en.'],
  [['a.mp3', '--language', 'x!'], '--language x! is not a language code such as en or de.'],
  [['a/b.mp3', 'c/b.wav', '--out', 'o'], 'a/b.mp3 and c/b.wav would both be written to b.txt.'],
  [['a.mp3', '--out', 'taken'], `/taken cannot be made: `],
]

describe('wrong usage', () => {
  test.each(wrong.filter((_, at) => at % times(3, 1) === 0))(
    '%j is said plainly',
    async (args, sentence) => {
      await writeFile(join(folder, 'taken'), '')
      const { code, stdout, stderr } = await command(args)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(sentence)
    },
  )

  test('asking for help is none', async () => {
    const { code, stdout, stderr } = await command(['-h'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Exit codes:')
    for (const format of formatNames)
      expect([format, stdout.includes(`  --${format} `)]).toEqual([format, isWritten(format)])
  })
})
