/** What a page of the app loads before it can be used, out of the files that were built. */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

export interface Built {
  /** Sum of these files, gzipped, in bytes. */
  weightOf: (files: Iterable<string>) => number
  /** The files of a screen: the app's first script, and these parts with all they import at once. */
  filesOf: (...parts: string[]) => Set<string>
  /** The file of a part, by the name of its source. */
  fileOf: (part: string) => string
  /** Names of built files, for parts that are loaded when they are needed. */
  names: string[]
  withImports: (files: Iterable<string>) => Set<string>
}

export function readBuilt(clientDir: string): Built {
  const assets = path.join(clientDir, 'assets')
  const names = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const shell = readFileSync(path.join(clientDir, '__spa-fallback.html'), 'utf8')
  const first = [...shell.matchAll(/<script\b[^>]*\ssrc="\/assets\/([^"]+)"/g)].map(
    ([, name = '']) => name,
  )
  if (first.length === 0)
    throw new Error(`${clientDir} starts no app: build the browser side first`)

  const sources = new Map(
    names.map((name) => [name, readFileSync(path.join(assets, name), 'utf8')] as const),
  )
  const sizes = new Map([...sources].map(([name, code]) => [name, gzipSync(code).length] as const))

  const withImports = (files: Iterable<string>): Set<string> => {
    const all = new Set<string>()
    const wanted = [...files].map((file) => path.basename(file))
    for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
      const code = sources.get(name)
      if (code === undefined || all.has(name)) continue
      all.add(name)
      wanted.push(...importsOf(code))
    }
    return all
  }
  const fileOf = (part: string): string => {
    // Of two files with one name, the small one only imports the other: the build adds it.
    const [largest] = names
      .filter((name) => name.startsWith(`${part}-`) && name.length === part.length + HASH)
      .sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
    if (largest === undefined) throw new Error(`no part ${part} among ${names.join(', ')}`)
    return largest
  }
  return {
    names,
    withImports,
    fileOf,
    filesOf: (...parts) => withImports([...first, ...parts.map(fileOf)]),
    weightOf: (files) =>
      [...files].reduce((sum, name) => sum + (sizes.get(path.basename(name)) ?? 0), 0),
  }
}

/** `-`, eight letters and `.js`. */
const HASH = 12

/** Only what is imported at once: `import()` is loaded when it is needed. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"()]*?["']\.\/([^"']+)["']/g)].map(
    ([, name = '']) => name,
  )
}
