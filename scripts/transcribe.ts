/**
 * `npm run transcribe -- FILE…`: recordings become text without a server, by the same pipeline.
 * Progress goes to stderr and the text to stdout, or into a folder; `--help` tells the rest.
 */
import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { ExportQuery } from '#features/exports/contract.ts'
import { fileOf } from '#features/exports/file-of.ts'
import {
  type ExportFormatName,
  chapterFormats,
  cutFormats,
  endingOf,
  exportFormats,
  formatNames,
} from '#features/exports/formats.ts'
import type { Source } from '#features/exports/source.ts'
import { placesOf } from '#features/models/models.ts'
import { progressLine } from '#features/models/progress.ts'
import { measure } from '#features/sound/decode.ts'
import { confinement } from '#features/sound/sandbox/sandbox.ts'
import { sidesMeter } from '#features/sound/sides.ts'
import { stampIn } from '#features/sound/stamp.ts'
import { MOST_SPEAKERS, type SpeakerBounds, speakerBounds } from '#features/speech/contract.ts'
import type { Engine } from '#features/speech/engines/engine.ts'
import {
  chooseEngine,
  type Progress,
  sidesHeard,
  type StageStore,
  transcribe,
  type TranscribeResult,
} from '#features/speech/speech.ts'
import { ConfigError, readConfig } from '#server/config.ts'
import { loadSettingsFile } from '#server/settings-file.ts'
import { MAX_DURATION_HOURS } from '#shared/business.ts'
import { exportFileName } from '#shared/file-names.ts'
import { formatTime } from '#shared/format.ts'

/** A run finds no chapters. */
const formats = formatNames.filter((format) => ![...chapterFormats, ...cutFormats].includes(format))
type Format = ExportFormatName

/** Formats that are drawn or packed are no text for a terminal. */
const isText = (format: Format): boolean => exportFormats[format].type.includes('charset=')

const help = `Transcribes recordings: what is said, and who says it.

  npm run -s transcribe -- FILE… [--FORMAT] [--language CODE] [--speakers N] [--out DIR]

${formats.map((format) => `  ${`--${format}`.padEnd(17)}${exportFormats[format].what}`).join('\n')}
                   Without a format you get --txt. Several files give one object of --json per line.

  --language CODE  the language that is spoken, such as en; else the engine decides
  --speakers N     how many people speak, or max:N for at most so many; else it is found out
  --out DIR        writes files into DIR, named after the recordings, in place of stdout;
                   then several formats may be asked for at once
  --help           this text

Progress goes to stderr, the text to stdout. -s keeps npm's own lines out of it.
TRANSCRIBER chooses the engine, as it does for the server.

Exit codes:
    0  every file is done
    1  a file failed, or no engine is installed; stderr says why, and the other files are done
    2  wrong usage; nothing was done
  130  stopped with Ctrl+C
`

const UNSANDBOXED =
  'Warning: this system allows no namespaces, so recordings are read without a sandbox. Take only files that you trust.\n'

export interface Io {
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown; isTTY?: boolean; columns?: number }
  env: NodeJS.ProcessEnv
  /** The folder that relative paths start from. */
  cwd: string
  signal: AbortSignal
}

/** Runs the command and answers its exit code. It writes errors to stderr. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const wish = read(argv, io.cwd)
    if (wish === null) {
      io.stdout.write(help)
      return 0
    }
    const engine = await openEngine(io)
    checkLanguage(wish, engine)
    if ((await confinement()) === 'unsandboxed') io.stderr.write(UNSANDBOXED)
    if (wish.out !== null) await prepare(wish.out, wish)
    try {
      return await transcribeAll({ ...wish, engine }, io)
    } finally {
      await engine.close?.()
    }
  } catch (error) {
    if (!(error instanceof Usage || error instanceof ConfigError || error instanceof NoEngine))
      throw error
    io.stderr.write(`${error.message}\n`)
    return error instanceof NoEngine ? 1 : 2
  }
}

/** The command line is wrong. */
class Usage extends Error {}

