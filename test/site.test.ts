/** The public pages as they were built: their content, their weight, and their links. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { type Page, readSite } from '#server/pages.ts'
import type { Capabilities } from '#shared/capabilities.ts'
import { unescapeHtml } from '#shared/html.ts'
import { everything } from '#test/promises.ts'

const dir = fileURLToPath(new URL('../build/client', import.meta.url))
const site = await readSite(dir, { publicUrl: new URL('https://quoth.example'), isLocal: false })
if (!site) throw new Error('the browser side is not built: npm run build')

const sent = (page: Page, can: Capabilities) => page.bodyFor({ mayBeSignedIn: false, can }).html
const pages = [...site.prerendered].map(([path, page]) => ({
  path,
  html: sent(page, everything),
}))
const named = new Map(pages.map(({ path, html }) => [path, html]))
const findable = pages.filter(({ html }) => !html.includes('content="noindex"'))

const KB = 1024
const gzipped = (content: string | Buffer) => gzipSync(content, { level: 9 }).length
const fileOf = (path: string) => readFileSync(join(dir, path))
const all = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found = '']) => unescapeHtml(found))

const articles = [
  '/blog/podcast-seo-transcription',
  '/blog/professional-interview-transcription',
  '/blog/meeting-transcription-vs-note-taking',
  '/blog/video-transcription-content-marketing',
  '/blog/legal-transcription-requirements',
  '/blog/medical-transcription-accuracy',
]
const publicRoutes = [
  '/',
  '/features',
  '/pricing',
  '/faq',
  '/contact',
  '/api',
  '/blog',
  ...articles,
  '/privacy',
  '/terms',
]
const appRoutes = [
  '/auth',
  '/home',
  '/dashboard',
  '/subscribe',
  '/upgrade',
  '/subscription-success',
]

test('every public page is written to HTML, and every other screen is the app', () => {
  expect(pages.map(({ path }) => path).toSorted()).toEqual(publicRoutes.toSorted())
  expect([...site.screens]).toEqual(expect.arrayContaining(appRoutes))
})

describe.each(pages)('$path', ({ path, html }) => {
  test('is complete without a script: one heading, a main part, a footer', () => {
    expect(all(html, /<(h1)\b/g)).toHaveLength(1)
    expect(html).toMatch(/<main id="main"[\s\S]*<\/main>/)
    expect(html).toContain('<footer')
    expect(html).toMatch(/<html[^>]* lang="en"/)
  })

  test('loads nothing from anywhere else', () => {
    const loaded = [
      ...all(html, /<(?:script|img|audio|source|iframe)\b[^>]*\ssrc="([^"]+)"/g),
      ...all(
        html,
        /<link rel="(?:stylesheet|preload|icon|manifest|modulepreload)" href="([^"]+)"/g,
      ),
    ]
    const fetched = loaded.filter((address) => !address.startsWith('data:'))
    expect(fetched.filter((address) => !address.startsWith('/'))).toEqual([])
    expect(fetched.filter((address) => !site.files.has(address))).toEqual([])
  })

  // A sign that something large came in by mistake, not a fence.
  test('stays far below a weight that is noticed: scripts, style, fonts and the page itself', () => {
    const inline = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
      .filter(([, attributes = '']) => !/ld\+json/.test(attributes))
      .map(([, , code = '']) => code)
      .join('\n')
    const loaded = [
      ...all(html, /<script\b[^>]*\ssrc="([^"]+)"/g),
      ...all(html, /<link rel="modulepreload" href="([^"]+)"/g),
    ]
    expect(loaded).toEqual([])
    const scripts = gzipped(inline)
    const styles = all(html, /<link rel="stylesheet" href="([^"]+)"/g)
    expect(styles).toHaveLength(1)
    const style = styles.reduce((sum, file) => sum + gzipped(fileOf(file)), 0)

    const fonts = all(html, /<link rel="preload" href="([^"]+\.woff2)"/g)
    const total = [...fonts, ...all(html, /<link rel="icon" href="(\/[^"]+)"/g)].reduce(
      (sum, file) => sum + fileOf(file).length,
      gzipped(html) + style + scripts,
    )
    // Beside those that are preloaded, times are set in a third font.
    const mono = [...site.files].find((file) => /hyperlegible-mono-latin-wght/.test(file))
    expect(total + fileOf(mono ?? '').length).toBeLessThanOrEqual(200 * KB)
  })

  test('every link of it leads somewhere', () => {
    const broken = all(html, /<a\b[^>]*?\shref="([^"]+)"/g).filter((href) => {
      const { origin, pathname, hash } = new URL(href, `https://quoth.example${path}`)
      if (origin !== 'https://quoth.example') return !/^(https|mailto):/.test(href)
      const target = named.get(pathname)
      if (target === undefined)
        return !site.screens.has(pathname) && !site.files.has(pathname) && !isCall(pathname)
      return hash !== '' && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`)
    })
    expect(broken).toEqual([])
  })
})

/** Links to calls of the API are tested elsewhere. */
const isCall = (path: string) => path.startsWith('/api/')

