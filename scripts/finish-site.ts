/**
 * Finishes the build of the browser side, at the end of `react-router build`. It moves the app's
 * shell to its place, and writes down which screens get it. It makes a preview picture for each page,
 * sitemap.xml, robots.txt, and a compressed copy of every file that gets smaller. It reads only the
 * HTML of the pages, so a new page needs nothing but its own head.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { type Font, openFont } from '../src/server/fonts.ts'
import {
  INNER,
  MARGIN,
  colours,
  letters,
  mark,
  pictureOf,
  widthOf,
} from '../src/server/preview-picture.ts'
import { BRAND, TAGLINE } from '../src/shared/business.ts'
import { bars } from '../src/shared/format.ts'
import { unescapeHtml } from '../src/shared/html.ts'

/** Replaced by the server with its PUBLIC_URL (see src/server/pages.ts). */
const ORIGIN = '__PUBLIC_URL__'

interface BuiltPage {
  path: string
  title: string
  image: string
  /** The date of publication; null where the page has none. */
  published: string | null
}

export async function finishSite(
  buildDir: string,
  { shellPath, screens }: { shellPath: string; screens: readonly string[] },
): Promise<void> {
  const dir = join(buildDir, 'client')
  await rename(join(dir, shellPath, 'index.html'), join(dir, '__spa-fallback.html'))
  await rmdir(join(dir, shellPath))
  await writeFile(join(dir, '__screens.json'), JSON.stringify(screens))
  // The server build was only needed to write the pages.
  await rm(join(buildDir, 'server'), { recursive: true, force: true })
  const documents = (await readdir(dir, { recursive: true })).filter((name) =>
    name.endsWith('index.html'),
  )
  await moveScript(dir, join(dir, 'templates/share/index.html'))
  const pages = await readPages(dir, documents)
  await drawImages(dir, pages)
  await writeFile(join(dir, 'sitemap.xml'), sitemap(pages))
  await writeFile(join(dir, 'robots.txt'), robots)
  await compressFiles(dir)
}

/** Shared pages are made for each reader, so their script is a file that browsers keep. */
async function moveScript(dir: string, file: string): Promise<void> {
  const html = await readFile(file, 'utf8')
  const [open, close] = ['<script>', '</script>']
  const from = html.lastIndexOf(open)
  const to = html.indexOf(close, from)
  if (from === -1 || to === -1) throw new Error(`${file} has no script at its end`)
  const code = html.slice(from + open.length, to)
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8)
  const name = `assets/share-player-${hash}.js`
  await writeFile(join(dir, name), code)
  const link = `<script src="/${name}" defer="">${close}`
  await writeFile(file, html.slice(0, from) + link + html.slice(to + close.length))
}

/** The pages for search engines: those with a canonical address. */
async function readPages(dir: string, names: string[]): Promise<BuiltPage[]> {
  const pages = await Promise.all(
    names.map(async (name) => readPage(await readFile(join(dir, name), 'utf8'))),
  )
  return pages
    .filter((page) => page !== null)
    .toSorted((a, b) => a.path.length - b.path.length || (a.path < b.path ? -1 : 1))
}

function readPage(html: string): BuiltPage | null {
  const find = (pattern: RegExp) => pattern.exec(html)?.[1] ?? null
  const canonical = find(/<link rel="canonical" href="([^"]+)"/)
  const title = find(/<meta property="og:title" content="([^"]+)"/)
  const image = find(/<meta property="og:image" content="([^"]+)"/)
  if (!canonical || !title || !image) return null
  return {
    path: canonical.slice(ORIGIN.length),
    title: unescapeHtml(title),
    image: image.slice(ORIGIN.length),
    published: find(/<meta property="article:published_time" content="([^"]+)"/),
  }
}

// ---- preview pictures ----

const require = createRequire(import.meta.url)
const TITLE_PX = 72

async function drawImages(dir: string, pages: BuiltPage[]): Promise<void> {
  const open = async (file: string) => openFont(await readFile(require.resolve(file)), file)
  const display = await open('@fontsource/besley/files/besley-latin-600-normal.woff2')
  const body = await open(
    '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
  )
  for (const { path, title, image } of pages) {
    const file = join(dir, image)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, previewOf({ path, title, display, body }))
  }
}

function previewOf({
  path,
  title,
  display,
  body,
}: {
  path: string
  title: string
  display: Font
  body: Font
}): Uint8Array {
  // The picture shows the name of the product below, so the title need not repeat it.
  const words = title.replace(` · ${BRAND}`, '')
  const lines = wrap(display, words, TITLE_PX, INNER)
  const text = lines
    .map((line, index) =>
      letters(display, line, { x: MARGIN, y: 150 + index * 84, px: TITLE_PX, fill: colours.ink }),
    )
    .join('')
  return pictureOf(
    text,
    wave(path),
    mark(MARGIN, 548),
    letters(display, BRAND, { x: MARGIN + 58, y: 585, px: 40, fill: colours.ink }),
    letters(body, TAGLINE, { x: 330, y: 584, px: 28, fill: colours.quiet }),
  )
}

const BARS = 104
const PLAYED = 0.42

/** The page's own wave across the lower third. */
function wave(seed: string): string {
  const slot = INNER / BARS
  const middle = 440
  const drawn = bars(seed, BARS).map((value, index) => {
    const tall = Math.max(5, value * 130)
    const fill = (index + 0.5) / BARS < PLAYED ? colours.ink : colours.bar
    return `<rect x="${(MARGIN + index * slot + slot / 2 - 2.75).toFixed(1)}" y="${(middle - tall / 2).toFixed(1)}" width="5.5" height="${tall.toFixed(1)}" rx="2.75" fill="${fill}"/>`
  })
  const x = MARGIN + PLAYED * INNER
  return `${drawn.join('')}<path d="M${x} ${middle - 82}V${middle + 82}" stroke="${colours.playhead}" stroke-width="4" stroke-linecap="round"/><circle cx="${x}" cy="${middle - 82}" r="8" fill="${colours.playhead}"/>`
}

function wrap(font: Font, text: string, px: number, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOf(font, longer, px) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

// ---- for search engines ----

function sitemap(pages: BuiltPage[]): string {
  const entries = pages.map(({ path, published }) => {
    const changed = published ? `<lastmod>${published}</lastmod>` : ''
    return `  <url><loc>${ORIGIN}${path}</loc>${changed}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</urlset>
`
}

// With the slash, because /api itself is a page that may be found.
const robots = `User-agent: *
Disallow: /api/

Sitemap: ${ORIGIN}/sitemap.xml
`

// ---- compression ----

const WORTH_IT = /\.(js|css|svg|webmanifest|json)$/
const MIN_BYTES = 1024

async function compressFiles(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  for (const name of names.filter((file) => WORTH_IT.test(file))) {
    const file = join(dir, name)
    if ((await stat(file)).size < MIN_BYTES) continue
    const content = await readFile(file)
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    }
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params }))
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  }
}
