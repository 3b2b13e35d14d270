/** The programs of the system that the pipeline needs: where they are, and what to install. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Where programs are installed: by hand, by the distribution, and by Homebrew on a Mac. */
const prefixes = ['/usr/local', '/usr', '/', '/opt/homebrew']
export const standardFolders = prefixes.map((prefix) => join(prefix, 'bin'))
/** Where the files of a program can lie. */
export const sharedFolders = (name: string): string[] =>
  prefixes.map((prefix) => join(prefix, 'share', name))
const packages: Readonly<Record<string, string>> = {
  ffmpeg: 'ffmpeg',
  pocketsphinx_batch: 'pocketsphinx',
  'pocketsphinx model': 'pocketsphinx-en-us',
}

/** Something the pipeline needs is not on this machine; the message says what to install. */
export class MissingProgram extends Error {
  constructor(names: readonly string[]) {
    const wanted = names.map((name) => packages[name] ?? name).join(' ')
    super(
      `${names.join(' and ')} ${names.length === 1 ? 'was' : 'were'} not found on this machine. ` +
        `On Debian or Ubuntu: sudo apt install ${wanted}`,
    )
    this.name = 'MissingProgram'
  }
}

const found = new Map<string, Promise<string | null>>()

/** The absolute path of a program on the PATH, or null. One that was found is not looked for again. */
export async function findProgram(name: string): Promise<string | null> {
  const search = found.get(name) ?? lookUp(name)
  found.set(name, search)
  const path = await search
  // Someone may install it while the server runs.
  if (path === null) found.delete(name)
  return path
}

async function lookUp(name: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('which', [name])
    return stdout.trim() || null
  } catch (error) {
    // `which` answers 1 for "not there"; only without `which` itself the usual folders are read.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null
  }
  for (const folder of standardFolders) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return null
}

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** @throws MissingProgram */
export async function needProgram(name: string): Promise<string> {
  const path = await findProgram(name)
  if (path === null) throw new MissingProgram([name])
  return path
}