describe.each(findable)('$path, for search engines', ({ path, html }) => {
  const one = (pattern: RegExp) => {
    const found = all(html, pattern)
    expect(found).toHaveLength(1)
    return found[0] ?? ''
  }

  test('has a title and a description of its own, and says where it belongs', () => {
    const title = one(/<title>([^<]+)<\/title>/g)
    const description = one(/<meta name="description" content="([^"]+)"/g)
    expect(description.length).toBeLessThanOrEqual(160)
    for (const other of findable.filter((page) => page.path !== path)) {
      expect(other.html).not.toContain(`<title>${title}</title>`)
      expect(all(other.html, /<meta name="description" content="([^"]+)"/g)).not.toContain(
        description,
      )
    }
    expect(one(/<link rel="canonical" href="([^"]+)"/g)).toBe(`https://quoth.example${path}`)
    expect(one(/<meta property="og:url" content="([^"]+)"/g)).toBe(`https://quoth.example${path}`)
    expect(one(/<meta property="og:title" content="([^"]+)"/g)).toBe(title)
    expect(one(/<meta property="og:description" content="([^"]+)"/g)).toBe(description)
  })

  test('has a preview picture of 1200 × 630 that is light enough to be shown', () => {
    const address = one(/<meta property="og:image" content="([^"]+)"/g)
    const file = address.replace('https://quoth.example', '')
    expect(site.files.has(file)).toBe(true)
    const png = fileOf(file)
    expect(png.toString('latin1', 1, 4)).toBe('PNG')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
    expect(png.length).toBeLessThanOrEqual(60 * KB)
  })

  test('describes itself in data that agrees with its text', () => {
    const json = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html)?.[1]
    const { '@context': context, '@graph': graph } = JSON.parse(json ?? '{}') as {
      '@context': string
      '@graph': Record<string, unknown>[]
    }
    expect(context).toBe('https://schema.org')
    const typed = (type: string) => graph.find((entry) => entry['@type'] === type)
    expect(typed('Organization')).toMatchObject({ name: 'Quoth', url: 'https://quoth.example/' })
    expect(typed('WebSite')).toMatchObject({ name: 'Quoth' })
    expect(typed('Article') !== undefined).toBe(articles.includes(path))
    expect(typed('SoftwareApplication') !== undefined).toBe(['/', '/pricing'].includes(path))
    if (articles.includes(path)) {
      const article = typed('Article')
      expect(unescapeHtml(/<h1[^>]*>([^<]+)</.exec(html)?.[1] ?? '')).toBe(article?.['headline'])
      expect(html).toContain(`<time dateTime="${String(article?.['datePublished'])}">`)
      expect(article).toMatchObject({
        description: all(html, /<meta name="description" content="([^"]+)"/g)[0],
        author: { '@type': 'Organization', name: 'Quoth Team' },
        publisher: { '@id': 'https://quoth.example/#organization' },
        dateModified: article?.['datePublished'],
      })
      expect(typed('BreadcrumbList')).toBeDefined()
    }
    const offers = typed('SoftwareApplication')?.['offers'] as { price: string }[] | undefined
    for (const { price } of offers ?? []) expect(html).toContain(`$${price}`)
  })
})

