/**
 * A small script on a page without the app: `import code from './demo.ts?script'`. The page's
 * content security policy allows it by its hash. The app does not use it: its Trusted Types forbid
 * inline scripts.
 */
export function InlineScript({ code }: { code: string }) {
  if (!import.meta.env.SSR) return null
  // oxlint-disable-next-line react/no-danger -- a file of ours, put in when the site is built
  return <script dangerouslySetInnerHTML={{ __html: code }} />
}
