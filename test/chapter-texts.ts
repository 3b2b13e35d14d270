/**
 * Talks with chapters that were set by hand, before anything was made to find them. Each is a file of
 * `bench/chapters/`: its language, then a line for each turn with speaker, start, end and text. `¶`
 * stands where a chapter begins; the first begins with the talk.
 */
import { readFileSync, readdirSync } from 'node:fs'

import type { WritingTurn } from '#features/writing/contract.ts'

const folder = new URL('../bench/chapters/', import.meta.url)

/** Nothing was tuned with these, so they show the result to expect of an unknown talk. */
const unseen = ['entrevista-es', 'webinar']

export interface ChapterText {
  name: string
  language: string
  isUnseen: boolean
  turns: WritingTurn[]
  /** Where chapters begin, but for the first. */
  marksMs: number[]
}

export function chapterTexts(): ChapterText[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.txt'))
  return files.sort().map((file) => {
    const [language = '', ...lines] = readFileSync(new URL(file, folder), 'utf8').trim().split('\n')
    const marksMs: number[] = []
    const turns = lines.map((line): WritingTurn => {
      const [, speaker = '', from, to, marked = ''] = /^(\S+) (\S+) (\S+) (.*)$/.exec(line) ?? []
      const [startMs, endMs] = [1000 * Number(from), 1000 * Number(to)]
      const text = marked.replace('¶ ', '')
      const at = marked.indexOf('¶')
      if (at !== -1) marksMs.push(startMs + ((endMs - startMs) * at) / text.length)
      return { speaker: `Speaker ${speaker}`, startMs, endMs, text }
    })
    const name = file.replace('.txt', '')
    return { name, language, isUnseen: unseen.includes(name), turns, marksMs }
  })
}

/** How near a chapter must begin to one that was set by hand. */
const NEAR_MS = 10_000

/** The chapters set by hand that were found, each by another one. */
export function foundAmong(marksMs: readonly number[], startsMs: readonly number[]): number[] {
  const left = new Set(startsMs)
  return marksMs.filter((mark) => {
    const nearest = [...left].sort((a, b) => Math.abs(a - mark) - Math.abs(b - mark))[0]
    if (nearest === undefined || Math.abs(nearest - mark) > NEAR_MS) return false
    return left.delete(nearest)
  })
}