test('the map of the site lists every page that wants to be found, and nothing else', () => {
  const map = site.texts.get('/sitemap.xml') ?? ''
  expect(map.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<urlset ')).toBe(true)
  expect(all(map, /<loc>([^<]+)<\/loc>/g).toSorted()).toEqual(
    findable.map(({ path }) => `https://quoth.example${path}`).toSorted(),
  )
  for (const date of all(map, /<lastmod>([^<]+)<\/lastmod>/g))
    expect(date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test('crawlers may read pages, also /api, and are kept from calls', () => {
  expect(site.texts.get('/robots.txt')).toBe(
    'User-agent: *\nDisallow: /api/\n\nSitemap: https://quoth.example/sitemap.xml\n',
  )
})

test('the not-found page is one without the app, and not for search engines', () => {
  const { html } = site.notFound
  expect(html).toContain('404 Page Not Found')
  expect(html).toContain('content="noindex"')
  expect(html).not.toContain('/assets/entry.client')
  expect(site.prerendered.has('/404')).toBe(false)
})

test('scripts and styles lie compressed beside themselves', () => {
  const files = [...site.files].filter((file) => /^\/assets\/.*\.(js|css)$/.test(file))
  expect(files.length).toBeGreaterThan(10)
  for (const file of files.filter((name) => fileOf(name).length >= KB)) {
    expect(fileOf(`${file}.br`).length).toBeLessThan(fileOf(file).length)
    expect(fileOf(`${file}.gz`).length).toBeLessThan(fileOf(file).length)
  }
})

test('the web manifest names pictures that are there', () => {
  const manifest = JSON.parse(fileOf('site.webmanifest').toString()) as {
    name: string
    icons: { src: string }[]
  }
  expect(manifest.name).toBe('Quoth')
  expect(manifest.icons.length).toBeGreaterThan(0)
  for (const { src } of manifest.icons) expect(site.files.has(src)).toBe(true)
})

const styles = [...site.files]
  .filter((file) => file.endsWith('.css'))
  .map((file) => fileOf(file).toString())
  .join('')

test('WebKit paints every mark in a text: its rules have no shorthand, which it refuses there', () => {
  const rules = all(styles, /::highlight\([\w-]+\)\{([^}]*)\}/g)
  const names = rules.flatMap((rule) => all(rule, /(?:^|;)([a-z-]+):/g))
  expect(names).toContain('text-decoration-line')
  const taken =
    /^((background-)?color|(-webkit-)?text-(decoration-(line|style|color|thickness)|underline-offset))$/
  expect(names.filter((name) => !taken.test(name))).toEqual([])
})

test('a repeated line is a picture of one size, because Firefox thickens it in a repeating gradient', () => {
  expect(styles).toContain('.ruled-pad{')
  expect(styles).not.toContain('repeating-linear-gradient')
})

test('no script calls a function that the oldest browsers lack', () => {
  const scripts = [...site.files].filter((file) => file.endsWith('.js'))
  const newer =
    /\b(Promise\.(withResolvers|try)|(Map|Object)\.groupBy|Array\.fromAsync|URL\.parse|AbortSignal\.any|RegExp\.escape|Error\.isError)\(|\.(symmetricDifference|isSubsetOf|isDisjointFrom|toBase64|toHex|values\(\)\.(map|filter|toArray))\(/
  const found = scripts.flatMap((file) => newer.exec(fileOf(file).toString())?.[0] ?? [])
  expect(scripts.length).toBeGreaterThan(10)
  expect(found).toEqual([])
})