/** No engine is available; the message names a package to install or a setting. */
class NoEngine extends Error {}

async function openEngine(io: Io): Promise<Engine> {
  const { speech, dataDir } = readConfig(io.env)
  try {
    return await chooseEngine({
      ...speech,
      modelsDir: placesOf(dataDir),
      onBroken: ({ id, reason }) =>
        io.stderr.write(`The speech model ${id} cannot be used: ${reason}\n`),
    })
  } catch (error) {
    throw new NoEngine(messageOf(error), { cause: error })
  }
}

interface Wish {
  /** The files: each as it was typed, and its absolute path. */
  files: { name: string; path: string }[]
  formats: Format[]
  language: string | null
  speakers: SpeakerBounds
  out: string | null
}

/** Null when help was asked for. */
function read(argv: readonly string[], cwd: string): Wish | null {
  const { values, positionals } = parse(argv)
  if (values.help) return null
  if (positionals.length === 0) throw new Usage(`Say which file to transcribe.\n\n${help}`)

  const flags = new Map(Object.entries(values))
  const wanted = formats.filter((format) => flags.get(format) === true)
  if (wanted.length > 1 && values.out === undefined)
    throw new Usage(
      `--${wanted.join(' and --')} cannot both go to stdout. Choose one, or say --out DIR for a file each.`,
    )
  const drawn = wanted.find((format) => !isText(format))
  if (drawn !== undefined && values.out === undefined)
    throw new Usage(`--${drawn} cannot go to stdout. Say --out DIR for a file.`)
  return {
    files: positionals.map((name) => ({ name, path: resolve(cwd, name) })),
    formats: wanted.length > 0 ? wanted : ['txt'],
    language: values.language === undefined ? null : languageOf(values.language),
    speakers: boundsOf(values.speakers ?? 'auto'),
    out: values.out === undefined ? null : resolve(cwd, values.out),
  }
}

