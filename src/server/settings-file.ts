import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Reads `.env` beside package.json into the environment, when there is one. Node's own
 * `--env-file-if-exists` says a line on stderr when there is none, which is the usual case.
 */
export function loadSettingsFile(): void {
  const file = fileURLToPath(new URL('../../.env', import.meta.url))
  if (existsSync(file)) process.loadEnvFile(file)
}
