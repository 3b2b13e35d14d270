import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src/web',
  ssr: false,
  // Written to HTML at build time; every other path gets the empty app shell (__spa-fallback.html).
  prerender: ['/'],
} satisfies Config
