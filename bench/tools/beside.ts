/** Starts a file beside this one as a process: the smallest program that does the same work. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export async function startBeside(
  name: 'raw-receiver.ts',
  args: string[],
): Promise<{ port: number; kill(): void }> {
  const program = fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Its first line is its port.
  const [port = NaN] = (await once(child.stdout, 'data')).map(Number)
  return { port, kill: () => void child.kill() }
}
