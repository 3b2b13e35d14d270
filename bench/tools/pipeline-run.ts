/** Runs the pipeline in a process of its own and brings back what it reported. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { FirstWords, RunReport, RunWish } from './one-run.ts'

const program = fileURLToPath(new URL('./one-run.ts', import.meta.url))

type Wish = Omit<RunWish, 'workDir' | 'reportPath' | 'isFirstWordsOnly'>

/** Work and PCM of each run stay in the folder, which is the caller's to remove. */
export function pipelineIn(folder: string) {
  const run = async (wish: Wish & Pick<RunWish, 'isFirstWordsOnly'>): Promise<unknown> => {
    const workDir = await mkdtemp(join(folder, 'work-'))
    const reportPath = join(workDir, 'report.json')
    const argument = JSON.stringify({ ...wish, workDir, reportPath } satisfies RunWish)
    await promisify(execFile)(process.execPath, [program, argument])
    return JSON.parse(await readFile(reportPath, 'utf8'))
  }
  return {
    async whole(wish: Wish) {
      const report = (await run(wish)) as RunReport
      for (const problem of report.problems) console.error(`${basename(wish.path)}: ${problem}`)
      return report
    },
    firstWords: async (wish: Wish) =>
      (await run({ ...wish, isFirstWordsOnly: true })) as FirstWords,
  }
}
