import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { build, defineConfig, type Plugin, type ProxyOptions } from 'vite'

import { adminPaths } from './src/web/admin-paths.ts'
import { appPaths, paths } from './src/web/paths.ts'

import { OLDEST_BROWSERS } from './src/shared/browsers.ts'

const target = Object.entries(OLDEST_BROWSERS).map(([name, version]) => `${name}${version}`)
const QUERY = '?script'

/**
 * `import code from './calculator.ts?script'` is that file with all that it imports, as the text of
 * one small script. Pages without the app carry it inline, where the policy names it by its hash.
 */
function smallScripts(): Plugin {
  return {
    name: 'small-scripts',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (!source.endsWith(QUERY)) return null
      const file = await this.resolve(source.slice(0, -QUERY.length), importer, { skipSelf: true })
      return file && file.id + QUERY
    },
    async load(id) {
      if (!id.endsWith(QUERY)) return null
      const { code, moduleIds } = await scriptOf(id.slice(0, -QUERY.length))
      for (const file of moduleIds) this.addWatchFile(file)
      return `export default ${JSON.stringify(code.trim())}`
    },
  }
}

/** A file with all that it imports, as one script. */
async function scriptOf(entry: string) {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target,
      minify: true,
      lib: { entry, formats: ['iife'], name: 'script' },
      rolldownOptions: {
        output: { minify: true },
        // Lists of paths that the script does not use are left out: to read them does nothing.
        treeshake: { propertyReadSideEffects: false },
      },
    },
  })
  const [output] = Array.isArray(result) ? result : [result]
  const chunk = output && 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`${entry} became no script`)
  return chunk
}

/** Its address must never change: browsers ask again for the one that they have. */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    applyToEnvironment: ({ name }) => name === 'client',
    async generateBundle() {
      const entry = new URL('src/web/service-worker.ts', import.meta.url).pathname
      const { code } = await scriptOf(entry)
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: code })
    },
  }
}

/** What the server answers itself; all the rest is a page or a file. */
const OF_THE_SERVER = /^\/(api\/|v1\/|s\/|dev\/|livez|readyz|healthz|metrics|mcp)/

/**
 * While developing, Vite stands in front of the server and hands out the browser side from its
 * sources. As the server does, it gives every screen of the app the same shell.
 */
function inFrontOf(target: string): Plugin {
  const screens = new Set<string>([...appPaths, ...Object.values(adminPaths)])
  const bypass: ProxyOptions['bypass'] = ({ url = '/', method }) =>
    method !== 'GET' || OF_THE_SERVER.test(url) ? undefined : url
  return {
    name: 'in-front-of-the-server',
    apply: 'serve',
    config: () => ({ server: { proxy: { '^/': { target, bypass } } } }),
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const { pathname } = new URL(request.url ?? '/', target)
        const isSignedIn = /(^|; )quoth_session=/.test(request.headers.cookie ?? '')
        const isScreen = pathname === paths.start ? isSignedIn : screens.has(pathname)
        if (request.method === 'GET' && isScreen) request.url = request.originalUrl = paths.auth
        next()
      })
    },
  }
}

// Set by scripts/dev.ts alone.
const { QUOTH_DEV_API: api } = process.env

export default defineConfig({
  plugins: [
    ...(api ? [inFrontOf(api)] : []),
    smallScripts(),
    serviceWorker(),
    tailwindcss(),
    reactRouter(),
  ],
  // Small files stay files: an inlined font would need data: in the content security policy.
  build: {
    target,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every screen stands on is one file, small shared parts are another, and so is what rooms
        // lend each other. Without this a result is over 60 files (decisions 060 and 076). A part that
        // needs a library stays out, or every screen would load that. So does what is needed once something is
        // cut or hidden, and what a result does not show, and so do rooms in which no recording is read.
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//,
              priority: 1,
            },
            {
              name: 'parts',
              test: /\/node_modules\/lucide-react\/|\/src\/(web\/ui\/(?!popover|shown-word|wave-figure|levels|fingerprint|figures|timecode-section|stepper|unknown-bar)|shared\/(?!hidden-words|veil))/,
              minShareCount: 2,
              maxModuleSize: 4_000,
            },
            {
              name: 'rooms',
              test: /\/src\/features\/(?!(?:account|billing|operators|vocabulary|site)\/|.*\/(?:without-cuts|open-as-cut|open-as-given|turns-for-others)\.ts$).*\.ts$/,
              minShareCount: 3,
              maxModuleSize: 4_000,
            },
          ],
        },
      },
    },
  },
})
