/** Hands out the browser side: pages with their policy, files with their lifetime, and the 404. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Capabilities } from '#shared/capabilities.ts'

import type { Asset } from './assets.ts'
import { refuse } from './errors.ts'
import type { Encoding, Page, Site } from './pages.ts'
import { type Origin, isPublicHost } from './security.ts'

interface Deps {
  site: Site | null
  /** A built file of another release, in the best of these encodings. */
  findAsset: (name: string, encodings: readonly Encoding[]) => Promise<Asset | null>
  /** The methods that a path takes; none where nobody knows it. */
  methodsOf: (path: string) => string[]
  origin: Origin
  /** The capabilities of this server now: pages offer nothing else. */
  capabilities: () => Promise<Capabilities>
  /** Whether the app greets this visitor at `/`, or the landing page does. */
  isSignedIn: (request: FastifyRequest) => boolean
  /** Whether an operator asks: for everybody else their pages are not there. */
  isForOperator: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
  /** Without asking the database: only how a page's header begins depends on it. */
  mayBeSignedIn: (request: FastifyRequest) => boolean
}

/** Their names carry a hash of their content; a changed file has another name. */
const ASSETS = '/assets/'
const FOR_EVER = 'public, max-age=31536000, immutable'

const NOT_BUILT = 'The pages of this server are not built yet. Please run: npm run build'

export function addPages(app: FastifyInstance, deps: Deps): void {
  const { site, origin, isSignedIn } = deps

  app.get('/', async (request, reply) => {
    if (!isPublicHost(origin, request)) return toPublicUrl(request, reply)
    if (!site) return sendNotBuilt(reply)
    const page = isSignedIn(request) ? site.shell : site.landing
    void reply.header('Cache-Control', 'no-store')
    return sendPage(request, reply, page)
  })

  app.get('/*', { config: { access: 'public' } }, async (request, reply) => {
    const path = pathOf(request)
    if (path === null || /^\/(api|v1)\//.test(path)) return refuseUnknown(request, reply)
    const text = site?.texts.get(path)
    if (text !== undefined) return sendText(reply, path, text)
    if (site?.files.has(path)) return sendFile(reply, path)
    if (path.startsWith(ASSETS)) return sendAsset(request, reply, path.slice(ASSETS.length))
    if (!isPublicHost(origin, request)) return toPublicUrl(request, reply)
    if (!site) return sendNotBuilt(reply)

    const isHidden = /^\/admin(\/|$)/.test(path) && !(await deps.isForOperator(request, reply))
    const screen = site.screens.has(path) && !isHidden ? site.shell : null
    const page = site.prerendered.get(path) ?? screen
    if (page) return sendPage(request, reply.header('Cache-Control', 'no-cache'), page)
    // It may be there with the next release.
    void reply.code(404).headers({ 'X-Robots-Tag': 'noindex', 'Cache-Control': 'no-store' })
    return sendPage(request, reply, site.notFound)
  })

  // Fastify would ask for the type of its body, although no route takes the method.
  app.addHook('onRequest', async (request, reply) =>
    request.method === 'QUERY' ? refuseUnknown(request, reply) : undefined,
  )

  app.setNotFoundHandler((request, reply) => {
    // It may be a file that was deleted since the server started, with a lifetime of a year.
    return refuseUnknown(request, reply.header('Cache-Control', 'no-store'))
  })

  /** A file of the release before, or of the next one, that another process has kept. */
  async function sendAsset(request: FastifyRequest, reply: FastifyReply, name: string) {
    const asset = await deps.findAsset(name, encodingsFor(request))
    if (!asset) return refuse(reply.header('Cache-Control', 'no-store'), 'not_found')
    const { type, encoding, content } = asset
    if (encoding) void reply.header('Content-Encoding', encoding)
    return reply
      .headers({ 'Cache-Control': FOR_EVER, Vary: 'Accept-Encoding' })
      .type(type)
      .send(content)
  }

  function refuseUnknown({ url, method }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = url.split('?', 1)[0] ?? ''
    // For everybody else the pages and calls of operators are not there.
    const methods = path.startsWith('/api/admin') ? [] : deps.methodsOf(path)
    // The router lets no id of more than a hundred letters in: nothing is there under such a name.
    if (methods.length === 0 || methods.includes(method)) return refuse(reply, 'not_found')
    return refuse(reply.header('Allow', methods.join(', ')), 'method_not_allowed')
  }

  function toPublicUrl({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = url.startsWith('/') ? url : '/'
    return reply.redirect(`${origin.publicUrl.origin}${path}`, 307)
  }

  async function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Page,
  ): Promise<FastifyReply> {
    const body = page.bodyFor({
      mayBeSignedIn: deps.mayBeSignedIn(request),
      can: await deps.capabilities(),
    })
    // The headers of a 304 replace those that the browser kept with the page: the policy too.
    void reply.headers({
      'Content-Security-Policy': page.policy,
      Vary: 'Cookie, Accept-Encoding',
    })
    if (reply.statusCode === 200 && reply.getHeader('Cache-Control') === 'no-cache') {
      void reply.header('ETag', body.etag)
      if (request.headers['if-none-match'] === body.etag) return reply.code(304).send()
    }
    void reply.type('text/html; charset=utf-8')
    const [encoding] = encodingsFor(request)
    if (!encoding) return reply.send(body.html)
    return reply.header('Content-Encoding', encoding).send(await body.compressed(encoding))
  }
}

/**
 * The encodings that the browser takes, the best first; it does not take one that it rates with 0.
 */
function encodingsFor({ headers }: FastifyRequest): Encoding[] {
  const accepted = (headers['accept-encoding'] ?? '')
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return (['br', 'gzip'] as const).filter((encoding) => accepted.includes(encoding))
}

/** The path without query and trailing slash; null when it does not decode. */
function pathOf({ url }: FastifyRequest): string | null {
  const [raw = ''] = url.split('?', 1)
  try {
    return decodeURIComponent(raw).replace(/(.)\/$/, '$1')
  } catch {
    return null // "%zz" and the like: nothing of ours is called that.
  }
}

function sendFile(reply: FastifyReply, path: string): FastifyReply {
  const lifetime = path.startsWith(ASSETS) ? FOR_EVER : 'public, max-age=3600'
  // What it may fetch stands in its own policy: pages, and those of this server only.
  if (path === '/service-worker.js')
    void reply.header('Content-Security-Policy', "default-src 'none'; connect-src 'self'")
  return reply.header('Cache-Control', lifetime).sendFile(path.slice(1), { cacheControl: false })
}

function sendText(reply: FastifyReply, path: string, text: string): FastifyReply {
  const type = path.endsWith('.xml') ? 'application/xml' : 'text/plain'
  return reply
    .header('Cache-Control', 'public, max-age=3600')
    .type(`${type}; charset=utf-8`)
    .send(text)
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
}
