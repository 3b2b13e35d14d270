/** Runs the pipeline in a process of its own and brings back what it reported. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { RunReport, RunWish } from './one-run.ts'

const program = fileURLToPath(new URL('./one-run.ts', import.meta.url))

type Wish = Omit<RunWish, 'workDir' | 'reportPath'>

/** Work and PCM of each run stay in the folder, which is the caller's to remove. */
export function pipelineIn(folder: string) {
  return async (wish: Wish): Promise<RunReport> => {
    const workDir = await mkdtemp(join(folder, 'work-'))
    const reportPath = join(workDir, 'report.json')
    const argument = JSON.stringify({ ...wish, workDir, reportPath } satisfies RunWish)
    await promisify(execFile)(process.execPath, [program, argument])
    const report = JSON.parse(await readFile(reportPath, 'utf8')) as RunReport
    for (const problem of report.problems) console.error(`${basename(wish.path)}: ${problem}`)
    return report
  }
}