function parse(argv: readonly string[]) {
  const flag = { type: 'boolean' } as const
  const value = { type: 'string' } as const
  const flags = Object.fromEntries(formats.map((format) => [format, flag]))
  const options = {
    ...flags,
    help: { ...flag, short: 'h' },
    language: value,
    speakers: value,
    out: value,
  } as const
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Shows Node's first sentence, which names the mistake. The rest does not fit this command.
    const [what = ''] = error.message.split(/(?<=')\. |\n/)
    throw new Usage(`${what.replace(/\.$/, '')}. --help lists what there is.`, { cause: error })
  }
}

function languageOf(code: string): string {
  try {
    return new Intl.Locale(code).language
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Usage(`--language ${code} is not a language code such as en or de.`, { cause: error })
  }
}

function boundsOf(text: string): SpeakerBounds {
  const bounds = speakerBounds(text)
  if (!bounds) throw new Usage(`--speakers ${text} is not a number from 1 to ${MOST_SPEAKERS}.`)
  return bounds
}

/**
 * Makes the folder and checks that each output has a name of its own. It does so before the work,
 * which may take hours.
 */
async function prepare(out: string, { files, formats }: Wish): Promise<void> {
  const [format = 'txt'] = formats
  const owners = new Map<string, string>()
  for (const { name } of files) {
    const target = exportFileName(basename(name), endingOf(format))
    const other = owners.get(target)
    if (other !== undefined)
      throw new Usage(
        `${other} and ${name} would both be written to ${target}. Rename one of them.`,
      )
    owners.set(target, name)
  }
  try {
    await mkdir(out, { recursive: true })
  } catch (error) {
    throw new Usage(`The folder ${out} cannot be made: ${messageOf(error)}.`, { cause: error })
  }
}

function checkLanguage({ language }: Wish, { name, capabilities: { languages } }: Engine): void {
  if (language !== null && languages !== null && !languages.includes(language))
    throw new Usage(
      `--language ${language} is not possible: the engine ${name} understands only ${languages.join(', ')}.`,
    )
}

async function transcribeAll(wish: Wish & { engine: Engine }, io: Io): Promise<number> {
  const { files, formats, out } = wish
  const isCaptions = formats.includes('srt') || formats.includes('vtt')
  if (out === null && isCaptions && files.length > 1)
    io.stderr.write(
      'The captions of each file follow each other on stdout; --out DIR writes a file each.\n',
    )
  const workDir = await mkdtemp(join(tmpdir(), 'quoth-transcribe-'))
  let failed = 0
  try {
    for (const [index, file] of files.entries()) {
      const line = statusLine(file.name, io)
      const folder = join(workDir, String(index))
      try {
        const told = await transcribeOne({ ...wish, file, workDir: folder }, line, io.signal)
        if (told.kind === 'failed') {
          failed += 1
          line.end(told.reason)
        } else if (out !== null) {
          const names = await save(told, { formats, out })
          line.end(`${told.summary}, in ${names.join(' and ')}`)
        } else {
          // The status line is ended first, because on a terminal both streams write to the same
          // line.
          line.end(told.summary)
          await print(told, { ...wish, name: file.name, isFirst: index === 0 }, io)
        }
      } catch (error) {
        if (io.signal.aborted) {
          line.end('stopped')
          return STOPPED
        }
        // After a failure, such as a program that crashed, the next files are still tried.
        failed += 1
        line.end(`It failed: ${messageOf(error)}`)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
  return failed > 0 ? 1 : 0
}

/** The exit code that shells give to a program that was ended with Ctrl+C. */
const STOPPED = 130

interface Told {
  kind: 'told'
  source: Source
  summary: string
}

async function transcribeOne(
  {
    file,
    workDir,
    engine,
    language,
    speakers,
  }: Wish & { engine: Engine; file: Wish['files'][number]; workDir: string },
  line: ReturnType<typeof statusLine>,
  signal: AbortSignal,
): Promise<Told | { kind: 'failed'; reason: string }> {
  const missing = await whyUnreadable(file.path)
  if (missing !== null) return { kind: 'failed', reason: missing }

  line.show('measuring')
  const pairs = sidesMeter()
  const measured = await measure(file.path, {
    signal,
    onPairs: pairs.listen,
    maxDurationMs: MAX_DURATION_HOURS * 3_600_000,
  })
  if (measured.kind === 'refused') return { kind: 'failed', reason: reasons[measured.reason] }
  const said = await transcribe(
    {
      path: file.path,
      workDir,
      engine,
      language,
      onProblem: (error) => line.show(`going on in spite of a problem: ${messageOf(error)}`),
      speakers,
      sides: sidesHeard(pairs.finish(), speakers),
    },
    inMemory(),
    (progress) => line.show(sentence(progress)),
    signal,
  )
  if (said.kind === 'refused') return { kind: 'failed', reason: reasons[said.reason] }

  const { turns, language: spoken, engine: engineName } = said
  const { durationMs } = measured
  const words = turns.reduce((count, turn) => count + turn.words.length, 0)
  const voices = new Set(turns.map(({ speaker }) => speaker)).size
  return {
    kind: 'told',
    source: {
      originalName: basename(file.name),
      createdAt: (await stat(file.path)).mtime,
      recordedAt: stampIn(measured.tags),
      language: spoken,
      translation: null,
      durationMs,
      engine: engineName,
      said: turns,
      spoken: turns,
      names: new Map(),
      chapters: [],
      summary: nothingWritten,
    },
    summary: `done: ${counted(words, 'word')}, ${counted(voices, 'speaker')}, ${formatTime(durationMs / 1000)} of sound`,
  }
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

async function whyUnreadable(path: string): Promise<string | null> {
  try {
    await access(path, constants.R_OK)
    return (await stat(path)).isFile() ? null : 'This is not a file.'
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? 'There is no such file.' : `The file cannot be read: ${messageOf(error)}.`
  }
}

const reasons: Record<Extract<TranscribeResult, { kind: 'refused' }>['reason'], string> = {
  empty_file: 'The file is empty.',
  not_media: 'This is not a recording that can be read.',
  cut_off: 'The file is incomplete: its end is missing.',
  no_audio: 'The file has no sound that can be read.',
  too_long: `The recording is longer than ${MAX_DURATION_HOURS} hours.`,
  too_costly: 'The file has far more samples or channels than a recording of speech.',
  other_language:
    'Most of this does not sound like the language that the engine knows. --language en says that it is, and npm run models -- list shows models for others.',
  too_slow: 'Reading the file took more time than a recording of its size may take.',
  reading_stalled:
    'Reading it made no headway and was given up. Try it again; or save it as MP3 or WAV.',
  no_speech: 'Nobody speaks in this recording.',
  no_words: 'Somebody seems to speak in this recording, but the engine understood no words.',
  unreadable_audio: 'The engine cannot read the sound of this recording.',
}

/** Keeps stages in memory, because this command never continues an earlier run. */
function inMemory(): StageStore {
  const kept = new Map<string, string>()
  return {
    get: async <T>(name: string) => JSON.parse(kept.get(name) ?? 'null') as T | null,
    put: async (name, value) => void kept.set(name, JSON.stringify(value)),
  }
}

/** No summary is written here. */
const nothingWritten: Source['summary'] = {
  heading: '',
  summary: null,
  keyPoints: [],
  keyPointTimes: [],
  actionItems: [],
  topics: [],
  summaryNote: null,
}

const written = ({ source }: Told, format: Format) =>
  fileOf(source, ExportQuery.parse({ format, doubt: 'false' }))

/** Writes a file for each format, and answers their names. */
async function save(
  told: Told,
  { formats, out }: { formats: readonly Format[]; out: string },
): Promise<string[]> {
  const names: string[] = []
  for (const format of formats) {
    const { name, content } = await written(told, format)
    await writeFile(join(out, name), content)
    names.push(name)
  }
  return names
}

async function print(
  told: Told,
  { name, files, formats, isFirst }: Wish & { name: string; isFirst: boolean },
  { stdout }: Io,
): Promise<void> {
  const [format = 'txt'] = formats
  const text = String((await written(told, format)).content)
  const isSeveral = files.length > 1
  if (isSeveral && format === 'json') {
    stdout.write(`${JSON.stringify(JSON.parse(text))}\n`)
    return
  }
  // Only plain text needs a heading: the other formats show by themselves where a file begins.
  const heading = isSeveral && format === 'txt' ? `== ${name} ==\n\n` : ''
  const space = isFirst || format === 'srt' ? '' : '\n'
  stdout.write(space + heading + text)
}

function sentence(progress: Progress): string {
  switch (progress.kind) {
    case 'analyzing_format':
      return 'decoding'
    case 'converting_video':
      return 'taking the sound out of the video'
    case 'converting_opus':
      return 'decoding Opus'
    case 'splitting':
      return 'looking for speech'
    case 'checking_size':
      return 'cutting at pauses'
    case 'sending':
    case 'chunks':
      return 'listening'
    case 'chunk': {
      const share = Math.floor((10 * progress.done) / progress.total) * 10
      return `listening, ${share} %`
    }
  }
}

/** The messages about a file: its progress, in a line that is rewritten on a terminal, and its end. */
function statusLine(name: string, { stderr }: Io) {
  const line = progressLine(stderr)
  const plainName = name.replace(/\p{Cc}/gu, '?')
  return {
    show: (what: string) => line.show({ step: `${plainName}: ${what}` }),
    end(what: string) {
      line.end()
      stderr.write(`${plainName}: ${what}\n`)
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

if (import.meta.main) {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => stop.abort(new Error(`stopped by ${name}`)))
  // The program that read the output has ended (`… | head`), so the work stops.
  process.stdout.on('error', (error) => stop.abort(error))
  // The work goes on when the reader of its progress has gone.
  process.stderr.on('error', () => undefined)
  loadSettingsFile()
  const { npm_lifecycle_event: script, INIT_CWD: calledFrom } = process.env
  process.exitCode = await run(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    // npm runs scripts in the folder of package.json, so relative paths start where npm was called.
    cwd: script === 'transcribe' && calledFrom ? calledFrom : process.cwd(),
    signal: stop.signal,
  })
}
