/**
 * Adds to package-lock.json the entries that npm left out: packages of other platforms that the
 * registry in use does not carry. npm install then leaves them unlisted, and npm ci refuses a
 * lockfile in which an optional package is missing, on every platform.
 *
 *   node scripts/complete-lockfile.ts        after adding or updating a dependency
 *
 * The entries say for which system a package is, so that it is passed over everywhere else.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { z } from 'zod'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))

const Entry = z.looseObject({
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const Lockfile = z.looseObject({ packages: z.record(z.string(), Entry) })
const AnyObject = z.record(z.string(), z.unknown())
type Packages = z.output<typeof Lockfile>['packages']

export interface Missing {
  /** Where the package that asks for it stands in the lockfile. */
  by: string
  name: string
  version: string
}

export function missingFrom(lockfile: unknown): Missing[] {
  const { packages } = Lockfile.parse(lockfile)
  return Object.entries(packages).flatMap(([by, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isThere(packages, by, name))
      .map(([name, version]) => ({ by, name, version })),
  )
}

/** Whether Node would find the package: beside the one that asks, then in every folder above. */
function isThere(packages: Packages, by: string, name: string): boolean {
  for (
    let folder = by;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
  ) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true
    if (folder === '') return false
  }
}

const systems = ['linux', 'darwin', 'win32', 'android', 'freebsd', 'openharmony']
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32']

/** The entry of a package, read from its name: NAME-SYSTEM-PROCESSOR-LIBRARY. */
function entryFor({ name, version }: Missing, isDev: boolean): Record<string, unknown> {
  const words = name.split(/[-/]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((processor) => words.includes(processor))
  if (
    !/^\d+\.\d+\.\d+/.test(version) ||
    cpu.length !== 1 ||
    (os.length !== 1 && cpu[0] !== 'wasm32')
  ) {
    throw new Error(`no system can be read from ${name} ${version}: add it by hand`)
  }
  const libc = words.some((word) => word.startsWith('musl')) ? { libc: ['musl'] } : {}
  return {
    version,
    cpu,
    ...(isDev ? { dev: true } : {}),
    ...libc,
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  }
}

async function main(): Promise<void> {
  const text = await readFile(path, 'utf8')
  const { packages } = Lockfile.parse(JSON.parse(text))
  const missing = missingFrom(JSON.parse(text))

  // Written from npm's own text and not from the parsed object, which would lose npm's order of
  // keys.
  const lockfile = AnyObject.parse(JSON.parse(text))
  const [root, ...others] = Object.entries(AnyObject.parse(lockfile['packages']))
  const added = missing.map((each): [string, unknown] => [
    `node_modules/${each.name}`,
    entryFor(each, packages[each.by]?.dev === true),
  ])
  const sorted = [...others, ...added].sort(([a], [b]) => a.localeCompare(b, 'en'))
  lockfile['packages'] = Object.fromEntries(root ? [root, ...sorted] : sorted)
  await writeFile(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`${missing.length} packages of other platforms added`)
}

if (import.meta.main) await main()
