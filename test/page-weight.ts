/** What a page of the app loads before it can be used, out of the files that were built. */
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

interface BuiltRoute {
  id: string
  parentId?: string
  module: string
  imports?: string[]
}

interface Manifest {
  entry: { module: string; imports: string[] }
  routes: Record<string, BuiltRoute>
  url: string
}

export interface Built {
  manifest: Manifest
  /** Sum of these files and of all they import at once, gzipped, in bytes. */
  weightOf: (files: Iterable<string>) => number
  /** The files of a route, with its layouts, the entry and the root. */
  filesOf: (routeId: string) => Set<string>
  /** Names of built files, for parts that are loaded when they are needed. */
  names: string[]
  withImports: (files: Iterable<string>) => Set<string>
}

export function readBuilt(clientDir: string): Built {
  const assets = path.join(clientDir, 'assets')
  const names = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const manifestName = names.find((name) => name.startsWith('manifest-'))
  if (!manifestName) throw new Error(`${assets} has no manifest: build the browser side first`)
  const manifest = JSON.parse(
    readFileSync(path.join(assets, manifestName), 'utf8')
      .replace(/^window\.__reactRouterManifest\s*=\s*/, '')
      .replace(/;\s*$/, ''),
  ) as Manifest

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
  const filesOf = (routeId: string): Set<string> => {
    const files = [manifestName, manifest.entry.module, ...manifest.entry.imports]
    for (let id: string | undefined = routeId; id !== undefined;) {
      const route: BuiltRoute | undefined = manifest.routes[id]
      if (!route) throw new Error(`no route ${id} among ${Object.keys(manifest.routes).join(', ')}`)
      files.push(route.module, ...(route.imports ?? []))
      id = route.parentId
    }
    return withImports(files)
  }
  return {
    manifest,
    names,
    withImports,
    filesOf,
    weightOf: (files) =>
      [...files].reduce((sum, name) => sum + (sizes.get(path.basename(name)) ?? 0), 0),
  }
}

/** Only what is imported at once: `import()` is loaded when it is needed. */
function importsOf(code: string): string[] {
  return [...code.matchAll(/(?:^|[;}\n])\s*(?:import|export)\b[^'"()]*?["']\.\/([^"']+)["']/g)].map(
    ([, name = '']) => name,
  )
}
