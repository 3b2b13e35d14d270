/** Lists every route that the rooms declare, so that a test can forget none. */
import { subscribe } from 'node:diagnostics_channel'

import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { z } from 'zod'

export interface Route {
  method: string
  path: string
  schema: {
    params?: z.ZodType
    querystring?: z.ZodType
    body?: z.ZodType
    response?: Record<string, z.ZodType>
  }
  config: FastifyContextConfig
}

const routes = new WeakMap<FastifyInstance, Route[]>()

// Fastify says here that there is a new server, before anybody has declared a route.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const declared: Route[] = []
  routes.set(fastify, declared)
  fastify.addHook('onRoute', ({ method: methods, url: path, schema = {}, config = {} }) => {
    for (const method of [methods].flat())
      declared.push({ method, path, schema: schema as Route['schema'], config })
  })
})

export function routesOf(app: FastifyInstance): Route[] {
  const declared = routes.get(app)
  if (!declared) throw new Error('test/router.ts was not imported before the app was made')
  return declared
}

export const isUnsafe = ({ method }: Pick<Route, 'method'>): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method)
