import type { Config } from '@react-router/dev/config'

import { finishSite } from './scripts/finish-site.ts'
import { adminPaths } from './src/web/admin-paths.ts'
import { appPaths, paths, publicPaths, templatePaths } from './src/web/paths.ts'

export default {
  appDirectory: 'src/root/ui',
  // All is written to HTML at build time. Of the app's paths one is enough: they share one shell.
  prerender: [...publicPaths(), '/404', paths.auth, ...templatePaths],
  buildEnd: ({ reactRouterConfig }) =>
    finishSite(reactRouterConfig.buildDirectory, {
      shellPath: paths.auth,
      screens: [...appPaths, ...Object.values(adminPaths)],
    }),
} satisfies Config
