/** Programs that set-up installs for tests alone. Where one is missing, its tests are skipped. */
import { existsSync } from 'node:fs'

/** Whether its files are there. In CI they are part of the set-up, so there it throws. */
export function isInstalled(debianPackage: string, ...files: readonly string[]): boolean {
  if (files.every((file) => existsSync(file))) return true
  if (process.env['CI'] === 'true') throw new Error(`${debianPackage} is not installed.`)
  return false
}
