/** Runs the pipeline in a process of its own and brings back what it reported. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { RunReport, RunWish } from './one-run.ts'

const program = fileURLToPath(new URL('./one-run.ts', import.meta.url))

/** Work and PCM of each run stay in the folder, which is the caller's to remove. */
export function pipelineIn(folder: string) {
  return async (
    wish: Pick<RunWish, 'path' | 'engine' | 'cores'>,
  ): Promise<RunReport & { pcmPath: string }> => {
    const workDir = await mkdtemp(join(folder, 'work-'))
    const reportPath = join(workDir, 'report.json')
    const argument = JSON.stringify({ ...wish, workDir, reportPath } satisfies RunWish)
    await promisify(execFile)(process.execPath, [program, argument])
    const report = JSON.parse(await readFile(reportPath, 'utf8')) as RunReport
    return { ...report, pcmPath: join(workDir, 'audio.pcm') }
  }
}
