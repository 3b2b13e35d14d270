/**
 * Shortens the list of exports of drizzle-orm, without changing what it says.
 *
 * Node parses the package.json of a package anew for each of its modules that is loaded. Drizzle's is
 * 180 KB long, and some 150 of its modules are loaded by a start of the server and by each thread
 * with a database: it took half of the start and 150 MB. One pattern says what 384 of its 447
 * entries say.
 *
 * Plain JavaScript without dependencies, because set-up runs on any Node from 20.19.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What most entries look like, with `*` where the name of the module stands. */
const PATTERN = {
  import: { types: './*.d.ts', default: './*.js' },
  require: { types: './*.d.cts', default: './*.cjs' },
  types: './*.d.ts',
  default: './*.js',
}

/** Answers whether there was something to shorten in this `node_modules`. */
export function shortenDrizzle(nodeModules) {
  const path = join(nodeModules, 'drizzle-orm', 'package.json')
  if (!existsSync(path)) return false
  const { exports, ...described } = JSON.parse(readFileSync(path, 'utf8'))
  if ('./*' in exports) return false
  const saysMore = ([name, entry]) =>
    JSON.stringify(entry) !== JSON.stringify(PATTERN).replaceAll('./*', name)
  const shorter = Object.fromEntries(Object.entries(exports).filter(saysMore))
  // Written beside it first: a package that is being read, or an interrupted write, is whole.
  const whole = { ...described, exports: { ...shorter, './*': PATTERN } }
  writeFileSync(`${path}.new`, JSON.stringify(whole, null, 2))
  renameSync(`${path}.new`, path)
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) shortenDrizzle('node_modules')
