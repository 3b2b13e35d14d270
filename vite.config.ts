import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { build, defineConfig, type Plugin } from 'vite'

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

export default defineConfig({
  plugins: [smallScripts(), serviceWorker(), tailwindcss(), reactRouter()],
  // Small files stay files: an inlined font would need data: in the content security policy.
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every screen stands on is one file, and small shared parts are another. Without this
        // the desk is 75 files, and there 1.1 s later on a phone's line (decision 060).
        codeSplitting: {
          groups: [
            {
              name: 'base',
              test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack)\//,
              priority: 1,
            },
            {
              name: 'parts',
              test: /\/node_modules\/lucide-react\/|\/src\/(web\/ui|shared)\//,
              minShareCount: 2,
              maxModuleSize: 4_000,
            },
          ],
        },
      },
    },
  },
})
