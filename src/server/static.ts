/** Hands out the browser side: pages with their policy, files with their lifetime, and the 404. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { refuse } from './errors.ts'
import type { Page, Site } from './pages.ts'
import { type Origin, isPublicHost } from './security.ts'

interface Deps {
  site: Site | null
  origin: Origin
  /** Whether the app greets this visitor at `/`, or the landing page does. */
  isSignedIn: (request: FastifyRequest) => boolean
}

const NOT_BUILT = 'The pages of this server are not built yet. Please run: npm run build'

export function addPages(app: FastifyInstance, { site, origin, isSignedIn }: Deps): void {
  app.get('/', async (request, reply) => {
    if (!isPublicHost(origin, request)) return toPublicUrl(request, reply)
    if (!site) return sendNotBuilt(reply)
    const page = isSignedIn(request) ? site.shell : site.landing
    return sendPage(reply.headers({ Vary: 'Cookie', 'Cache-Control': 'no-store' }), page)
  })

  app.get('/*', { config: { access: 'public' } }, async (request, reply) => {
    const path = pathOf(request)
    if (path === null || path.startsWith('/api/')) return refuse(reply, 'not_found')
    if (site?.files.has(path)) return sendFile(reply, path)
    if (!isPublicHost(origin, request)) return toPublicUrl(request, reply)
    if (!site) return sendNotBuilt(reply)

    const page = site.prerendered.get(path) ?? (site.isAppPath(path) ? site.shell : null)
    if (!page) return sendPage(reply.code(404).header('X-Robots-Tag', 'noindex'), site.notFound)
    void reply.headers({ 'Cache-Control': 'no-cache', ETag: page.etag })
    if (request.headers['if-none-match'] !== page.etag) return sendPage(reply, page)
    // The headers of a 304 replace those that the browser kept with the page: the policy too.
    return reply.header('Content-Security-Policy', page.policy).code(304).send()
  })

  app.setNotFoundHandler((_request, reply) => refuse(reply, 'not_found'))

  function toPublicUrl({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = url.startsWith('/') ? url : '/'
    return reply.redirect(`${origin.publicUrl.origin}${path}`, 307)
  }
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

function sendPage(reply: FastifyReply, { html, policy }: Page): FastifyReply {
  return reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(html)
}

function sendFile(reply: FastifyReply, path: string): FastifyReply {
  // The names of built files carry a hash of what is in them; a changed file has another name.
  const isHashed = path.startsWith('/assets/')
  const lifetime = isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
  return reply.header('Cache-Control', lifetime).sendFile(path.slice(1), { cacheControl: false })
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
}
