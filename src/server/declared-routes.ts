/** Which methods an address takes, by the routes that are declared. */
import type { FastifyInstance, FastifySchema } from 'fastify'

/**
 * Listens to the routes that are declared from now on, and answers the methods of those that are meant.
 * As the router does, it prefers a route of that very name to one that takes any name in its place.
 */
export function watchMethods(
  app: FastifyInstance,
  isMeant: (schema: FastifySchema | undefined) => boolean = () => true,
): (path: string) => string[] {
  const declared: { url: string; path: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (url === '/*') return
    const path = new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`)
    declared.push({ url, path, methods: isMeant(schema) ? [method].flat() : [] })
  })
  return (asked) => {
    const found = declared.filter(({ path }) => path.test(asked))
    const exact = found.filter(({ url }) => url === asked)
    return [...new Set((exact.length > 0 ? exact : found).flatMap(({ methods }) => methods))]
  }
}
