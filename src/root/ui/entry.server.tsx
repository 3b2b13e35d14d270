import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'

import { AppEntryContext } from './app-entry.ts'

/** Runs when the browser side is built: writes the public pages and the app shell to HTML. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
): Promise<Response> {
  const { manifest, staticHandlerContext, routeModules } = routerContext
  const isStatic = staticHandlerContext.matches.some(({ route }) =>
    isStaticHandle(routeModules[route.id]?.handle),
  )
  const stream = await renderToReadableStream(
    <AppEntryContext
      value={isStatic ? null : { ...manifest.entry, refresh: manifest.hmr?.runtime }}
    >
      <ServerRouter context={routerContext} url={request.url} />
    </AppEntryContext>,
  )
  await stream.allReady
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(stream, { status, headers })
}

/** A route that says `export const handle = { static: true }`. */
function isStaticHandle(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && Reflect.get(handle, 'static') === true
}
