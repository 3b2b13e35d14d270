/**
 * The rules of browsers for every request and every answer:
 *
 * - A name that is not ours is refused (421), so that no web page can reach a server on somebody's
 *   own machine by pointing a name of its own at it.
 * - A change asked for by cookie must come from our own pages: `Sec-Fetch-Site: same-origin`, else
 *   an Origin that is ours. A request with an Authorization header is exempt, because it switches the
 *   cookie off: it acts in the name of a key that its sender knows, and in no other.
 * - Calls that take a key may be made by the pages of any site, without credentials: such a page reads
 *   the answer to a key that it brings itself, and never that to somebody's cookie.
 * - No other site may frame our pages, no type is guessed, and only our own scripts run.
 *
 * Promise: the page cannot be driven from elsewhere.
 */
import type { IncomingMessage } from 'node:http'

import { isIP } from 'node:net'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { Refusal } from '#shared/refusals.ts'

import { watchMethods } from './declared-routes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the route is for probes: it may be asked for by the bare address of this process,
     * because it tells nothing about any user.
     */
    isProbe?: true
    /**
     * Whether the route changes nothing although it is posted to: then anybody may post, for example
     * the share menu of a phone, which is no page of ours.
     */
    changesNothing?: true
  }
}

export interface Origin {
  publicUrl: URL
  /**
   * Whether PUBLIC_URL is of this machine: then localhost, 127.0.0.1 and [::1] all name this
   * server.
   */
  isLocal: boolean
}

const localNames = ['localhost', '127.0.0.1', '[::1]']
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

export function addSecurity(app: FastifyInstance, origin: Origin): void {
  const methodsWithKey = watchMethods(app, (schema) => schema?.scopes !== undefined)
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(origin, request, reply)
    if (request.routeOptions.schema?.scopes) void reply.headers(readableByAll)
    // Of two Host headers, a proxy could believe one and this server the other.
    if (countOf('host', request.raw) > 1) throw new Refusal('invalid_request')
    if (!isOurHost(origin, request) && !isProbe(request)) throw new Refusal('wrong_host')
    const asked = request.headers['access-control-request-method']
    if (request.method === 'OPTIONS' && asked !== undefined) {
      const [path = ''] = request.url.split('?', 1)
      const methods = methodsWithKey(path)
      if (methods.length > 0) return allow(reply, methods)
    }
    const isSafe =
      safeMethods.has(request.method) || request.routeOptions.config.changesNothing === true
    if (!isSafe && !mayChange(origin, request)) throw new Refusal('cross_site')
  })
}

/** Browsers keep an answer for a part of this time. */
const PREFLIGHT_SECONDS = 86_400
const readableByAll = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': '*',
}

/** Says beforehand that a page of another site may call, with any headers. */
const allow = (reply: FastifyReply, methods: readonly string[]) =>
  reply
    .code(204)
    .headers({
      ...readableByAll,
      'Access-Control-Allow-Methods': methods.join(', '),
      // The star does not mean Authorization.
      'Access-Control-Allow-Headers': 'Authorization, *',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    })
    .send()

const rules = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // The Google popup must be able to report to the page that opened it.
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'X-Frame-Options': 'DENY',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  // Pages bring their own; everything else that a browser might show shows nothing.
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
}
const rulesOverTls = { 'Strict-Transport-Security': 'max-age=31536000' }

/** The headers of every answer, also of one that is given before any hook runs. */
export function setHeaders(origin: Origin, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ 'X-Request-Id': request.id, ...rules })
  if (origin.publicUrl.protocol === 'https:') void reply.headers(rulesOverTls)
  if (isCall(request)) void reply.header('Cache-Control', 'no-store')
}

/**
 * Whether a program is answered, and not a page. The route that was found counts, because an address
 * can be written in many ways (`/%61pi/user`), and the router knows them all.
 */
export function isCall({ routeOptions, url }: FastifyRequest): boolean {
  return [routeOptions.url ?? url, url].some((path) => /^\/(api|v1)\//.test(path))
}

/** Whether the page was asked for under the name in PUBLIC_URL, and not under another local one. */
export function isPublicHost({ publicUrl }: Origin, request: FastifyRequest): boolean {
  const host = readHost(publicUrl, request.headers.host)
  return host?.name === publicUrl.hostname && host.port === publicUrl.port
}

/** Whether our own page, or nobody's, asked. A missing header is no proof of either. */
export function isSameOrigin(ours: Origin, { headers }: FastifyRequest): boolean {
  const fetchSite = headers['sec-fetch-site']
  const isOurs = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none'
  return isOurs && (headers.origin === undefined || isOurOrigin(ours, headers.origin))
}

function mayChange(ours: Origin, { headers }: FastifyRequest): boolean {
  if (headers.authorization !== undefined) return true
  const fetchSite = headers['sec-fetch-site']
  if (headers.origin !== undefined && !isOurOrigin(ours, headers.origin)) return false
  if (fetchSite !== undefined) return fetchSite === 'same-origin'
  // Neither header: not a browser of today. Without a cookie there is nothing to take advantage of.
  return headers.origin !== undefined || headers.cookie === undefined
}

function isOurHost({ publicUrl, isLocal }: Origin, request: FastifyRequest): boolean {
  const names = isLocal ? localNames : [publicUrl.hostname]
  // The address may name a host too, as it is written to a proxy: "GET http://host/path".
  const named = /^https?:\/\/([^/?#]*)/i.exec(request.url)?.[1]
  return [request.headers.host, named ?? request.headers.host].every((header) => {
    const host = readHost(publicUrl, header)
    return host !== null && host.port === publicUrl.port && names.includes(host.name)
  })
}

const countOf = (name: string, { rawHeaders }: IncomingMessage): number =>
  rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length

/**
 * A probe knows the address of a process and not its name. An address is no name, so no web page can
 * point one of its own here.
 */
function isProbe({ routeOptions, headers: { host } }: FastifyRequest): boolean {
  if (!routeOptions.config.isProbe) return false
  const name = host?.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === undefined || name === 'localhost' || isIP(name) !== 0
}

const isOurOrigin = (ours: Origin, origin: string): boolean => originsOf(ours).includes(origin)

/** Every origin that our pages may have. */
export function originsOf({ publicUrl, isLocal }: Origin): string[] {
  const port = publicUrl.port && `:${publicUrl.port}`
  const names = isLocal ? localNames : [publicUrl.hostname]
  return names.map((name) => `${publicUrl.protocol}//${name}${port}`)
}

/** The Host header itself: a host that a proxy forwards beside it is not believed. */
function readHost(
  publicUrl: URL,
  header: string | undefined,
): { name: string; port: string } | null {
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(header ?? '')
  if (!parts?.[1]) return null
  const port = parts[2] ?? ''
  return {
    name: parts[1].toLowerCase(),
    port: port === defaultPorts[publicUrl.protocol] ? '' : port,
  }
}
