/** Every route of the app, read from the router itself, so that none can be forgotten. */
import type { FastifyInstance } from 'fastify'

export interface Route {
  method: string
  path: string
}

export function routesOf(app: FastifyInstance): Route[] {
  const stack: string[] = []
  const routes: Route[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods] =
      /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (part === '' && !methods) continue
    const depth = indent.length / 4
    stack.length = depth
    stack.push(part)
    for (const method of methods?.split(', ') ?? []) routes.push({ method, path: stack.join('') })
  }
  return routes
}

export const isUnsafe = ({ method }: Route): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method)
