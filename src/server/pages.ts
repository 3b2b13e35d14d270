/**
 * The browser side as `npm run build` left it: prerendered pages, the empty app shell, and files.
 * Everything is read once, at the start. Each page gets a content security policy that names its
 * inline scripts by their hashes, so that no other inline script runs.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import { type Capabilities, type Capability, isOffered } from '#shared/capabilities.ts'
import { unescapeHtml } from '#shared/html.ts'

import type { Origin } from './security.ts'

export type Encoding = 'br' | 'gzip'

/** A page as text, and compressed when somebody first asks for it so. */
interface Body {
  html: string
  etag: string
  compressed: (encoding: Encoding) => Promise<Buffer>
}

export interface Page {
  policy: string
  /** As it was built, with all that some server can do. */
  html: string
  /**
   * The page as it is sent. For a visitor who may be signed in it has the mark that makes its header
   * their own.
   */
  bodyFor: (visitor: { mayBeSignedIn: boolean; can: Capabilities }) => Body
}

export interface Site {
  /** The empty shell that the app draws itself into. */
  shell: Page
  /** The page at `/` for somebody who is not signed in. */
  landing: Page
  /** Sent for a path that nobody knows: a document of its own says so. */
  notFound: Page
  /** Pages that were written at build time, by path. */
  prerendered: ReadonlyMap<string, Page>
  /** The paths of the app's screens. */
  screens: ReadonlySet<string>
  /** Pages that are filled before they are sent, by name: those of shared links. */
  templates: ReadonlyMap<string, Template>
  /** Files by path, without HTML, and without the compressed copies beside them. */
  files: ReadonlySet<string>
  /** The files for crawlers, with our own addresses in them: /sitemap.xml and /robots.txt. */
  texts: ReadonlyMap<string, string>
}

/** A document below here is filled by a room before it is sent, and is no page by itself. */
const TEMPLATES = '/templates/'

export interface Template {
  html: string
  policy: string
}

/** Stands in the built HTML where PUBLIC_URL belongs: canonical and Open Graph addresses. */
const PUBLIC_URL_MARK = '__PUBLIC_URL__'
/** Stands where a page says whom to write to without its form. */
const SUPPORT_EMAIL_MARK = '__SUPPORT_EMAIL__'
const SHELL = '__spa-fallback.html'
/** The paths of the app's screens, as scripts/finish-site.ts writes them down. */
const SCREENS = '__screens.json'
const NOT_FOUND = '/404'
const TEXTS = ['/sitemap.xml', '/robots.txt']
/**
 * The other files of a build, beside its pages. That of an earlier release, or one that broke off, has
 * less.
 */
const PARTS = [`/${SHELL}`, `/${SCREENS}`, ...TEXTS]

/** Stands on every page where ALLOW_HTTP lets passwords pass in the clear; styles.css shows it. */
const PLAIN_HTTP = 'This server is reached without encryption. Passwords travel readable.'

/** The facts in pages about the server that hands them out. */
interface SiteOrigin extends Origin {
  supportEmail?: string | null
  /** Where recordings are sent to and played from, when not from here. */
  mediaOrigin?: string | null
}

/** Null when the browser side was not built, or is not that of this release. */
export async function readSite(dir: string, origin: SiteOrigin): Promise<Site | null> {
  if (!existsSync(dir)) return null
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `/${relative(dir, join(entry.parentPath, entry.name))}`.split(sep).join('/'))

  const prerendered = new Map<string, Page>()
  for (const name of names.filter((file) => file.endsWith('/index.html'))) {
    const path = name.slice(0, -'/index.html'.length) || '/'
    prerendered.set(path, await readPage(dir, name, origin))
  }
  const landing = prerendered.get('/')
  const notFound = prerendered.get(NOT_FOUND)
  if (!landing || !notFound || !PARTS.every((name) => names.includes(name))) return null
  // Under its own path it would be a page like any other.
  prerendered.delete(NOT_FOUND)
  const templates = new Map<string, Template>()
  for (const [path, { html, policy }] of prerendered) {
    if (!path.startsWith(TEMPLATES)) continue
    templates.set(path.slice(TEMPLATES.length), { html, policy })
    prerendered.delete(path)
  }
  const texts = await Promise.all(
    TEXTS.map(
      async (name) =>
        [name, withAddresses(await readFile(join(dir, name), 'utf8'), origin)] as const,
    ),
  )
  return {
    shell: await readPage(dir, SHELL, origin),
    landing,
    notFound,
    prerendered,
    templates,
    screens: new Set(JSON.parse(await readFile(join(dir, SCREENS), 'utf8')) as string[]),
    files: new Set(names.filter((name) => !/\.(html|br|gz)$|^\/__/.test(name))),
    texts: new Map(texts),
  }
}

