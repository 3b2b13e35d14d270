/**
 * Starts the service worker once the page has loaded: the files of the page come first. Without it, in
 * a private window for instance, nothing but sharing to the app is missing.
 */
interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string }
}

const SCRIPT = '/service-worker.js'

export function startServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => {
    // Pages are told to take addresses of scripts from a policy only.
    const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes
    const ours = policies?.createPolicy('service-worker', { createScriptURL: () => SCRIPT })
    navigator.serviceWorker.register(ours?.createScriptURL(SCRIPT) ?? SCRIPT).catch(() => undefined)
  }
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
}
