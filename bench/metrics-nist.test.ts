/** Our metrics against the programs of NIST that define them, where they are installed (sctk). */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

import { seeded } from '#shared/random.ts'
import { aFolder } from '#test/folder.ts'
import { isInstalled } from '#test/installed.ts'

import { diarizationErrors, type LabelledTurn, wordErrors } from './metrics.ts'

const run = promisify(execFile)
const programs = '/usr/lib/sctk/bin'
const hasPrograms = isInstalled('sctk', join(programs, 'sclite'), join(programs, 'md-eval.pl'))

const folder = aFolder('nist')

const random = seeded(11)
const below = (count: number) => Math.floor(random() * count)

describe.skipIf(!hasPrograms)('as NIST counts', () => {
  test('words: sclite finds as many errors', async () => {
    const vocabulary = 'the cat sat on a mat and saw its hat by two men'.split(' ')
    const sentence = (length: number) =>
      Array.from({ length }, () => vocabulary[below(vocabulary.length)]!)
    const pairs = Array.from({ length: 60 }, () => {
      const said = sentence(1 + below(25))
      const heard = said.flatMap((word) => {
        const chance = random()
        if (chance < 0.12) return []
        if (chance < 0.28) return sentence(1)
        return chance < 0.4 ? [word, ...sentence(1 + below(2))] : [word]
      })
      return { said: said.join(' '), heard: heard.join(' ') }
    })
    const lines = (side: 'said' | 'heard') =>
      pairs.map((pair, index) => `${pair[side]} (ada-${index})\n`).join('')
    const [reference, hypothesis] = [join(folder, 'ref.trn'), join(folder, 'hyp.trn')]
    await writeFile(reference, lines('said'))
    await writeFile(hypothesis, lines('heard'))
    const files = ['-r', reference, 'trn', '-h', hypothesis, 'trn', '-i', 'spu_id']
    const { stdout } = await run(join(programs, 'sclite'), [...files, '-o', 'pra', 'stdout'])
    const counted = [...stdout.matchAll(/^Scores: .*?(\d+) (\d+) (\d+) (\d+)$/gm)]
    const ids = [...stdout.matchAll(/^id: \(ada-(\d+)\)$/gm)].map(([, id]) => Number(id))
    expect(counted).toHaveLength(pairs.length)

    for (const [place, [, ...counts]] of counted.entries()) {
      const [, substitutions, deletions, insertions] = counts.map(Number)
      const { said, heard } = pairs[ids[place]!]!
      const ours = wordErrors(said, heard)
      // sclite gives a substitution the weight 4 and the others 3, so it may choose another
      // alignment.
      const total = substitutions! + deletions! + insertions!
      const errors = ours.substitutions + ours.deletions + ours.insertions
      expect(errors).toBeLessThanOrEqual(total)
      expect(total - errors).toBeLessThanOrEqual(1)
      expect(insertions! - deletions!).toBe(ours.insertions - ours.deletions)
    }
    const sum = (column: number) => counted.reduce((all, row) => all + Number(row[column]), 0)
    const theirs = sum(2) + sum(3) + sum(4)
    const ours = pairs
      .map(({ said, heard }) => wordErrors(said, heard))
      .reduce((all, each) => all + each.substitutions + each.deletions + each.insertions, 0)
    expect(Math.abs(theirs - ours) / theirs).toBeLessThan(0.01)
  })

  test.each([0, 250])(
    'voices: md-eval finds the same error rate, collar %i ms',
    async (collarMs) => {
      for (let round = 0; round < 6; round++) {
        const reference = conversation(3)
        // Heard a little late or early, sometimes as somebody else, sometimes not at all.
        const hypothesis = reference.flatMap(({ speaker, startMs, endMs }) => {
          if (random() < 0.1) return []
          const heard = random() < 0.2 ? below(4) : speaker
          const from = Math.max(0, startMs + below(600) - 300)
          return [
            {
              speaker: heard,
              startMs: from,
              endMs: Math.max(from + 100, endMs + below(600) - 300),
            },
          ]
        })
        // Without one, md-eval scores nothing before the first turn of the reference or after its last.
        const everything = join(folder, 'all.uem')
        await writeFile(everything, 'talk 1 0.000 1000.000\n')
        const [reference_, hypothesis_] = [join(folder, 'ref.rttm'), join(folder, 'hyp.rttm')]
        await writeFile(reference_, rttm(reference))
        await writeFile(hypothesis_, rttm(hypothesis))
        const scored = ['-u', everything, '-c', String(collarMs / 1000)]
        const compared = ['-r', reference_, '-s', hypothesis_]
        const { stdout } = await run('perl', [join(programs, 'md-eval.pl'), ...scored, ...compared])
        const [, rate] = /OVERALL SPEAKER DIARIZATION ERROR = ([\d.]+) percent/.exec(stdout) ?? []
        const ours = diarizationErrors(reference, hypothesis, { collarMs })
        expect(100 * ours.rate).toBeCloseTo(Number(rate), 1)
      }
    },
  )
})

/** People who take turns, and talk at once now and then. */
function conversation(people: number): LabelledTurn[] {
  let at = 500
  let speaker = 0
  return Array.from({ length: 25 }, () => {
    const startMs = Math.max(0, at + below(1500) - 500)
    at = startMs + 600 + below(4000)
    speaker = (speaker + 1 + below(people - 1)) % people
    return { speaker, startMs, endMs: at }
  })
}

function rttm(turns: readonly LabelledTurn[]): string {
  return turns
    .map(({ speaker, startMs, endMs }) => {
      const times = `${(startMs / 1000).toFixed(3)} ${((endMs - startMs) / 1000).toFixed(3)}`
      return `SPEAKER talk 1 ${times} <NA> <NA> voice${speaker} <NA> <NA>\n`
    })
    .join('')
}
