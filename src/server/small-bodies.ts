import type { FastifyInstance, FastifyRequest } from 'fastify'

/** 256 KB on a very slow line take less. */
const WITHIN_MS = 30_000

/**
 * Cuts off a client whose body is not there in time, where the server reads it before the route begins:
 * JSON and small forms. Recordings may take as long as they need.
 */
export function limitSmallBodies(app: FastifyInstance, { withinMs = WITHIN_MS } = {}): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>()
  app.addHook('preParsing', async (request) => {
    const { raw } = request
    const timer = setTimeout(() => raw.destroy(), withinMs)
    timers.set(request, timer)
    raw.once('close', () => clearTimeout(timer))
  })
  app.addHook('preValidation', async (request) => clearTimeout(timers.get(request)))
}
