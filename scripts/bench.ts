/** `npm run bench -- NAME [options]`: runs one bench and lets it print its figures. */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../bench/', import.meta.url))
const [name, ...options] = process.argv.slice(2)
const names = (await readdir(folder))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3))

if (!name || !names.includes(name)) {
  console.error(`Say which bench: npm run bench -- ${names.join(' | ')}`)
  process.exit(2)
}
const child = spawn(process.execPath, [`${folder}${name}.ts`, ...options], { stdio: 'inherit' })
child.on('exit', (code) => process.exit(code ?? 1))