async function readPage(dir: string, name: string, origin: SiteOrigin): Promise<Page> {
  const raw = await readFile(join(dir, name), 'utf8')
  return makePage(raw, origin)
}

const withAddresses = (text: string, { publicUrl }: Origin) =>
  text.replaceAll(PUBLIC_URL_MARK, publicUrl.origin)

function makePage(raw: string, origin: SiteOrigin): Page {
  const { publicUrl, isLocal, supportEmail } = origin
  const isReadable = publicUrl.protocol === 'http:' && !isLocal
  const html = withAddresses(raw, origin)
    .replaceAll(SUPPORT_EMAIL_MARK, supportEmail ?? 'whoever runs this server')
    .replace('<body', isReadable ? `<body data-warning="${PLAIN_HTTP}"` : '<body')
  const policy = policyFor(html, origin.mediaOrigin)
  const isSame = html.search(WHERE) < 0
  const bodies = new Map<string, Body>()
  return {
    policy,
    html,
    bodyFor({ mayBeSignedIn, can }) {
      const key = `${mayBeSignedIn} ${isSame ? '' : JSON.stringify(can)}`
      const mark = mayBeSignedIn ? '<html data-signed-in' : '<html'
      const body = bodies.get(key) ?? makeBody(offering(html, can).replace('<html', mark), policy)
      bodies.set(key, body)
      return body
    },
  }
}

/**
 * Marks words of a page for servers with a capability: `<span data-where="doubt">`, and with
 * `data-where-not` only where it cannot. There is no element of the same name inside.
 */
const WHERE = /<([a-z][a-z0-9]*)([^<>]*) data-where(-not)?="(\w+)"([^<>]*)>(.*?)<\/\1>/gs

const offering = (html: string, can: Capabilities): string =>
  html.replaceAll(WHERE, (_, name, before, not, capability: Capability, after, inside) =>
    isOffered(can, capability) === (not === undefined)
      ? `<${name}${before}${after}>${inside}</${name}>`
      : '',
  )

const compressors = {
  br: (html: string) =>
    promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (html: string) => promisify(gzip)(html, { level: 9 }),
}

function makeBody(html: string, policy: string): Body {
  const done = new Map<Encoding, Promise<Buffer>>()
  return {
    html,
    // Weak, because it stands for the page in every encoding.
    etag: `W/"${sha256(html + policy, 'base64url')}"`,
    compressed: (encoding) => {
      const body = done.get(encoding) ?? compressors[encoding](html)
      done.set(encoding, body)
      return body
    },
  }
}

/** The policy of a page: ours and nothing else, plus what it carries inline, by hash. */
function policyFor(html: string, mediaOrigin: string | null = null): string {
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    // Structured data is not run, and needs no leave.
    .filter(([, attributes = '']) => !/\bsrc=|ld\+json/.test(attributes))
    .map(([, , code = '']) => hashSource(code))
  const styles = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = '']) =>
    hashSource(css),
  )
  const attributes = [...html.matchAll(/<[^>]+\sstyle="([^"]*)"/g)].map(([, css = '']) =>
    hashSource(unescapeHtml(css)),
  )
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", ...new Set(scripts)],
    'style-src': ["'self'", ...new Set(styles)],
    ...(attributes.length > 0
      ? { 'style-src-attr': ["'unsafe-hashes'", ...new Set(attributes)] }
      : {}),
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ["'self'", 'blob:', ...(mediaOrigin === null ? [] : [mediaOrigin])],
    ...(mediaOrigin === null ? {} : { 'connect-src': ["'self'", mediaOrigin] }),
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}

function hashSource(text: string): string {
  return `'sha256-${sha256(text, 'base64')}'`
}

function sha256(text: string, encoding: 'base64' | 'base64url'): string {
  return createHash('sha256').update(text).digest(encoding)
}
