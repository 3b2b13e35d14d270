import type { Config } from '@react-router/dev/config'

import { finishSite } from './scripts/finish-site.ts'
import { publicPaths } from './src/web/paths.ts'

export default {
  appDirectory: 'src/web',
  ssr: false,
  // Written to HTML at build time; every other path gets the empty app shell (__spa-fallback.html).
  prerender: [...publicPaths, '/404'],
  buildEnd: ({ reactRouterConfig }) => finishSite(`${reactRouterConfig.buildDirectory}/client`),
} satisfies Config
