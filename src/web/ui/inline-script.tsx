/**
 * A small script of its own on a page without the app: `import code from './demo.ts?script'`. The
 * policy of the page names it by its hash. The app, which has its own ways, never puts one in: the
 * browser's Trusted Types would not let it.
 */
export function InlineScript({ code }: { code: string }) {
  if (!import.meta.env.SSR) return null
  // oxlint-disable-next-line react/no-danger -- a file of ours, put in when the site is built
  return <script dangerouslySetInnerHTML={{ __html: code }} />
}
