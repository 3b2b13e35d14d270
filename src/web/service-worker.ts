/**
 * The one script that runs without a page. It takes files that a phone's share menu sends to the
 * installed app, and says plainly that a page cannot be had without a network. It keeps nothing else:
 * no page, no answer of the server. The build writes it to /service-worker.js.
 */
import { SHARE_PATH, keepShared } from './shared-files.ts'

/** The parts of a service worker that the page's own types lack. */
interface Happening extends Event {
  waitUntil(done: Promise<unknown>): void
}
interface Fetching extends Happening {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Installing extends Happening {
  addRoutes?: (routes: { condition: object; source: string }) => Promise<void>
}
interface Worker {
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  addEventListener(type: 'install', hear: (event: Installing) => void): void
  addEventListener(type: 'activate', hear: (event: Happening) => void): void
  addEventListener(type: 'fetch', hear: (event: Fetching) => void): void
}
const worker = self as unknown as Worker

worker.addEventListener('install', (event) => {
  void worker.skipWaiting()
  // Pages are asked of the network while this script starts, so that none comes later for it.
  const condition = { requestMode: 'navigate', requestMethod: 'GET' }
  const source = 'race-network-and-fetch-handler'
  event.addRoutes?.({ condition, source }).catch(() => undefined)
})

// Already the first page can be shared to.
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.mode !== 'navigate') return
  if (request.method === 'POST' && new URL(request.url).pathname === SHARE_PATH)
    event.respondWith(take(request))
  else if (request.method === 'GET' && !navigator.onLine)
    event.respondWith(fetch(request).catch(() => offlinePage()))
})

async function take(request: Request): Promise<Response> {
  const kept = await keepShared(await request.formData()).catch(() => 'lost' as const)
  return Response.redirect(`/home?shared=${kept}`, 303)
}

function offlinePage(): Response {
  return new Response(OFFLINE, {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })
}

const OFFLINE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No connection · Quoth</title>
<style>:root{color-scheme:light dark}
body{margin:0;padding:32px 16px;max-width:40rem;background:light-dark(#f6fbf7,#171614);color:light-dark(#1c1b19,#f1eee7);font:18px/1.55 ui-serif,Georgia,serif}
p{font-family:system-ui,sans-serif}a{display:inline-block;margin-top:8px;padding:12px 20px;border-radius:8px;background:light-dark(#104832,#a6d9be);color:light-dark(#fff,#0b2419);text-decoration:none;font:600 16px/20px system-ui,sans-serif}</style></head>
<body><main><strong>Quoth</strong><h1>No connection.</h1>
<p>What is being transcribed goes on, and what you shared with Quoth waits in this browser.</p>
<a href="">Try again</a></main></body>
</html>
`
